package io.persist.shard.state;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a batch: an object of the blob, or bytes in the state.
 *
 * @param object the object's name, or null if the bytes are here
 * @param inline the bytes, or null if they are in an object
 * @param bytes how many
 * @param updates how many updates they have
 * @param checksum CRC32C of the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // equals compares what is in it
public record BatchPart(@Nullable String object, byte @Nullable [] inline, int bytes, int updates, int checksum) {

    /** Whether the bytes are in the state. */
    public boolean isInline() {
        return inline != null;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BatchPart part
                && Objects.equals(object, part.object)
                && bytes == part.bytes
                && updates == part.updates
                && checksum == part.checksum
                && Arrays.equals(inline, part.inline);
    }

    @Override
    public int hashCode() {
        return Objects.hash(object, bytes, checksum);
    }
}
