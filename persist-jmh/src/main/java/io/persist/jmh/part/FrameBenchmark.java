package io.persist.jmh.part;

import io.persist.format.Frame;
import io.persist.format.FrameScanner;
import io.persist.format.FrameVerdict;
import io.persist.format.FrameWriter;
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

/**
 * A frame in memory that is in the cache, without a log around it: all that an append stores, and all that a reader
 * checks. What an append costs beyond {@code write} are the positions, the segments and the memory.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(3)
public class FrameBenchmark {

    private static final int LENGTH = 64 << 10;
    private static final long SALT = 0x1234_5678_9ABC_DEF0L;
    private static final long BASE_POSITION = 1L << 32;

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    /** A mapped segment is direct, a write buffer is not. */
    @Param({"true", "false"})
    public boolean direct;

    private static final long STATE = Frame.stateWord(0, Frame.TYPE_RECORD, (byte) 0);

    private byte[] message;
    private int frameLength;
    private int alignedLength;
    private ByteBuffer segment;
    private FrameWriter frames;
    private FrameScanner scanner;
    private long sequence;
    private int next;

    @Setup(Level.Trial)
    public void fill() {
        message = Payloads.random(payload);
        frameLength = Frame.HEADER_LENGTH + payload;
        alignedLength = Frame.aligned(frameLength);
        segment = (direct ? ByteBuffer.allocateDirect(LENGTH) : ByteBuffer.allocate(LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN);
        frames = new FrameWriter(segment);
        frames.moveTo(segment, SALT, BASE_POSITION);
        scanner = new FrameScanner(segment, SALT, BASE_POSITION);
        do {
            write();
        } while (next != 0);
    }

    /** Header, payload, padding, checksum, and the length that publishes it. */
    @Benchmark
    public int write() {
        int at = next();
        frames.put(at, ++sequence, STATE, message, 0, payload);
        frames.publish(at, frameLength);
        return at;
    }

    /** That there is a whole frame, with the right checksum. */
    @Benchmark
    public FrameVerdict verify() {
        FrameVerdict verdict = scanner.verdict(next());
        if (verdict != FrameVerdict.VALID) {
            throw new IllegalStateException("a frame is not valid: " + verdict);
        }
        return verdict;
    }

    /** Where the next frame is; after the last one that leaves room for the seal, the first. */
    private int next() {
        int at = next;
        next = at + 2 * alignedLength > LENGTH - Frame.SEAL_LENGTH ? 0 : at + alignedLength;
        return at;
    }
}
