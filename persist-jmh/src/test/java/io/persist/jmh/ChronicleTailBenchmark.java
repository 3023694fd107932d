package io.persist.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
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

/** The same as {@link TailBenchmark} by Chronicle Queue, which has no checksums to verify. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class ChronicleTailBenchmark extends ChronicleBenchmark {

    private static final int BATCH = TailBenchmark.BATCH;

    @Param("256")
    public int payload;

    private final Bytes<?> record = Bytes.allocateElasticDirect(4096);
    private byte[] target;
    private ScratchDirectory directory;
    private ChronicleQueue queue;
    private ExcerptTailer tailer;

    @Setup(Level.Trial)
    public void open() throws IOException {
        directory = TailBenchmark.directoryFor(payload);
        queue = open(directory);
        target = Payloads.random(payload);
        Bytes<byte[]> message = Bytes.wrapForRead(target);
        try (ExcerptAppender appender = queue.createAppender()) {
            for (int i = 0; i < TailBenchmark.RECORDS; i++) {
                appender.writeBytes(message);
            }
        }
        tailer = queue.createTailer();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long readingDocument() {
        for (int i = 0; i < BATCH; i++) {
            try (DocumentContext document = tailer.readingDocument()) {
                if (document.isPresent()) {
                    document.wire().bytes().read(target);
                    continue;
                }
            }
            tailer.toStart();
        }
        return tailer.index();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long readBytes() {
        for (int i = 0; i < BATCH; i++) {
            record.clear();
            if (!tailer.readBytes(record)) {
                tailer.toStart();
            }
        }
        return tailer.index();
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        tailer.close();
        queue.close();
        record.releaseLast();
        directory.close();
    }
}
