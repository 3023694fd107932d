package io.persist.shard.location;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One handle of a blob that several handles of the process share. */
public final class SharedBlob implements Blob {

    private final Shared<Blob> all;
    private final String name;
    private final Blob blob;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** A handle of the blob that has {@code name} in {@code all}; {@code opener} opens it if none has. */
    public SharedBlob(Shared<Blob> all, String name, Supplier<Blob> opener) {
        this.all = all;
        this.name = name;
        this.blob = all.take(name, opener);
    }

    @Override
    public byte @Nullable [] get(String object) {
        return blob.get(object);
    }

    @Override
    public void set(String object, byte[] bytes) {
        blob.set(object, bytes);
    }

    @Override
    public void create(String object, byte[] bytes) {
        blob.create(object, bytes);
    }

    @Override
    public long delete(String object) {
        return blob.delete(object);
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        blob.list(prefix, visitor);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            all.giveBack(name);
        }
    }
}
