package io.persist.jmh.append;

import io.persist.MessageLogger;
import io.persist.chronicle.ChronicleCodec;
import io.persist.codec.Encoder;
import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.log.LogConfig;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.WriteBytesMarshallable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An append of an array beside that of the same bytes by an encoder, and by an object of chronicle-bytes: what the way
 * through a codec costs. In a closed loop, without a sync.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class CodecBenchmark extends LogBenchmark {

    private static final int BATCH = 4096;
    private static final int MAX_FRAME_OVERHEAD = 64;

    private static final Encoder<byte[]> ENCODER = (message, output) -> output.write(message);

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    private byte[] message;
    private WriteBytesMarshallable object;
    private ChronicleCodec chronicle;
    private MessageLogger logger;

    @Override
    protected void open(LogConfig.Builder config) {
        message = Payloads.random(payload);
        object = bytes -> bytes.write(message);
        chronicle = new ChronicleCodec();
        logger = MessageLogger.open(config.build());
    }

    @Override
    protected long position() {
        return logger.position();
    }

    @Override
    protected long invocationLength() {
        return (long) BATCH * (payload + MAX_FRAME_OVERHEAD);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long array() {
        for (int i = 0; i < BATCH; i++) {
            logger.append(message);
        }
        return logger.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long encoder() {
        for (int i = 0; i < BATCH; i++) {
            logger.append(message, ENCODER);
        }
        return logger.position();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long object() {
        for (int i = 0; i < BATCH; i++) {
            logger.append(object, chronicle);
        }
        return logger.position();
    }

    @Override
    protected void close() {
        logger.close();
    }
}
