package io.persist.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
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

/** The same as {@link ProducersBenchmark} by Chronicle Queue, whose appenders agree among themselves by a lock. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
public class ChronicleProducersBenchmark extends ChronicleBenchmark {

    private static final int BATCH = ProducersBenchmark.BATCH;

    @Param({"1", "2", "4"})
    public int producers;

    @Param("256")
    public int payload;

    private byte[] message;
    private Producers threads;
    private ScratchDirectory directory;
    private ChronicleQueue queue;
    private ExcerptAppender[] appenders;
    private long length;

    @Setup(Level.Trial)
    public void start() throws IOException {
        message = Payloads.random(payload);
        threads = new Producers(producers);
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = ScratchDirectory.create(2 * LogBenchmark.LOG_LENGTH);
        queue = open(directory);
        appenders = new ExcerptAppender[producers];
        threads.run(producer -> appenders[producer] = queue.createAppender());
        length = 0;
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        length += (long) BATCH * payload;
        if (length > LogBenchmark.LOG_LENGTH) {
            closeQueue();
            openFresh();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long chronicle() {
        int each = BATCH / producers;
        threads.run(producer -> {
            ExcerptAppender appender = appenders[producer];
            Bytes<byte[]> bytes = Bytes.wrapForRead(message);
            for (int i = 0; i < each; i++) {
                appender.writeBytes(bytes);
            }
        });
        return queue.lastIndex();
    }

    private void closeQueue() throws IOException {
        threads.run(producer -> appenders[producer].close());
        queue.close();
        directory.close();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        closeQueue();
        threads.close();
    }
}
