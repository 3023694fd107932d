package io.persist.jmh.commit;

import io.persist.bench.host.DirectOption;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.jmh.support.ZeroedFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The floor under {@link SyncBenchmark}: the ways to have the bytes of one frame on the device. All go through a file
 * of written zeros again and again; frames lie side by side within blocks of 4 KiB, so that none needs two of them.
 * With {@code reader=MAPPED} another thread looks by a mapping at the place of the next frame all the time, as a tailer
 * does that has caught up: O_DIRECT takes the page away from it with each write.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(3)
public class BareSyncBenchmark {

    private static final int LENGTH = 64 << 20;
    private static final int BLOCK_LENGTH = 4096;

    /** As much as Persist adds to a payload. */
    private static final int HEADER_LENGTH = 24;

    /** Whether a thread reads while frames are written. */
    public enum Reader {
        NONE,
        MAPPED
    }

    @Param("256")
    public int payload;

    @Param
    public Reader reader;

    private byte[] frame;
    private ScratchDirectory directory;
    private RandomAccessFile plain;
    private RandomAccessFile writeThrough;
    private FileChannel direct;
    private ByteBuffer block;
    private MappedByteBuffer mapped;
    private volatile int offset;
    private volatile boolean isClosing;
    private Thread readingThread;

    @Setup(Level.Trial)
    public void open() throws IOException {
        frame = Payloads.random(HEADER_LENGTH + payload);
        if (frame.length > BLOCK_LENGTH) {
            throw new IllegalArgumentException("payload=" + payload + ", max=" + (BLOCK_LENGTH - HEADER_LENGTH));
        }
        directory = ScratchDirectory.create(LENGTH);
        Path path = ZeroedFile.create(directory.path(), "bare", LENGTH);
        plain = new RandomAccessFile(path.toFile(), "rw");
        writeThrough = new RandomAccessFile(path.toFile(), "rwd");
        mapped = plain.getChannel().map(MapMode.READ_WRITE, 0, LENGTH);
        direct = FileChannel.open(
                path,
                StandardOpenOption.WRITE,
                StandardOpenOption.DSYNC,
                DirectOption.find().orElseThrow(() -> new IllegalStateException(DirectOption.MISSING)));
        block = ByteBuffer.allocateDirect(2 * BLOCK_LENGTH).alignedSlice(BLOCK_LENGTH);
        block.limit(BLOCK_LENGTH);
        readingThread = new Thread(this::read, "bare-sync-reader");
        if (reader == Reader.MAPPED) {
            readingThread.start();
        }
    }

    private void read() {
        while (!isClosing) {
            if (mapped.get(offset) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Where the next frame goes. */
    private int place() {
        int next = offset + frame.length;
        if (next % BLOCK_LENGTH + frame.length > BLOCK_LENGTH) {
            next = (next / BLOCK_LENGTH + 1) * BLOCK_LENGTH;
        }
        offset = next >= LENGTH ? 0 : next;
        return offset;
    }

    /** O_DSYNC: what Persist does in {@code FILE} mode. */
    @Benchmark
    public void writeDsync() throws IOException {
        writeThrough.seek(place());
        writeThrough.write(frame);
    }

    @Benchmark
    public void writeThenFsync() throws IOException {
        plain.seek(place());
        plain.write(frame);
        plain.getFD().sync();
    }

    @Benchmark
    public void writeThenFdatasync() throws IOException {
        plain.seek(place());
        plain.write(frame);
        plain.getChannel().force(false);
    }

    /** O_DIRECT and O_DSYNC: the whole block, past the page cache. */
    @Benchmark
    public void writeDirectDsync() throws IOException {
        int at = place();
        block.put(at % BLOCK_LENGTH, frame);
        block.position(0);
        direct.write(block, at - at % BLOCK_LENGTH);
    }

    /** What Persist does in {@code MAPPED} mode. */
    @Benchmark
    public void storeThenForce() {
        int at = place();
        mapped.put(at, frame);
        mapped.force(at, frame.length);
    }

    @TearDown(Level.Trial)
    public void close() throws IOException, InterruptedException {
        isClosing = true;
        readingThread.join();
        direct.close();
        writeThrough.close();
        plain.close();
        directory.close();
    }
}
