package io.persist.shard.bench.place;

import io.persist.shard.bench.place.Traffic.Counter;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ObjectPieces;
import java.nio.ByteBuffer;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A blob that counts. Closing it leaves what is below open. */
final class CountedBlob extends ForwardingBlob {

    private final Traffic traffic;

    CountedBlob(Blob blob, Traffic traffic) {
        super(blob);
        this.traffic = traffic;
    }

    @Override
    public byte @Nullable [] get(String name) {
        byte[] bytes = super.get(name);
        traffic.add(Counter.BLOB_GETS, 1);
        traffic.add(Counter.BLOB_GET_BYTES, bytes == null ? 0 : bytes.length);
        return bytes;
    }

    @Override
    public long read(String name, byte[] target) {
        long length = super.read(name, target);
        traffic.add(Counter.BLOB_GETS, 1);
        traffic.add(Counter.BLOB_GET_BYTES, Math.max(0, length));
        return length;
    }

    /** What is opened is read to its end. */
    @Override
    public @Nullable ObjectPieces open(String name) {
        ObjectPieces pieces = super.open(name);
        traffic.add(Counter.BLOB_GETS, 1);
        traffic.add(Counter.BLOB_GET_BYTES, pieces == null ? 0 : pieces.length());
        return pieces;
    }

    @Override
    public void set(String name, ByteBuffer bytes) {
        super.set(name, bytes);
        traffic.written(name, bytes.remaining());
    }

    @Override
    public void create(String name, ByteBuffer bytes) {
        super.create(name, bytes);
        traffic.written(name, bytes.remaining());
    }

    @Override
    public long delete(String name) {
        long length = super.delete(name);
        traffic.deleted(name);
        return length;
    }

    @Override
    public long deleteAll(Collection<String> names) {
        long bytes = super.deleteAll(names);
        names.forEach(traffic::deleted);
        return bytes;
    }

    @Override
    public void close() {}
}
