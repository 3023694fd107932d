package io.persist.shard.bench.loop;

import io.persist.shard.Batch;
import io.persist.shard.BatchBuilder;
import io.persist.shard.Shard;
import io.persist.shard.ShardWriter;
import io.persist.shard.model.AppendResult;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes all batches. Three threads, each of which runs one method: what is due is handed to one that builds it in the
 * blob, and from there to one that appends it. The queues are short, so that one that is late holds the others up.
 */
final class LoopWriter implements AutoCloseable {

    private static final int TO_BUILD = 2;
    private static final int TO_APPEND = 10;

    /** A batch and its number. */
    private record Built(int number, Batch batch) {}

    private final int index;
    private final Schedule schedule;
    private final boolean isAlone;

    /** A writer has one thread at a time. */
    private final ShardWriter<byte[], byte[]> builder;

    private final ShardWriter<byte[], byte[]> appender;
    private final Pipe<Integer> toBuild;
    private final Pipe<Built> toAppend;
    private final int first;
    private final AtomicInteger appended;
    private final AtomicLong writtenNs = new AtomicLong();
    private final Latency handOver = new Latency();
    private final Latency durable = new Latency();

    /** {@code isAlone} if nobody else writes the same data: then no batch is in vain. */
    LoopWriter(int index, Shard<byte[], byte[]> shard, Schedule schedule, boolean isAlone) {
        this.index = index;
        this.schedule = schedule;
        this.isAlone = isAlone;
        this.first = schedule.data().batchOf(schedule.there());
        this.appended = new AtomicInteger(first);
        this.toBuild = new Pipe<>(TO_BUILD, schedule::isOver);
        this.toAppend = new Pipe<>(TO_APPEND, schedule::isOver);
        this.builder = shard.writer();
        this.appender = shard.writer();
    }

    int index() {
        return index;
    }

    /** How long it took to hand a batch on: what the source calls write latency. */
    Latency handOver() {
        return handOver;
    }

    /** From when a batch was due until it was durable. */
    Latency durable() {
        return durable;
    }

    /** Records that are in the shard, also those that were there before. */
    long records() {
        return Math.max(schedule.there(), schedule.data().lower(appended.get()));
    }

    /** When the last of these was durable, ns since the start. */
    long writtenNs() {
        return writtenNs.get();
    }

    /** Batches that are due and not in the shard. */
    int behind() {
        return Math.max(0, schedule.due() - appended.get());
    }

    /** One thread: hands each batch that is not there yet on when it is due. */
    void feed() throws InterruptedException {
        schedule.awaitStart();
        for (int batch = first; batch < schedule.data().batches() && schedule.awaitDue(batch); batch++) {
            long startNs = System.nanoTime();
            if (toBuild.put(batch)) {
                handOver.took(System.nanoTime() - startNs);
            }
        }
    }

    /** One thread: builds. */
    void build() throws InterruptedException {
        for (int i = first; i < schedule.data().batches(); i++) {
            Integer number = toBuild.take();
            if (number == null || !toAppend.put(new Built(number, build(number)))) {
                return; // what is built and not appended is swept when this writer is gone
            }
        }
    }

    private Batch build(int number) {
        BatchBuilder<byte[], byte[]> building =
                builder.batch(Frontier.at(schedule.data().lower(number)));
        for (Update<byte[], byte[]> update : schedule.data().batch(number)) {
            building.add(update);
        }
        return building.finish(Frontier.at(schedule.data().lower(number + 1)));
    }

    /** One thread: appends. */
    void append() throws InterruptedException {
        for (int i = first; i < schedule.data().batches(); i++) {
            Built built = toAppend.take();
            if (built == null) {
                return;
            }
            AppendResult result = appender.appendBatch(built.batch());
            if (!result.isAppended()) {
                throw new IllegalStateException("the shard has upper=" + result.upper() + " before the batch of "
                        + built.batch().lower() + ": somebody else has ended it, or it is another one");
            }
            writtenNs.set(schedule.elapsedNs());
            durable.took(schedule.lateNs(built.number()));
            appended.incrementAndGet();
            if (!isAlone) {
                built.batch().delete(); // nothing happens to what has become part of the shard
            }
        }
    }

    @Override
    public void close() {
        builder.close();
        appender.close();
    }
}
