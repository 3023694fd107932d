package io.persist.jmh.append;

import io.persist.jmh.support.LogBenchmark;
import io.persist.jmh.support.Payloads;
import io.persist.jmh.support.ScratchDirectory;
import io.persist.jmh.support.ZeroedFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
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
 * The floor under {@link AppendBenchmark}: length and payload copied into as many mapped bytes, or gathered and written
 * to the file. Nothing else: no sequence, no positions, no segments. Every page of the mapping is touched before each
 * pass over it, so that there is no page fault but those that the kernel's writing back brings again.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(3)
public class BareCopyBenchmark {

    private static final int BATCH = AppendBenchmark.BATCH;
    private static final int LENGTH = (int) LogBenchmark.LOG_LENGTH;
    private static final int HEADER_LENGTH = 8;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    @Param({"64", "256", "1024", "4096"})
    public int payload;

    private final CRC32C crc = new CRC32C();
    private byte[] message;
    private int frameLength;
    private ScratchDirectory directory;
    private RandomAccessFile file;
    private ByteBuffer mapped;
    private ByteBuffer gathered;
    private int index;

    @Setup(Level.Trial)
    public void open() throws IOException {
        message = Payloads.random(payload);
        frameLength = HEADER_LENGTH + payload;
        directory = ScratchDirectory.create(LENGTH);
        Path path = ZeroedFile.create(directory.path(), "bare", LENGTH);
        file = new RandomAccessFile(path.toFile(), "rw");
        mapped = file.getChannel().map(MapMode.READ_WRITE, 0, LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        gathered = ByteBuffer.allocate(AppendBenchmark.WRITE_BUFFER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        startPass();
    }

    private void startPass() throws IOException {
        for (int page = 0; page < LENGTH; page += ZeroedFile.PAGE_LENGTH) {
            INT.setVolatile(mapped, page, 0);
        }
        file.seek(0);
        index = 0;
    }

    @Setup(Level.Invocation)
    public void makeRoom() throws IOException {
        if (index + (long) BATCH * frameLength > LENGTH) {
            startPass();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int copy() {
        int at = index;
        for (int i = 0; i < BATCH; i++) {
            mapped.put(at + HEADER_LENGTH, message, 0, message.length);
            INT.setRelease(mapped, at, message.length);
            at += frameLength;
        }
        index = at;
        return at;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int copyWithCrc32c() {
        int at = index;
        for (int i = 0; i < BATCH; i++) {
            crc.reset();
            crc.update(message, 0, message.length);
            INT.set(mapped, at + Integer.BYTES, (int) crc.getValue());
            mapped.put(at + HEADER_LENGTH, message, 0, message.length);
            INT.setRelease(mapped, at, message.length);
            at += frameLength;
        }
        index = at;
        return at;
    }

    /** The floor under {@code writeMode=FILE}. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int gatherAndWrite() throws IOException {
        ByteBuffer buffer = gathered;
        for (int i = 0; i < BATCH; i++) {
            if (buffer.remaining() < frameLength) {
                file.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            buffer.putLong(message.length).put(message, 0, message.length);
        }
        index += BATCH * frameLength;
        return index;
    }

    @TearDown(Level.Trial)
    public void close() throws IOException {
        file.close();
        directory.close();
    }
}
