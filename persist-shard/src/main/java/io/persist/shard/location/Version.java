package io.persist.shard.location;

/**
 * One version of a key of a {@link Consensus}.
 *
 * @param number 0 or more; grows from version to version of a key
 * @param data its bytes, which nobody changes
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares versions by their bytes
public record Version(long number, byte[] data) {

    /** Checks the number. */
    public Version {
        if (number < 0) {
            throw new IllegalArgumentException("number=" + number + ": 0 or more");
        }
    }
}
