package io.persist.store.transaction;

import io.persist.codec.Decoder;
import io.persist.codec.Encoder;
import io.persist.log.Durability;
import io.persist.memory.LentBytes;
import io.persist.store.KeyRange;
import io.persist.store.Neighbour;
import io.persist.store.StoreEntry;
import io.persist.store.core.StoreCore;
import io.persist.store.core.Workspace;
import io.persist.store.core.WorkspacePool;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on one key, or on one range of keys. Each of them is a transaction of its own, whether or not the thread
 * has one open.
 *
 * <p><b>Threads:</b> any; nothing is kept for a thread. <b>Allocation:</b> a read allocates the copy; else none, unless
 * more threads call at once than ever before.
 */
public final class SingleOperations {

    private static final Function<LentBytes, ByteBuffer> COPY = LentBytes::copy;
    private static final Function<LentBytes, byte[]> BYTES = LentBytes::bytes;

    private final StoreCore core;
    private final WorkspacePool workspaces;

    /** Works on {@code core} with memory of {@code workspaces}. */
    public SingleOperations(StoreCore core, WorkspacePool workspaces) {
        this.core = core;
        this.workspaces = workspaces;
    }

    /** The level that the configuration asks for. */
    public Durability durability() {
        return core.config().log().durability();
    }

    /** The value of the key in a buffer of its own; null if there is none. */
    public @Nullable ByteBuffer get(byte[] key) {
        return get(key, COPY);
    }

    /** The same with a key of {@code length} bytes at {@code offset} of {@code source}. */
    public @Nullable ByteBuffer get(DirectBuffer source, int offset, int length) {
        try (Workspace workspace = workspaces.take()) {
            return LentBytes.copyOf(workspace.get(source, offset, length));
        }
    }

    /** The value of the key in an array of its own; null if there is none. */
    public byte @Nullable [] getBytes(byte[] key) {
        return get(key, BYTES);
    }

    /** What {@code decoder} makes of the value of the key; null if there is none. */
    public <T> @Nullable T decode(byte[] key, Decoder<T> decoder) {
        return get(key, value -> decoder.read(value.view()));
    }

    private <T> @Nullable T get(byte[] key, Function<LentBytes, T> use) {
        try (Workspace workspace = workspaces.take()) {
            LentBytes value = workspace.get(key);
            return value == null ? null : use.apply(value);
        }
    }

    /** Whether there is the key. */
    public boolean contains(byte[] key) {
        try (Workspace workspace = workspaces.take()) {
            return workspace.contains(key);
        }
    }

    /** A neighbour of {@code key}, with its value of the same moment; null if there is none. */
    public @Nullable StoreEntry neighbour(byte[] key, Neighbour which) {
        try (Workspace workspace = workspaces.take()) {
            return workspace.neighbour(key, which);
        }
    }

    /** Puts; returns the position right after it. */
    public long put(byte[] key, byte[] value, Durability level) {
        return put(key, value, 0, value.length, level);
    }

    /** Puts {@code length} bytes of {@code value} from {@code offset} on. */
    public long put(byte[] key, byte[] value, int offset, int length, Durability level) {
        Objects.requireNonNull(level, "level");
        Objects.checkFromIndexSize(offset, length, value.length);
        try (Workspace workspace = workspaces.take()) {
            workspace.begin().put(key, value, offset, length);
            return workspace.commit(level);
        }
    }

    /** Puts what remains of {@code value}. */
    public long put(byte[] key, ByteBuffer value, Durability level) {
        Objects.requireNonNull(level, "level");
        try (Workspace workspace = workspaces.take()) {
            workspace.begin().put(key, value);
            return workspace.commit(level);
        }
    }

    /** Puts ranges of buffers. */
    public long put(
            DirectBuffer key,
            int keyOffset,
            int keyLength,
            DirectBuffer value,
            int valueOffset,
            int valueLength,
            Durability level) {
        Objects.requireNonNull(level, "level");
        key.boundsCheck(keyOffset, keyLength);
        value.boundsCheck(valueOffset, valueLength);
        try (Workspace workspace = workspaces.take()) {
            workspace.begin().put(key, keyOffset, keyLength, value, valueOffset, valueLength);
            return workspace.commit(level);
        }
    }

    /** Puts {@code value} as {@code encoder}, which may use the store, writes it. */
    public <T> long put(byte[] key, T value, Encoder<? super T> encoder, Durability level) {
        Objects.requireNonNull(level, "level");
        core.checkUsable(); // nothing is encoded in vain
        try (Workspace workspace = workspaces.take()) {
            int length = workspace.output().encode(value, encoder);
            workspace.begin().put(key, workspace.output().array(), 0, length);
            return workspace.commit(level);
        }
    }

    /** Makes {@code batch} one transaction; returns the position right after it. */
    public long write(WriteBatch batch, Durability level) {
        Objects.requireNonNull(level, "level");
        try (Workspace workspace = workspaces.take()) {
            batch.copyTo(workspace.begin());
            return workspace.commit(level);
        }
    }

    /** How many bytes the changes of one commit may have. */
    public int maxBytes() {
        return core.log().layout().maxPayload();
    }

    /** Removes the key; returns whether it was there. */
    public boolean remove(byte[] key, Durability level) {
        Objects.requireNonNull(level, "level");
        try (Workspace workspace = workspaces.take()) {
            return workspace.remove(key, level);
        }
    }

    /** Removes the key of {@code length} bytes at {@code offset} of {@code source}. */
    public boolean remove(DirectBuffer source, int offset, int length, Durability level) {
        Objects.requireNonNull(level, "level");
        source.boundsCheck(offset, length);
        try (Workspace workspace = workspaces.take()) {
            return workspace.remove(source, offset, length, level);
        }
    }

    /** Gives the key this value; returns the one before, null if there was none. */
    public @Nullable ByteBuffer getAndPut(byte[] key, byte[] value, Durability level) {
        return getAndSet(key, Objects.requireNonNull(value, "value"), level);
    }

    /** Removes the key; returns its value, null if there was none. */
    public @Nullable ByteBuffer getAndRemove(byte[] key, Durability level) {
        return getAndSet(key, null, level);
    }

    private @Nullable ByteBuffer getAndSet(byte[] key, byte @Nullable [] value, Durability level) {
        Objects.requireNonNull(level, "level");
        try (Workspace workspace = workspaces.take()) {
            return LentBytes.copyOf(workspace.getAndSet(key, value, level));
        }
    }

    /** Removes all keys of {@code range}; returns whether there were any. */
    public boolean removeRange(KeyRange range, Durability level) {
        Objects.requireNonNull(level, "level");
        core.checkUsable(); // an empty range would never get as far as the commit
        try (Workspace workspace = workspaces.take()) {
            return workspace.removeRange(range, level);
        }
    }

    /** Gives the key the value if it has the expected one; null stands for no value. */
    public boolean compareAndSet(byte[] key, byte @Nullable [] expected, byte @Nullable [] value, Durability level) {
        Objects.requireNonNull(level, "level");
        try (Workspace workspace = workspaces.take()) {
            return workspace.compareAndSet(key, expected, value, level);
        }
    }
}
