package io.persist.error;

/** A newer version of Persist wrote this file. It is left untouched; open it with that version. */
public final class UnsupportedFormatException extends PersistException {

    private static final long serialVersionUID = 1L;

    /** {@code message} names the file and its version. */
    public UnsupportedFormatException(String message) {
        super(message, null);
    }
}
