package io.persist.shard.bench.micro;

import io.persist.shard.bench.place.DataSet;
import io.persist.shard.bench.place.Place;
import io.persist.shard.location.Blob;
import java.util.UUID;

/** Objects as long as all records together: one that is read again and again, or a new one each time. */
final class Blobs implements Benchmark.Body {

    private final Blob blob;
    private final byte[] bytes;
    private final String name = name();
    private final boolean isRead;

    private Blobs(Place place, DataSet data, boolean isRead) {
        this.blob = place.blob();
        this.bytes = data.encoded(0, Math.toIntExact(data.bytes()));
        this.isRead = isRead;
        if (isRead) {
            blob.set(name, bytes);
        }
    }

    static Benchmark.Body gets(Place place, DataSet data) {
        return new Blobs(place, data, true);
    }

    static Benchmark.Body sets(Place place, DataSet data) {
        return new Blobs(place, data, false);
    }

    private static String name() {
        return "bench/" + UUID.randomUUID();
    }

    @Override
    public long run(Benchmark.Sink sink) {
        long tookNs = isRead ? get() : set();
        sink.took(tookNs);
        return tookNs;
    }

    private long get() {
        long startNs = System.nanoTime();
        byte[] found = blob.get(name);
        long tookNs = System.nanoTime() - startNs;
        if (found == null || found.length != bytes.length) {
            throw new IllegalStateException("the object is not what was written");
        }
        return tookNs;
    }

    private long set() {
        String next = name();
        long startNs = System.nanoTime();
        blob.set(next, bytes);
        long tookNs = System.nanoTime() - startNs;
        blob.delete(next);
        return tookNs;
    }

    @Override
    public void close() {
        if (isRead) {
            blob.delete(name);
        }
    }
}
