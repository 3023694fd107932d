package io.persist.shard.location.mem;

import io.persist.shard.location.Blob;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** Objects in a map. */
public final class MemBlob implements Blob {

    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

    /** An empty one. */
    public MemBlob() {}

    @Override
    public byte @Nullable [] get(String name) {
        byte[] bytes = objects.get(Blob.checkName(name));
        return bytes == null ? null : bytes.clone();
    }

    @Override
    public long read(String name, byte[] target) {
        byte[] bytes = objects.get(Blob.checkName(name));
        if (bytes == null) {
            return -1;
        }
        System.arraycopy(bytes, 0, target, 0, Math.min(bytes.length, target.length));
        return bytes.length;
    }

    @Override
    public void set(String name, ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        objects.put(Blob.checkName(name), copy);
    }

    @Override
    public long delete(String name) {
        byte[] bytes = objects.remove(Blob.checkName(name));
        return bytes == null ? -1 : bytes.length;
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        objects.forEach((name, bytes) -> {
            if (name.startsWith(prefix)) {
                visitor.accept(name, bytes.length);
            }
        });
    }

    @Override
    public void close() {}
}
