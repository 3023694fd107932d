package io.persist.shard;

import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.RowMerge;
import io.persist.shard.batch.Rows;
import io.persist.shard.batch.RunReader;
import io.persist.shard.batch.RunWriter;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects updates for a {@link Batch}. What does not fit one object is written while it is built.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class BatchBuilder<K, V> {

    private final OpenShard open;
    private final String owner;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final Frontier lower;
    private final List<List<BatchPart>> runs = new ArrayList<>();
    private final List<Row> pending = new ArrayList<>();
    private long pendingBytes;
    private long greatestTime = -1;

    /** The last row of the last run: what comes in order behind it is a part of the same run. */
    private @Nullable Row last;

    private boolean isFinished;

    BatchBuilder(OpenShard open, String owner, Codec<K> keys, Codec<V> values, Frontier lower) {
        this.open = open;
        this.owner = owner;
        this.keys = keys;
        this.values = values;
        this.lower = lower;
    }

    /** The same as {@link #add(Object, Object, long, long)}. */
    public BatchBuilder<K, V> add(Update<K, V> update) {
        return add(update.key(), update.value(), update.time(), update.diff());
    }

    /**
     * Adds an update.
     *
     * @param time not below the batch's lower
     * @throws IllegalArgumentException if the time is below it; nothing was added
     * @throws io.persist.shard.error.LocationException if an object could not be written
     */
    public BatchBuilder<K, V> add(K key, V value, long time, long diff) {
        checkOpen();
        if (time < 0 || lower.isBehind(time)) {
            throw new IllegalArgumentException("time=" + time + " is below lower=" + lower);
        }
        Row row = new Row(keys.encode(key), values.encode(value), time, diff);
        pending.add(row);
        pendingBytes += row.bytes();
        greatestTime = Math.max(greatestTime, time);
        if (pendingBytes >= open.config().partBytes()) {
            writePending(0);
        }
        return this;
    }

    private void checkOpen() {
        if (isFinished) {
            throw new IllegalStateException("the batch is finished");
        }
    }

    /**
     * Ends the batch.
     *
     * @param upper behind all times that were added
     * @throws IllegalArgumentException if there are times at or behind it, or it is below lower
     * @throws io.persist.shard.error.LocationException if an object could not be written
     */
    public Batch finish(Frontier upper) {
        checkOpen();
        if (upper.isBelow(lower)) {
            throw new IllegalArgumentException("upper=" + upper + " is below lower=" + lower);
        }
        if (greatestTime >= 0 && !upper.isBehind(greatestTime)) {
            throw new IllegalArgumentException("time=" + greatestTime + " is not below upper=" + upper);
        }
        writePending(runs.isEmpty() ? inlineBytes() : 0);
        while (runs.size() > open.config().mergedRuns()) {
            mergeRuns(open.config().mergedRuns());
        }
        isFinished = true;
        return new Batch(open, owner, new BatchState(lower, upper, Frontier.MINIMUM, runs));
    }

    /** How long a part may be that goes into the state. */
    private int inlineBytes() {
        long left = open.config().inlineTotalBytes() - open.machine().known().inlineBytes();
        return (int) Math.max(0, Math.min(left, open.config().inlineBatchBytes()));
    }

    private void writePending(int inlineBytes) {
        List<Row> sorted = Rows.summed(pending);
        pending.clear();
        pendingBytes = 0;
        List<BatchPart> run = writer(inlineBytes).write(Rows.of(sorted));
        if (run.isEmpty()) {
            return;
        }
        Row before = last;
        if (before != null && Row.ORDER.compare(before, sorted.get(0)) < 0) {
            List<BatchPart> longer = new ArrayList<>(runs.remove(runs.size() - 1));
            longer.addAll(run);
            runs.add(longer);
        } else {
            runs.add(run);
        }
        last = sorted.get(sorted.size() - 1);
    }

    private RunWriter writer(int inlineBytes) {
        return new RunWriter(open.store(), owner, open.config().partBytes(), inlineBytes);
    }

    /** A batch of very many objects is merged here already, so that readers need not open all of them at once. */
    private void mergeRuns(int count) {
        ShardConfig config = open.config();
        PartStore store = open.store();
        List<List<BatchPart>> merged = new ArrayList<>(runs.subList(0, Math.min(count, runs.size())));
        BatchState inputs = new BatchState(lower, Frontier.EMPTY, Frontier.MINIMUM, merged);
        List<BatchPart> run = new RunWriter(store, owner, config.partBytes(), 0)
                .write(new RowMerge(RunReader.of(store, inputs, time -> true), 0));
        runs.subList(0, merged.size()).clear();
        if (!run.isEmpty()) {
            runs.add(run);
        }
        store.deleteAll(inputs.objects());
    }

    /** Gives it up, and deletes what was written. */
    public void abandon() {
        isFinished = true;
        open.store().deleteAll(new BatchState(lower, Frontier.EMPTY, Frontier.MINIMUM, runs).objects());
        runs.clear();
        pending.clear();
    }
}
