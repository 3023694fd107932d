package io.persist.shard.location;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** A blob that has another one do all, for those that do a little more or less. What to close is theirs to say. */
public abstract class ForwardingBlob implements Blob {

    private final Blob blob;

    /** Forwards to {@code blob}. */
    protected ForwardingBlob(Blob blob) {
        this.blob = blob;
    }

    @Override
    public byte @Nullable [] get(String name) {
        return blob.get(name);
    }

    @Override
    public long read(String name, byte[] target) {
        return blob.read(name, target);
    }

    @Override
    public boolean hasPieces() {
        return blob.hasPieces();
    }

    @Override
    public @Nullable ObjectPieces open(String name) {
        return blob.open(name);
    }

    @Override
    public void set(String name, ByteBuffer bytes) {
        blob.set(name, bytes);
    }

    @Override
    public void create(String name, ByteBuffer bytes) {
        blob.create(name, bytes);
    }

    @Override
    public long delete(String name) {
        return blob.delete(name);
    }

    @Override
    public long deleteAll(Collection<String> names) {
        return blob.deleteAll(names);
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        blob.list(prefix, visitor);
    }
}
