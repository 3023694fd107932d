package io.persist.shard.state;

import io.persist.shard.bytes.ByteSink;
import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.model.Frontier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a version: the changes from the state before it, or from nothing, then it is a whole one.
 *
 * <pre>
 *    magic  format  id  version  the last whole version  checksum of the one before
 *    changes, each a kind and its fields
 *    CRC32C
 * </pre>
 *
 * <p>Each says the {@linkplain #checksum checksum} of the version before it, and so of all before that: two
 * histories that part differ from there on.
 */
public final class StateBytes {

    private static final int MAGIC = 0x50534844; // PSHD

    /** No release wrote those before. */
    private static final int FORMAT = 4;

    /** A part has a number at its begin and a checksum at its end, and is read into one array. */
    private static final int LEAST_PART = 2 * Integer.BYTES;

    private static final int LONGEST_PART = Integer.MAX_VALUE - 8;

    /** The checksum of nothing, which the first version follows. */
    public static final long NOTHING = 0;

    /**
     * What a version says before its changes.
     *
     * @param id of the shard
     * @param version its number
     * @param whole the number of the last whole version; its own if it is one
     * @param before the checksum of the version before it
     */
    public record Header(String id, long version, long whole, long before) {

        /** Whether it needs no state before it. */
        public boolean isWhole() {
            return version == whole;
        }
    }

    private StateBytes() {}

    /** A version that has all of {@code state}; {@code before} is the checksum of the version before it. */
    public static byte[] whole(ShardState state, long before) {
        ByteSink sink = header(state, state.version(), before);
        StateChanges.write(null, state, sink);
        return sink.sealed();
    }

    /**
     * A version that has what is new in {@code next}.
     *
     * @param whole the last version that has all
     * @param before the checksum of the version of {@code state}
     */
    public static byte[] changes(ShardState state, ShardState next, long whole, long before) {
        ByteSink sink = header(next, whole, before);
        StateChanges.write(state, next, sink);
        return sink.sealed();
    }

    private static ByteSink header(ShardState state, long whole, long before) {
        return new ByteSink()
                .putInt(MAGIC)
                .putInt(FORMAT)
                .putText(state.id())
                .putLong(state.version())
                .putLong(whole)
                .putLong(before);
    }

    /** What tells one version from another one of the same number: two checksums of all of its bytes. */
    public static long checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        int sealed = ByteBuffer.wrap(bytes).getInt(bytes.length - Integer.BYTES);
        return (long) sealed << Integer.SIZE | crc.getValue();
    }

    /**
     * What the version says of itself.
     *
     * @throws DamagedShardException if it is damaged, or not of shard {@code id}
     * @throws NewerVersionException if a newer version of Persist wrote it
     */
    public static Header readHeader(String id, byte[] bytes) {
        return readHeader(id, new ByteSource(bytes, "a version of shard " + id));
    }

    private static Header readHeader(String id, ByteSource source) {
        if (source.nextInt() != MAGIC) {
            throw source.damaged("it is no version of a shard");
        }
        int format = source.nextInt();
        if (format >= 0 && format < FORMAT) {
            throw source.damaged("it has format " + format + ", which no release of Persist has written");
        }
        if (format != FORMAT) {
            throw newer(id, "format " + format + ", and this version of Persist knows " + FORMAT);
        }
        Header header = new Header(source.nextText(), source.nextLong(), source.nextLong(), source.nextLong());
        if (!header.id().equals(id)) {
            throw source.damaged("it is of shard " + header.id());
        }
        return header;
    }

    static NewerVersionException newer(String id, String what) {
        return new NewerVersionException("shard=" + id + " has " + what + ": use a newer one", null);
    }

    /**
     * The state of the version.
     *
     * @param before the state of the version before it; not used for a whole one
     * @throws DamagedShardException if it is damaged, not of shard {@code id}, or does not follow {@code before}
     * @throws NewerVersionException if a newer version of Persist wrote it
     */
    public static ShardState read(String id, @Nullable ShardState before, byte[] bytes) {
        ByteSource source = new ByteSource(bytes, "a version of shard " + id);
        Header header = readHeader(id, source);
        if (header.isWhole()) {
            return StateChanges.apply(ShardState.create(id, "", ""), header.version(), source);
        }
        if (before == null || before.version() + 1 != header.version()) {
            throw source.damaged("version " + header.version() + " does not follow "
                    + (before == null ? "anything" : before.version()));
        }
        return StateChanges.apply(before, header.version(), source);
    }

    static void putBatch(BatchState batch, ByteSink sink) {
        sink.putLong(batch.lower().code())
                .putLong(batch.upper().code())
                .putLong(batch.since().code())
                .putInt(batch.runs().size());
        for (List<BatchPart> run : batch.runs()) {
            sink.putInt(run.size());
            run.forEach(part -> putPart(part, sink));
        }
    }

    private static void putPart(BatchPart part, ByteSink sink) {
        byte[] inline = part.inline();
        String object = part.object();
        sink.put(inline != null ? 1 : 0)
                .putInt(part.bytes())
                .putInt(part.updates())
                .putInt(part.longest())
                .putInt(part.checksum());
        if (inline != null) {
            sink.putBytes(inline);
        } else if (object != null) {
            sink.putText(object);
        }
    }

    static BatchState nextBatch(String shard, ByteSource source) {
        Frontier lower = nextFrontier(source);
        Frontier upper = nextFrontier(source);
        Frontier since = nextFrontier(source);
        List<List<BatchPart>> runs = new ArrayList<>();
        for (int left = source.nextCount(); left > 0; left--) {
            runs.add(nextRun(shard, source));
        }
        return new BatchState(lower, upper, since, runs);
    }

    private static List<BatchPart> nextRun(String shard, ByteSource source) {
        List<BatchPart> parts = new ArrayList<>();
        for (int left = source.nextCount(); left > 0; left--) {
            parts.add(nextPart(shard, source));
        }
        return parts;
    }

    private static BatchPart nextPart(String shard, ByteSource source) {
        boolean isInline = source.next() == 1;
        int bytes = source.nextInt();
        int updates = source.nextInt();
        int longest = source.nextInt();
        int checksum = source.nextInt();
        byte[] inline = isInline ? source.nextBytes() : null;
        int least = inline == null ? LEAST_PART : inline.length;
        int most = inline == null ? LONGEST_PART : inline.length;
        if (bytes < least || bytes > most || updates < 0 || longest < 0 || longest > bytes) {
            throw source.damaged(
                    "a part of " + bytes + " bytes and " + updates + " updates, the longest of " + longest + " bytes");
        }
        return new BatchPart(isInline ? null : nextObject(shard, source), inline, bytes, updates, longest, checksum);
    }

    /** The name of an object of {@code shard}: no other is read, or deleted. */
    static String nextObject(String shard, ByteSource source) {
        String object = source.nextText();
        if (!BatchPart.isName(shard, object)) {
            throw source.damaged("an object that is no part of the shard: " + object);
        }
        return object;
    }

    static Frontier nextFrontier(ByteSource source) {
        long code = source.nextLong();
        if (code < -1) {
            throw source.damaged("a frontier of " + code);
        }
        return Frontier.ofCode(code);
    }
}
