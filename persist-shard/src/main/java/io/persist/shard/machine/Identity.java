package io.persist.shard.machine;

import io.persist.shard.bytes.UuidText;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What tells shards of one id from each other that several consensuses have. It is a random number that is in the ids
 * of the shard's writers, and so in the names of its objects: who lists them knows which are its own.
 */
public final class Identity {

    private static final Pattern WRITER = Pattern.compile("w([0-9]{1,10})-" + UuidText.PATTERN);

    private Identity() {}

    static String random() {
        return Integer.toUnsignedString((int) UUID.randomUUID().getLeastSignificantBits());
    }

    /** An id for a new writer. */
    public static String newWriter(ShardMachine machine) {
        return "w" + machine.known().identity() + "-" + UUID.randomUUID();
    }

    /** That of the shard whose writer has this id; empty if no writer of a shard has such an id. */
    static String of(String writer) {
        Matcher matcher = WRITER.matcher(writer);
        return matcher.matches() ? matcher.group(1) : "";
    }
}
