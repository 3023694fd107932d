package io.persist.shard.bench.place;

import io.persist.shard.bench.place.Traffic.Counter;
import io.persist.shard.location.Blob;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** A blob that counts. Closing it leaves what is below open. */
final class CountedBlob implements Blob {

    private final Blob blob;
    private final Traffic traffic;

    CountedBlob(Blob blob, Traffic traffic) {
        this.blob = blob;
        this.traffic = traffic;
    }

    @Override
    public byte @Nullable [] get(String name) {
        byte[] bytes = blob.get(name);
        traffic.add(Counter.BLOB_GETS, 1);
        traffic.add(Counter.BLOB_GET_BYTES, bytes == null ? 0 : bytes.length);
        return bytes;
    }

    @Override
    public void set(String name, byte[] bytes) {
        blob.set(name, bytes);
        count(bytes);
    }

    @Override
    public void create(String name, byte[] bytes) {
        blob.create(name, bytes);
        count(bytes);
    }

    private void count(byte[] bytes) {
        traffic.add(Counter.BLOB_SETS, 1);
        traffic.add(Counter.BLOB_SET_BYTES, bytes.length);
    }

    @Override
    public long delete(String name) {
        long length = blob.delete(name);
        traffic.add(Counter.BLOB_DELETES, length < 0 ? 0 : 1);
        return length;
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        blob.list(prefix, visitor);
    }

    @Override
    public void close() {}
}
