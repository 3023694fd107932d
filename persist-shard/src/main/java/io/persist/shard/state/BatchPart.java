package io.persist.shard.state;

import io.persist.shard.bytes.UuidText;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a batch: an object of the blob, or bytes in the state.
 *
 * @param object the object's name, or null if the bytes are here
 * @param inline the bytes, or null if they are in an object
 * @param bytes how many
 * @param updates how many updates they have
 * @param longest how long the longest row of them is
 * @param checksum CRC32C of the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // equals compares what is in it
public record BatchPart(
        @Nullable String object, byte @Nullable [] inline, int bytes, int updates, int longest, int checksum) {

    /** What comes behind the id of the shard and a slash: a writer's id, and an id. */
    private static final Pattern NAME = Pattern.compile("[^/]+/p" + UuidText.PATTERN);

    /** Whether {@code object} has a name as the parts of {@code shard} have. */
    public static boolean isName(String shard, String object) {
        String prefix = shard + "/";
        return object.startsWith(prefix)
                && NAME.matcher(object).region(prefix.length(), object.length()).matches();
    }

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
                && longest == part.longest
                && checksum == part.checksum
                && Arrays.equals(inline, part.inline);
    }

    @Override
    public int hashCode() {
        return Objects.hash(object, bytes, checksum);
    }
}
