package io.persist.tool.select;

/**
 * Which of the records in a range are wanted, by counting. Commits are skipped first, then records. A commit of which
 * the range has only the later records counts as one.
 *
 * @param skip how many records are left out at first
 * @param skipCommits how many whole commits are left out before
 * @param limitCommits records of how many commits at most
 */
public record SkipAndLimit(long skip, long skipCommits, long limitCommits) {

    /** Every record. */
    public static final SkipAndLimit ALL = new SkipAndLimit(0, 0, Long.MAX_VALUE);

    /** @throws IllegalArgumentException if a number is negative */
    public SkipAndLimit {
        require("skip", skip);
        require("skipCommits", skipCommits);
        require("limitCommits", limitCommits);
    }

    private static void require(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + "=" + value + ", min=0");
        }
    }
}
