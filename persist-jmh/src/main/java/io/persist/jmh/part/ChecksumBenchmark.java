package io.persist.jmh.part;

import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.jmh.support.Payloads;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The checksum of one frame in memory that is in the cache: of a mapped segment, and of a write buffer. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(3)
public class ChecksumBenchmark {

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    /** One of the two: if both were, the checksum's call would not be of one kind, as it is in the library. */
    @Param({"true", "false"})
    public boolean direct;

    private int length;
    private long salt;
    private long position;
    private FrameChecksum checksum;

    @Setup(Level.Trial)
    public void fill() {
        length = Frame.HEADER_LENGTH + payload;
        salt = 0x1234_5678_9ABC_DEF0L;
        position = 64;
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        buffer.order(ByteOrder.LITTLE_ENDIAN).put(Frame.HEADER_LENGTH, Payloads.random(payload));
        checksum = new FrameChecksum(buffer);
    }

    @Benchmark
    public int checksum() {
        return checksum.of(0, length, salt, position);
    }
}
