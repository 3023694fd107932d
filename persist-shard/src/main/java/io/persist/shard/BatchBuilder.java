package io.persist.shard;

import io.persist.shard.batch.OpenRuns;
import io.persist.shard.batch.PartBuilder;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.RunWriter;
import io.persist.shard.batch.Writing;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.RunLimit;
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
    private final Unfinished unfinished;
    private final Codec<K> keys;
    private final Codec<V> values;
    private final Frontier lower;
    private final Writing writing = new Writing(Writing.What.BATCH);
    private final List<List<BatchPart>> runs = new ArrayList<>();

    /** The run that grows: what comes in order behind it is a part of it. */
    private RunWriter run;

    /** What was added since, in the order of the calls. */
    private PartBuilder pending;

    private long greatestTime = -1;
    private boolean isFinished;

    /** What an earlier call has failed with, when some rows may be lost, or may be in no state to go on with. */
    private @Nullable Throwable failure;

    /** Its objects are those of a {@link Batch}. */
    private boolean isHandedOut;

    BatchBuilder(OpenShard open, Unfinished unfinished, Codec<K> keys, Codec<V> values, Frontier lower) {
        this.open = open;
        this.unfinished = unfinished;
        this.keys = keys;
        this.values = values;
        this.lower = lower;
        this.run = newRun();
        this.pending = newPart();
    }

    private RunWriter newRun() {
        return new RunWriter(
                open.store(), writing, unfinished.writer(), open.config().partBytes());
    }

    private PartBuilder newPart() {
        return open.store().newPart(unfinished.writer(), open.config().partBytes());
    }

    /** The same as {@link #add(Object, Object, long, long)}. */
    public BatchBuilder<K, V> add(Update<K, V> update) {
        return add(update.key(), update.value(), update.time(), update.diff());
    }

    /**
     * Adds an update.
     *
     * @param time not below the batch's lower
     * @throws IllegalArgumentException if the time is below it, a codec refuses the key or the value, or they have more
     *     than 512 MiB together; nothing was added
     * @throws io.persist.shard.error.LocationException if an object of the batch could not be written: it has to be
     *     {@linkplain #abandon abandoned}
     * @throws IllegalStateException if an earlier call has failed by something else, as an {@link OutOfMemoryError}:
     *     it has to be abandoned, too
     */
    public BatchBuilder<K, V> add(K key, V value, long time, long diff) {
        checkOpen();
        if (time < 0 || lower.isBehind(time)) {
            throw new IllegalArgumentException("time=" + time + " is below lower=" + lower);
        }
        byte[] keyBytes = keys.encode(key);
        byte[] valueBytes = values.encode(value);
        Row.checkLength(keyBytes.length, valueBytes.length);
        try {
            addRow(keyBytes, valueBytes, time, diff);
        } catch (RuntimeException | Error failed) {
            failure = failed;
            throw failed;
        }
        return this;
    }

    private void addRow(byte[] key, byte[] value, long time, long diff) {
        pending.add(key, value, time, diff);
        greatestTime = Math.max(greatestTime, time);
        if (pending.isWhole()) {
            addPending();
            pending = newPart();
        }
    }

    private void checkOpen() {
        if (isFinished) {
            throw new IllegalStateException("the batch is finished");
        }
        if (failure != null) {
            writing.checkWell(); // what was not written is said at each call
            throw new IllegalStateException("the batch has lost updates: abandon it, and build it again", failure);
        }
    }

    /**
     * Ends the batch. Some of it may still be on its way into the blob: whatever appends it waits for that.
     *
     * @param upper behind all times that were added
     * @throws IllegalArgumentException if there are times at or behind it, or it is below lower; it can be called again
     * @throws io.persist.shard.error.LeaseExpiredException if the writer was silent for too long, and its objects are
     *     gone: it has to be {@linkplain #abandon abandoned}
     * @throws io.persist.shard.error.ShardException if an object could not be written, or read while many are merged:
     *     it has to be abandoned, too
     * @throws IllegalStateException if {@link #add} has failed by something else, as an {@link OutOfMemoryError}: it
     *     has to be abandoned, too
     */
    public Batch finish(Frontier upper) {
        checkOpen();
        if (upper.isBelow(lower)) {
            throw new IllegalArgumentException("upper=" + upper + " is below lower=" + lower);
        }
        if (greatestTime >= 0 && !upper.isBehind(greatestTime)) {
            throw new IllegalArgumentException("time=" + greatestTime + " is not below upper=" + upper);
        }
        isFinished = true; // whatever fails from here on: twice would add what is pending twice
        addPending();
        endRun(runs.isEmpty() ? inlineBytes() : 0);
        RunLimit limit = open.limit();
        while (runs.size() > 1 && limit.countOfAll(runs) > limit.runs()) {
            try {
                mergeRuns(limit.first(runs));
            } catch (DamagedShardException damaged) {
                String writer = unfinished.writer();
                throw open.explained(
                        damaged, "writer " + writer, state -> state.writers().containsKey(writer));
            }
        }
        isHandedOut = true;
        BatchState batch = new BatchState(lower, upper, Frontier.MINIMUM, runs);
        if (batch.objects().isEmpty()) {
            unfinished.remove(writing);
        }
        return new Batch(open, batch, writing, unfinished);
    }

    /** How long a part may be that goes into the state. */
    private int inlineBytes() {
        long left = open.config().inlineTotalBytes() - open.machine().known().inlineBytes();
        return (int) Math.max(0, Math.min(left, open.config().inlineBatchBytes()));
    }

    private void addPending() {
        unfinished.add(writing);
        PartBuilder sorted = pending.sorted();
        if (!run.isFollowedBy(sorted)) {
            endRun(0);
            run = newRun();
        }
        run.add(sorted);
    }

    private void endRun(int inlineBytes) {
        List<BatchPart> parts = run.finish(inlineBytes);
        if (!parts.isEmpty()) {
            runs.add(parts);
        }
    }

    /** A batch of very many objects is merged here already, so that readers need not open all of them at once. */
    private void mergeRuns(int count) {
        PartStore store = open.store();
        List<List<BatchPart>> merged = new ArrayList<>(runs.subList(0, count));
        BatchState inputs = new BatchState(lower, Frontier.EMPTY, Frontier.MINIMUM, merged);
        writing.await();
        run = newRun(); // where abandon finds its objects if something fails
        try (OpenRuns merging = new OpenRuns(store, List.of(inputs), time -> true, PartStore.Check.AT_THE_END)) {
            run.add(merging.merged(0));
        }
        List<BatchPart> parts = run.finish(0);
        writing.await();
        store.deleteAll(inputs.objects());
        runs.subList(0, merged.size()).clear();
        if (!parts.isEmpty()) {
            runs.add(parts);
        }
    }

    /**
     * Gives it up, and deletes what was written.
     *
     * @throws IllegalStateException if it has become a batch: that one can be {@linkplain Batch#delete deleted}
     * @throws io.persist.shard.error.LocationException if the objects could not be deleted; it can be called again
     */
    public void abandon() {
        if (isHandedOut) {
            throw new IllegalStateException("the batch is finished: delete that in place of abandoning its builder");
        }
        isFinished = true;
        writing.settle();
        List<String> objects = new ArrayList<>(run.objects());
        objects.addAll(new BatchState(lower, Frontier.EMPTY, Frontier.MINIMUM, runs).objects());
        open.store().deleteAll(objects);
        unfinished.remove(writing);
        runs.clear();
    }
}
