package io.persist.error;

/**
 * Bytes of a log contradict its format at a place where they had been acknowledged. Nothing was changed. The tool
 * {@code verify} tells what is damaged and what can be done; often {@code repair} can cut it out and keep the evidence.
 */
public final class CorruptLogException extends PersistException {

    private static final long serialVersionUID = 1L;

    private final String damage;
    private final String file;
    private final long position;

    /** {@code what} is damaged at {@code position}, which is in {@code file}. */
    public CorruptLogException(String file, long position, String what) {
        this(file, position, what, "run verify on the log: it says what can be done");
    }

    /** With another {@code advice} than to repair the log. */
    public CorruptLogException(String file, long position, String what, String advice) {
        super("corrupt log: " + what + ", file=" + file + ", position=" + position + "; " + advice, null);
        this.damage = what;
        this.file = file;
        this.position = position;
    }

    /** What is wrong there, in a few words: the message without the place and the advice. */
    public String damage() {
        return damage;
    }

    /** The damaged file's name within the log's directory. */
    public String file() {
        return file;
    }

    /** The position of the first damaged byte range. */
    public long position() {
        return position;
    }
}
