package io.persist.error;

/**
 * A newer version of Persist wrote this file, or the log holds another kind of records. Nothing was changed. Open it
 * with that version, or with the logger that the message names.
 */
public final class UnsupportedFormatException extends PersistException {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final boolean isNewer;

    /** Something of another kind than is wanted; {@code message} names it and what it is for. */
    public UnsupportedFormatException(String message) {
        this(message, "", false);
    }

    private UnsupportedFormatException(String message, String file, boolean isNewer) {
        super(message, null);
        this.file = file;
        this.isNewer = isNewer;
    }

    /**
     * Something that a newer version wrote.
     *
     * @param file its name, empty if it is a part of a file that is not known
     * @param message names it, its version and what to use for it
     */
    public static UnsupportedFormatException newer(String file, String message) {
        return new UnsupportedFormatException(message, file, true);
    }

    /** Whether a newer version wrote it, so that one can use it; else it is of another kind than is wanted. */
    public boolean isNewer() {
        return isNewer;
    }

    /**
     * The name, within its directory, of the file that a newer version wrote; empty if that is not known, as of a
     * record, or if this is of another kind.
     */
    public String file() {
        return file;
    }
}
