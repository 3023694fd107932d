package io.persist.shard.batch;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Backoff;
import io.persist.shard.location.Blob;
import io.persist.shard.state.BatchPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The parts of one shard. What fails is tried again for a while: an object is written once, so twice does no harm.
 *
 * <p><b>Threads:</b> any.
 */
public final class PartStore {

    private final Blob blob;
    private final String shard;
    private final Duration retryTime;

    /** Those of {@code shard} in {@code blob}. */
    public PartStore(Blob blob, String shard, Duration retryTime) {
        this.blob = blob;
        this.shard = shard;
        this.retryTime = retryTime;
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

    /** A part that is in the state. */
    public BatchPart inline(List<Row> rows) {
        byte[] bytes = PartBytes.of(shard, "", rows);
        return new BatchPart(null, bytes, bytes.length, rows.size(), PartBytes.checksum(bytes));
    }

    /** Writes a part into the blob, as an object of {@code writer}. */
    public BatchPart write(String writer, List<Row> rows) {
        String name = prefix() + writer + "/p" + UUID.randomUUID();
        byte[] bytes = PartBytes.of(shard, name, rows);
        repeated(() -> {
            blob.create(name, bytes);
            return bytes;
        });
        return new BatchPart(name, null, bytes.length, rows.size(), PartBytes.checksum(bytes));
    }

    /**
     * The rows of a part, which are made of its bytes one by one.
     *
     * @throws DamagedShardException if the object is missing or not what was written
     */
    public Rows read(BatchPart part) {
        String object = part.object();
        byte[] inline = part.inline();
        String name = object == null ? "" : object;
        byte[] bytes = inline != null ? inline : load(name);
        if (bytes.length != part.bytes() || PartBytes.checksum(bytes) != part.checksum()) {
            throw new DamagedShardException(
                    PartBytes.describe(shard, name) + " is damaged: it has " + bytes.length
                            + " bytes or a checksum that was not written; restore it from a copy",
                    null);
        }
        return PartBytes.read(shard, name, bytes);
    }

    private byte[] load(String name) {
        return repeated(() -> {
            byte[] bytes = blob.get(name);
            if (bytes == null) {
                throw new DamagedShardException(
                        PartBytes.describe(shard, name) + " is missing; restore it from a copy", null);
            }
            return bytes;
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

    /** The names of all objects of the shard. */
    public List<String> list() {
        return repeated(() -> {
            List<String> names = new ArrayList<>();
            blob.list(prefix(), (name, length) -> names.add(name));
            return names;
        });
    }

    private <T> T repeated(Supplier<T> operation) {
        Backoff backoff = new Backoff(retryTime);
        while (true) {
            try {
                return operation.get();
            } catch (LocationException failed) {
                pauseOrThrow(backoff, failed);
            }
        }
    }

    private static void pauseOrThrow(Backoff backoff, LocationException failed) {
        try {
            if (!backoff.pause()) {
                throw failed;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            failed.addSuppressed(interrupted);
            throw failed;
        }
    }
}
