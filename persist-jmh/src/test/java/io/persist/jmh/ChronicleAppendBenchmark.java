package io.persist.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.wire.DocumentContext;
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

/**
 * The same as {@link AppendBenchmark} by Chronicle Queue: as many bytes into each fresh queue. It has no way to be
 * filled ahead: its file is sparse, and its page faults are in the figures, as they are for its users.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
public class ChronicleAppendBenchmark extends ChronicleBenchmark {

    private static final int BATCH = AppendBenchmark.BATCH;

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    private byte[] message;
    private Bytes<byte[]> messageBytes;
    private ScratchDirectory directory;
    private ChronicleQueue queue;
    private ExcerptAppender appender;
    private long length;

    @Setup(Level.Trial)
    public void open() throws IOException {
        message = Payloads.random(payload);
        messageBytes = Bytes.wrapForRead(message);
        openFresh();
    }

    private void openFresh() throws IOException {
        directory = ScratchDirectory.create(2 * LogBenchmark.LOG_LENGTH);
        queue = open(directory);
        appender = queue.createAppender();
        length = 0;
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        length += (long) BATCH * payload;
        if (length > LogBenchmark.LOG_LENGTH) {
            close();
            openFresh();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long writeBytes() {
        for (int i = 0; i < BATCH; i++) {
            appender.writeBytes(messageBytes);
        }
        return appender.lastIndexAppended();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long writingDocument() {
        for (int i = 0; i < BATCH; i++) {
            try (DocumentContext document = appender.writingDocument()) {
                document.wire().bytes().write(message, 0, message.length);
            }
        }
        return appender.lastIndexAppended();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        appender.close();
        queue.close();
        directory.close();
    }
}
