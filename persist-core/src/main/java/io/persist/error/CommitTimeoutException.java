package io.persist.error;

/**
 * The time that a commit was given is over, and it does not have the level yet. It was made: readers see it, and it may
 * get the level at any moment, without anybody's doing. Not to be committed again; {@code await} with {@link #position}
 * tells when it has the level. The log goes on.
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
