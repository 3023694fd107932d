package io.persist.store.checkpoint;

import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.index.IndexImage;
import io.persist.index.IndexImage.Scope;
import io.persist.index.KeyIndex;
import io.persist.index.node.KeyBuffer;
import io.persist.index.read.Location;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.store.state.SegmentBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An index that changes, checkpoints that are written of it, and what is in each of them. */
final class CheckpointHistory implements AutoCloseable {

    private final Storage storage;
    private final KeyIndex index = new KeyIndex();
    private final TreeMap<String, Entry> model = new TreeMap<>();
    private final Map<Long, List<Entry>> written = new HashMap<>();
    private final KeyBuffer key = new KeyBuffer();
    private final Location location = new Location();
    private @Nullable CheckpointHeader newest;

    CheckpointHistory(Storage storage) {
        this.storage = storage;
    }

    void put(Entry entry) {
        byte[] bytes = entry.keyBytes();
        index.put(key.set(bytes, 0, bytes.length), entry.position(), entry.length(), location);
        model.put(entry.key(), entry);
    }

    void remove(String removed) {
        byte[] bytes = new Entry(removed, 0, 0).keyBytes();
        index.remove(key.set(bytes, 0, bytes.length), location);
        model.remove(removed);
    }

    /** Some puts of new and old keys, and some removes of neighbours. */
    void change(Random random, int count) {
        CheckpointEntries.random(random, count, 100).forEach(this::put);
        List<String> keys = new ArrayList<>(model.keySet());
        for (int i = random.nextInt(count + 1); i > 0; i--) {
            String some = keys.get(random.nextInt(keys.size()));
            put(new Entry(some, random.nextInt(1 << 20), random.nextInt(1000)));
        }
        int from = random.nextInt(keys.size());
        int removed = random.nextInt(3) == 0 ? keys.size() / 2 : random.nextInt(count + 1);
        keys.subList(from, Math.min(keys.size(), from + removed)).forEach(this::remove);
    }

    /** Writes a checkpoint; the first one has all nodes. */
    CheckpointHeader write(long position, Scope scope) throws IOException {
        return write(position, scope, CheckpointEntries.NO_SEGMENTS);
    }

    CheckpointHeader write(long position, Scope scope, SegmentBytes live) throws IOException {
        CheckpointHeader before = scope == Scope.ALL ? null : newest;
        CheckpointHeader header = new CheckpointHeader(
                CheckpointEntries.LOG_ID,
                position,
                position / 10,
                CheckpointEntries.SALT + position,
                CheckpointEntries.CREATED_AT_MS,
                before == null ? CheckpointHeader.NONE : before.position(),
                before == null ? 0 : before.salt());
        try (IndexImage image = index.image(before == null ? Scope.ALL : scope);
                CheckpointWriter writer = CheckpointWriter.create(storage, header, bytes -> {})) {
            writer.add(image);
            writer.finish(image, live);
            image.confirm();
        }
        newest = header;
        written.put(position, List.copyOf(model.values()));
        return header;
    }

    /** The checkpoint that was written last does not count: the directory could not be synced behind it. */
    void forgetNewest(CheckpointHeader before) {
        newest = before;
    }

    /** Takes an image that no file gets. */
    void giveUp() {
        try (IndexImage image = index.image(Scope.CHANGED)) {
            image.giveUp();
        }
    }

    /** What the checkpoint at {@code position} has. */
    List<Entry> written(long position) {
        return written.get(position);
    }

    int changedNodes() {
        return index.changedNodes();
    }

    @Override
    public void close() {
        index.close();
    }
}
