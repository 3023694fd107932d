package io.persist.error;

/**
 * A newer version of Persist wrote this file, or the log holds another kind of records. Nothing was changed. Open it
 * with that version, or with the logger that the message names.
 */
public final class UnsupportedFormatException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} names the file and its version. */
    public UnsupportedFormatException(String message) {
        super(message, null);
    }
}
