package io.persist.peers.engine;

/** What takes nothing away of messages whose commit, or append at {@code BUFFERED}, has returned; the weakest first. */
public enum Survival {
    /** An orderly end of the process: they may still be in its memory. */
    ORDERLY_END("an orderly end"),
    /** {@code kill -9}: the operating system has them. */
    KILL("kill -9"),
    /** A power cut: the device has them, as far as it is honest. */
    POWER_CUT("a power cut");

    private final String text;

    Survival(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
