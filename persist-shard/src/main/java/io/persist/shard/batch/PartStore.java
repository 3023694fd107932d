package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.location.Retries;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.RunLimit;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one shard. What fails is tried again for a while: an object is written once, so twice does no harm.
 *
 * <p><b>Threads:</b> any.
 */
public final class PartStore {

    /** So many times as many runs are read at once if of each but a piece is in memory. */
    private static final int PIECES = 3;

    /** As long as every other one. */
    private static final UUID NO_ID = new UUID(0, 0);

    /** When a part is known to be whole. */
    public enum Check {
        /** Before the first row is given out: it is read twice. */
        FIRST,

        /** With the last row: what was made of it by then has to be given up. */
        AT_THE_END
    }

    private final Blob blob;
    private final String shard;
    private final Duration retryTime;
    private final PartWriters writers;

    /** Those of {@code shard} in {@code blob}; {@code writers} write whole ones. */
    public PartStore(Blob blob, String shard, Duration retryTime, PartWriters writers) {
        this.blob = blob;
        this.shard = shard;
        this.retryTime = retryTime;
        this.writers = writers;
    }

    /** The same; the thread that makes a part writes it. */
    public PartStore(Blob blob, String shard, Duration retryTime) {
        this(blob, shard, retryTime, PartWriters.none(0));
    }

    /** The same parts, of which what fails is tried again for {@code time}. */
    public PartStore retrying(Duration time) {
        return new PartStore(blob, shard, time, writers);
    }

    /** The id of the shard. */
    public String shard() {
        return shard;
    }

    /** A listener of this client begins: what is written from now on may be read from memory. */
    public void listenerBegins() {
        writers.recent().listenerBegins();
    }

    /** It has ended. */
    public void listenerEnds() {
        writers.recent().listenerEnds();
    }

    /** How many runs may be read at once, if so many parts of about {@code partBytes} may be in memory. */
    public RunLimit limit(int parts, int partBytes) {
        return blob.hasPieces()
                ? new RunLimit(PIECES * parts, Math.max(RowWindow.BYTES, partBytes / PIECES), RunLimit.Memory.ROW)
                : new RunLimit(parts, partBytes + partBytes / 2, RunLimit.Memory.PART);
    }

    /** What the names of the shard's objects begin with; the id of the writer follows, and a slash. */
    public String prefix() {
        return shard + "/";
    }

    /** The id of the writer that has made an object of this shard. */
    public String ownerOf(String object) {
        int end = object.indexOf('/', prefix().length());
        return end < 0 ? "" : object.substring(prefix().length(), end);
    }

    /** A part that grows; {@code writer} is the one whose object it may become. */
    public PartBuilder newPart(String writer, int partBytes) {
        int headerBytes = PartBytes.header(shard, newName(writer, NO_ID), 0).length;
        return new PartBuilder(writers.arrays(), headerBytes, partBytes);
    }

    private String newName(String writer, UUID id) {
        return prefix() + writer + "/p" + id;
    }

    /** A part that is in the state. {@code sorted} is used up. */
    public BatchPart inline(PartBuilder sorted) {
        byte[] bytes = sorted.withHeader(PartBytes.header(shard, "", sorted.count()));
        int checksum = PartBytes.seal(bytes, bytes.length - PartBytes.CHECKSUM_BYTES);
        BatchPart part = new BatchPart(null, bytes, bytes.length, sorted.count(), sorted.longest(), checksum);
        sorted.release();
        return part;
    }

    /**
     * Begins to write a part into the blob, as an object of {@code writer}; it is there when {@code writing} says so.
     * {@code sorted} is used up.
     */
    BatchPart write(String writer, PartBuilder sorted, Writing writing) {
        String name = newName(writer, UUID.randomUUID());
        byte[] bytes = sorted.headed(PartBytes.header(shard, name, sorted.count()));
        int checksum = PartBytes.seal(bytes, sorted.length());
        ByteBuffer all = ByteBuffer.wrap(bytes, 0, sorted.length() + PartBytes.CHECKSUM_BYTES);
        BatchPart part = new BatchPart(name, null, all.remaining(), sorted.count(), sorted.longest(), checksum);
        boolean isWhole = sorted.isWhole();
        Runnable write = () -> {
            repeated(() -> create(name, all, writing));
            byte[] mine = sorted.takeBytes(); // only if it is well: an attempt that has failed may still be under way
            if (isWhole && writing.isNew()) {
                writers.recent().keep(name, mine);
            } else {
                writers.arrays().giveBack(mine);
            }
        };
        if (isWhole) {
            writing.begin(write, part.bytes(), writers);
        } else {
            writing.doNow(write); // a short one is there sooner than another thread has begun
        }
        return part;
    }

