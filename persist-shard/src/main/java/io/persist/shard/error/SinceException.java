package io.persist.shard.error;

/** A reader asked for a time below since, where the history is compacted away. Ask for since or later. */
public final class SinceException extends ShardException {

    private static final long serialVersionUID = 1L;

    private final long asOf;
    private final String since;

    /** {@code since} in words, because it may be empty. */
    public SinceException(long asOf, String since) {
        super("asOf=" + asOf + " is below since=" + since + ": read as of since or later", null);
        this.asOf = asOf;
        this.since = since;
    }

    /** The time that was asked for. */
    public long asOf() {
        return asOf;
    }

    /** The frontier from which on the reader can read, as text: a time, or EMPTY. */
    public String since() {
        return since;
    }
}
