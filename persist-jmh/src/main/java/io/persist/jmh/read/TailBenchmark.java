package io.persist.jmh.read;

import io.persist.MessageLogger;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RecordHandler;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reading a closed log of {@link #RECORDS} records that is in the page cache, from its start over and over. Every
 * checksum is verified, and every payload copied out, so that whoever checks nothing has to read it too. The opening
 * and mapping of the segments is in the figures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class TailBenchmark {

    static final int BATCH = 4096;

    /** A multiple of the batch, so that polls end where the log does: about 280 MiB with 256 bytes of payload. */
    static final int RECORDS = 1 << 20;

    private static final int READ_BUFFER_LENGTH = 64 << 10;
    private static final int MAX_FRAME_OVERHEAD = 64;

    @Param("256")
    public int payload;

    @Param({"MAPPED", "FILE"})
    public ReadMode readMode;

    private ScratchDirectory directory;
    private Tailer tailer;
    private byte[] target;
    private RecordHandler handler;
    private SplittableRandom random;

    @Setup(Level.Trial)
    public void open() throws IOException {
        directory = directoryFor(payload);
        LogConfig config = LogConfig.builder(directory.path()).build();
        TailerConfig reading = TailerConfig.builder()
                .readMode(readMode)
                .readBufferLength(READ_BUFFER_LENGTH)
                .build();
        byte[] message = Payloads.random(payload);
        try (MessageLogger logger = MessageLogger.open(config)) {
            for (int i = 0; i < RECORDS; i++) {
                logger.append(message, 0, message.length);
            }
        }
        tailer = Tailer.open(directory.path(), reading);
        target = message;
        handler = (position, sequence, record) -> take(record);
        random = new SplittableRandom(42);
    }

    /** A directory with the space for {@link #RECORDS} records and what is filled behind them. */
    static ScratchDirectory directoryFor(int payload) throws IOException {
        return ScratchDirectory.create(
                (long) RECORDS * (payload + MAX_FRAME_OVERHEAD) + 3L * LogConfig.DEFAULT_SEGMENT_LENGTH);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long next() {
        for (int i = 0; i < BATCH; i++) {
            if (!tailer.next()) {
                tailer.toStart();
                tailer.next();
            }
            take(tailer.payloadUntilNext());
        }
        return tailer.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long poll() {
        if (tailer.poll(handler, BATCH) == 0) {
            tailer.toStart();
            tailer.poll(handler, BATCH);
        }
        return tailer.position();
    }

    private void take(ByteBuffer record) {
        record.get(record.position(), target, 0, record.remaining());
    }

    /** A record by its number, anywhere in the log. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public long seek() {
        tailer.toSequence(1 + random.nextInt(RECORDS));
        tailer.next();
        return tailer.position();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        tailer.close();
        directory.close();
    }
}
