package io.persist.error;

/**
 * The timeout of a commit is over, and the commit does not have the level yet. The commit was made: readers see it, and
 * it may get the level at any moment. Do not commit the same again; {@code await} with {@link #position} tells when the
 * commit has the level. The log goes on.
 */
public final class CommitTimeoutException extends PersistException {

    private static final long serialVersionUID = 1L;

    private final long position;

    /** The commit ends at {@code position}. */
    public CommitTimeoutException(String message, long position) {
        super(message, null);
        this.position = position;
    }

    /** The position up to which the log is committed, as the commit would have returned it. */
    public long position() {
        return position;
    }
}
