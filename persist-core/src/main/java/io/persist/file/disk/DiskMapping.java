package io.persist.file.disk;

import io.persist.file.Mapping;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A mapping of a real file. */
final class DiskMapping implements Mapping {

    /**
     * How many mappings this process may have. Linux gives it so many and no more, and a JVM that gets none for a stack
     * or its heap ends at once. So a quarter of them is left to it.
     *
     * <p><b>Threads:</b> any.
     */
    static final class Allowance {

        private static final Path LIMIT = Path.of("/proc/sys/vm/max_map_count");
        private static final Path MAPPINGS = Path.of("/proc/self/maps");

        private final long limit;
        private final long most;
        private final LongSupplier all;

        /** Without what the JVM has mapped, and with what the garbage collector has unmapped, until all are counted. */
        private final AtomicLong taken = new AtomicLong();

        /** Of a process that gets {@code limit} mappings; {@code all} counts those that it has, and takes long. */
        Allowance(long limit, LongSupplier all) {
            this.limit = limit;
            this.most = limit - limit / 4;
            this.all = all;
        }

        static Allowance ofProcess() {
            try (BufferedReader file = Files.newBufferedReader(LIMIT)) { // at once: this file gives out no more later
                return new Allowance(Long.parseLong(file.readLine()), Allowance::counted);
            } catch (IOException | NumberFormatException unknown) {
                return new Allowance(Long.MAX_VALUE, () -> 0); // another system
            }
        }

        /** One mapping is a line; 0 if it cannot be read. */
        static long counted() {
            try (Stream<String> lines = Files.lines(MAPPINGS, StandardCharsets.ISO_8859_1)) {
                return lines.count();
            } catch (IOException | UncheckedIOException unknown) {
                return 0;
            }
        }

        /** Takes one. */
        void take() throws IOException {
            if (taken.incrementAndGet() <= most) {
                return;
            }
            long counted = all.getAsLong();
            if (counted > 0) { // else it is not known, and what was counted before is the best guess
                taken.set(counted + 1);
            }
            if (taken.get() > most) {
                giveBack();
                throw new IOException("too many mappings: this process has " + taken.get() + " of the " + limit
                        + " that the system gives it (vm.max_map_count), and the JVM needs some; raise that, or take"
                        + " longer segments");
            }
        }

        /** Mappings that the process gets. */
        long limit() {
            return limit;
        }

        void giveBack() {
            taken.decrementAndGet();
        }
    }

    private static final Allowance OF_PROCESS = Allowance.ofProcess();

    private final Unmapper.Mapped mapped;
    private final Allowance allowance;
    private final ByteBuffer buffer;
    private final AtomicBoolean closed = new AtomicBoolean();

    DiskMapping(Unmapper.Mapped mapped, Allowance allowance) {
        this.mapped = mapped;
        this.allowance = allowance;
        this.buffer = mapped.buffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Maps {@code length} bytes of a file from its first one on. */
    static DiskMapping of(FileChannel channel, MapMode mode, int length) throws IOException {
        return of(channel, mode, length, OF_PROCESS);
    }

    static DiskMapping of(FileChannel channel, MapMode mode, int length, Allowance allowance) throws IOException {
        DiskMapping mapping = null;
        allowance.take();
        try {
            mapping = new DiskMapping(Unmapper.INSTANCE.map(channel, mode, length), allowance);
            return mapping;
        } finally {
            if (mapping == null) {
                allowance.giveBack();
            }
        }
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void force(int offset, int length) throws IOException {
        try {
            mapped.buffer().force(offset, length);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            mapped.unmap().run();
            allowance.giveBack();
        }
    }
}