    private String create(String name, ByteBuffer bytes, Writing writing) {
        try {
            blob.create(name, bytes);
            return name;
        } catch (IndeterminateException unknown) {
            writing.noteUnknown();
            throw unknown;
        }
    }

    /**
     * The rows of a part with the times that are wanted, which lie in its bytes.
     *
     * @throws DamagedShardException if the object is missing or not what was written
     */
    public Rows read(BatchPart part, LongPredicate wanted) {
        String object = part.object();
        byte[] inline = part.inline();
        String name = object == null ? "" : object;
        RecentParts.Recent recent = writers.recent().take(name);
        if (recent != null) {
            ByteSource written = PartBytes.openOwn(shard, name, recent.bytes(), part.bytes());
            return new PartRows(written, recent.bytes(), () -> writers.recent().giveBack(recent), wanted);
        }
        byte[] bytes = inline != null ? inline : writers.arrays().take(part.bytes());
        long length = inline != null ? inline.length : load(name, bytes);
        if (length != part.bytes() || PartBytes.checksum(bytes, part.bytes()) != part.checksum()) {
            throw new DamagedShardException(
                    PartBytes.describe(shard, name) + " is damaged: it has " + length
                            + " bytes or a checksum that was not written; restore it from a copy",
                    null);
        }
        ByteSource source = PartBytes.open(shard, name, bytes, part.bytes());
        Runnable release = inline != null ? () -> {} : () -> writers.arrays().giveBack(bytes);
        return new PartRows(source, bytes, release, wanted);
    }

    /**
     * The same with but a piece of it in memory, if the blob has pieces. A part that is damaged is noticed when
     * {@code check} says.
     */
    Rows stream(BatchPart part, RowWindow window, LongPredicate wanted, Check check) {
        String name = part.object();
        ObjectPieces opened = name != null && blob.hasPieces() ? repeated(() -> blob.open(name)) : null;
        if (name == null || opened == null) {
            return read(part, wanted); // or it says that it is missing
        }
        ObjectPieces pieces = repeating(opened);
        try {
            byte[] header = PartBytes.header(shard, name, part.updates());
            if (PartStream.isOf(pieces, part, header)) {
                String what = PartBytes.describe(shard, name);
                PartStream rows = new PartStream(pieces, part, header, what, window, wanted);
                if (check == Check.AT_THE_END || rows.isWhole()) {
                    return rows;
                }
            }
        } catch (RuntimeException | Error failed) {
            pieces.close();
            throw failed;
        }
        pieces.close();
        return read(part, wanted); // which says what is wrong
    }

    private ObjectPieces repeating(ObjectPieces pieces) {
        return new ObjectPieces() {
            @Override
            public long length() {
                return pieces.length();
            }

            @Override
            public int read(long from, byte[] target, int at, int length) {
                return repeated(() -> pieces.read(from, target, at, length));
            }

            @Override
            public void close() {
                pieces.close();
            }
        };
    }

    private long load(String name, byte[] target) {
        return repeated(() -> {
            long length = blob.read(name, target);
            if (length < 0) {
                throw new DamagedShardException(
                        PartBytes.describe(shard, name) + " is missing; restore it from a copy", null);
            }
            return length;
        });
    }

    /** Deletes an object. */
    public void delete(String object) {
        repeated(() -> blob.delete(object));
    }

    /** Deletes objects. */
    public void deleteAll(Collection<String> objects) {
        if (!objects.isEmpty()) {
            repeated(() -> blob.deleteAll(objects));
        }
    }

    /** Whether there is an object, by one attempt; it is not read. */
    public boolean has(String object) {
        if (!blob.hasPieces()) {
            boolean[] isThere = {false};
            blob.list(object, (name, length) -> isThere[0] |= name.equals(object));
            return isThere[0];
        }
        ObjectPieces pieces = blob.open(object);
        if (pieces != null) {
            pieces.close();
        }
        return pieces != null;
    }

    /** The names of all objects of the shard. */
    public List<String> list() {
        return repeated(this::listOnce);
    }

    /** The same by one attempt. */
    public List<String> listOnce() {
        List<String> names = new ArrayList<>();
        blob.list(prefix(), (name, length) -> {
            if (isPart(name)) {
                names.add(name);
            }
        });
        return names;
    }

    /** Whether {@code object} has a name as parts have: what else lies among them is of somebody else, and stays. */
    public boolean isPart(String object) {
        return BatchPart.isName(shard, object);
    }

    private <T extends @Nullable Object> T repeated(Supplier<T> operation) {
        return Retries.of(retryTime, operation);
    }
}
