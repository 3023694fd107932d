package io.persist.peers.profile;

/** What a thread was at when it was seen, in the order of tables. */
public enum Kind {
    CHECKSUM("checksum"),
    COPY("copy and fill"),
    PAGES("page faults and mapping"),
    DEVICE("device and system calls"),
    WAITING("locks and waits for threads"),
    JOURNAL("journal code"),
    REST("the rest: benchmark, clock, JVM");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    /** As tables call it. */
    public String label() {
        return label;
    }
}
