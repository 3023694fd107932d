package io.persist.shard.bench.loop;

import io.persist.bench.result.RunResult;
import io.persist.shard.Shard;
import io.persist.shard.bench.place.LatencyLogs;
import io.persist.shard.bench.place.Place;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Writers and readers of one shard, from the start until all is written and read. */
final class OpenLoop implements AutoCloseable {

    private static final int DIGITS = 3;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** When all is due, for others who write. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final String HANDED_OVER = "handed over";
    private static final String DURABLE = "durable";
    private static final String READ = "read";

    private final Schedule schedule;
    private final List<LoopWriter> writers = new ArrayList<>();
    private final List<LoopReader> readers = new ArrayList<>();
    private final List<RunResult.Interval> intervals = new ArrayList<>();
    private final List<RunResult.Level> levels = new ArrayList<>();
    private final Bounds bounds = new Bounds();
    private final Place place;
    private final long[] writtenBefore;
    private final long[] readBefore;
    private final CpuTimes cpu = new CpuTimes();
    private final LoopThreads threads = new LoopThreads(cpu::threadEnds);
    private long toldNs;
    private long doneBefore;

    /** {@code isAlone} if no other process writes the shard. */
    OpenLoop(Place place, Shard<byte[], byte[]> shard, Schedule schedule, int writers, int readers, boolean isAlone) {
        this.place = place;
        this.schedule = schedule;
        this.writtenBefore = new long[writers];
        this.readBefore = new long[readers];
        Arrays.fill(writtenBefore, schedule.there());
        try {
            for (int i = 0; i < readers; i++) { // first, so that they find the beginning
                this.readers.add(new LoopReader(i, shard, schedule, writers == 0 ? PATIENCE_NS : LoopReader.FOR_EVER));
                readBefore[i] = this.readers.get(i).first();
            }
            for (int i = 0; i < writers; i++) {
                this.writers.add(new LoopWriter(i, shard, schedule, isAlone && writers == 1));
            }
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    List<LoopWriter> writers() {
        return writers;
    }

    List<LoopReader> readers() {
        return readers;
    }

    List<RunResult.Interval> intervals() {
        return intervals;
    }

    List<RunResult.Level> levels() {
        return levels;
    }

    /** From the start to the end. */
    CpuTimes cpu() {
        return cpu;
    }

    Bounds bounds() {
        return bounds;
    }

    /** How far it is: as the fastest writer; if nobody writes, as the slowest reader. All writers write the same. */
    long records() {
        return writers.isEmpty()
                ? readers.stream().mapToLong(LoopReader::records).min().orElse(0)
                : writers.stream().mapToLong(LoopWriter::records).max().orElse(0);
    }

    /** How far it was at the beginning. */
    long begin() {
        return writers.isEmpty() ? readers.get(0).first() : schedule.there();
    }

    /** How many records this run has written, or read if nobody writes. */
    long done() {
        return records() - begin();
    }

    /** Whether each reader was given everything. */
    boolean isAllRead() {
        return !readers.isEmpty()
                && readers.stream()
                        .allMatch(reader -> reader.records() >= schedule.data().records());
    }

    /**
     * Runs; returns when all is written and read, one has failed, or the user wants the end.
     *
     * @param logs of latencies, interval after interval; null if nobody reads them
     */
    void run(long granularityNs, PrintStream out, @Nullable LatencyLogs logs, BooleanSupplier isStopped)
            throws IOException, InterruptedException {
        cpu.begin();
        try {
            writers.forEach(writer -> {
                threads.begin("feeder " + writer.index(), writer::feed);
                threads.begin("builder " + writer.index(), writer::build);
                threads.begin("appender " + writer.index(), writer::append);
            });
            readers.forEach(reader -> threads.begin("reader " + reader.index(), reader::read));
            schedule.start();
            while (!threads.awaitEnd(LOOK_NS) && !isStopped.getAsBoolean()) {
                if (schedule.elapsedNs() - toldNs >= granularityNs) {
                    tell(out, logs);
                }
            }
        } finally { // nobody uses the shard behind it
            schedule.end();
            threads.join();
        }
        cpu.end();
        tell(out, logs);
        Throwable failed = threads.failure();
        if (failed instanceof IllegalStateException found) { // what a reader was given, or a writer was told
            throw new IOException(found.getMessage(), found);
        }
        if (failed instanceof Error fatal) {
            throw fatal; // a full heap is said in one line
        }
        if (failed != null) {
            throw failed instanceof RuntimeException known ? known : new IllegalStateException(failed);
        }
    }

    private void tell(PrintStream out, @Nullable LatencyLogs logs) throws IOException {
        long nowNs = schedule.elapsedNs();
        long tookNs = nowNs - toldNs;
        toldNs = nowNs;
        Map<String, Double> level = new LinkedHashMap<>();
        long count = done() - doneBefore;
        doneBefore += count;
        double lagS = -1;
        for (LoopWriter writer : writers) {
            long records = writer.records();
            long more = records - writtenBefore[writer.index()];
            writtenBefore[writer.index()] = records;
            out.println(LoopLines.writer(writer, more, tookNs, schedule));
            level.put("writer " + writer.index() + " batches behind", (double) writer.behind());
        }
        for (LoopReader reader : readers) {
            long records = reader.records();
            long more = records - readBefore[reader.index()];
            readBefore[reader.index()] = records;
            out.println(LoopLines.reader(reader, more, tookNs, schedule));
            level.put("reader " + reader.index() + " lag records", (double) reader.lag());
            lagS = Math.max(lagS, schedule.seconds(reader.takeMaxLag()));
        }
        Bounds.Sample sample =
                new Bounds.Sample(lagS, place.traffic().blobBytes(), place.fileBytes(), Bounds.residentBytes());
        bounds.add(sample);
        out.println(LoopLines.place(sample, schedule));
        level.putAll(sample.levels());
        level.put("records MiB/s", count * schedule.data().recordBytes() * 1e9 / Math.max(1, tookNs) / (1 << 20));
        intervals.add(new RunResult.Interval(nowNs, count, Map.of()));
        levels.add(new RunResult.Level(nowNs, level));
        if (logs != null) {
            log(nowNs - tookNs, nowNs, logs);
        }
    }

    private void log(long fromNs, long toNs, LatencyLogs logs) throws IOException {
        Histogram handOver = interval(fromNs, toNs);
        Histogram durable = interval(fromNs, toNs);
        Histogram read = interval(fromNs, toNs);
        writers.forEach(writer -> {
            writer.handOver().drainTo(handOver);
            writer.durable().drainTo(durable);
        });
        readers.forEach(reader -> reader.latency().drainTo(read));
        logs.add(HANDED_OVER, handOver);
        logs.add(DURABLE, durable);
        logs.add(READ, read);
    }

    private static Histogram interval(long fromNs, long toNs) {
        Histogram interval = new Histogram(DIGITS);
        interval.setStartTimeStamp(TimeUnit.NANOSECONDS.toMillis(fromNs));
        interval.setEndTimeStamp(TimeUnit.NANOSECONDS.toMillis(toNs) + 1);
        return interval;
    }

    /** Of all writers and readers together. */
    Map<String, Histogram> latencies() {
        Map<String, Histogram> latencies = new LinkedHashMap<>();
        Histogram handOver = new Histogram(DIGITS);
        Histogram durable = new Histogram(DIGITS);
        Histogram read = new Histogram(DIGITS);
        writers.forEach(writer -> {
            handOver.add(writer.handOver().copy());
            durable.add(writer.durable().copy());
        });
        readers.forEach(reader -> read.add(reader.latency().copy()));
        latencies.put(HANDED_OVER, handOver);
        latencies.put(DURABLE, durable);
        latencies.put(READ, read);
        return latencies;
    }

    /** Gives the leases up. */
    @Override
    public void close() {
        writers.forEach(LoopWriter::close);
        readers.forEach(LoopReader::close);
    }
}
