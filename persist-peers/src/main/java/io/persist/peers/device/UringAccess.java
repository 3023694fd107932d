package io.persist.peers.device;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DirectFiles;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.system.linux.liburing.IOURing;
import org.lwjgl.system.linux.liburing.IOURingCQE;
import org.lwjgl.system.linux.liburing.IOURingSQE;
import org.lwjgl.system.linux.liburing.LibIOURing;
import org.lwjgl.system.linux.liburing.LibURing;

/**
 * A ring of io_uring. A synced write is linked to an {@code fdatasync}, which begins when it has ended; the operation
 * ends with that, so that whole pairs are counted. What begins is handed to the kernel when somebody waits, all at
 * once.
 */
final class UringAccess implements Access {

    private static final int EINTR = 4;

    /** Marks the completion of a write that has its sync still to come. */
    private static final long FIRST_OF_TWO = 1L << 32;

    private final IOURing ring = IOURing.calloc();
    private final PointerBuffer completion = PointerBuffer.allocateDirect(1);
    private final int descriptor;
    private final boolean writes;
    private final ByteBuffer[] blocks;
    private final @Nullable Request[] begun;

    private UringAccess(AccessSpec spec, int descriptor) {
        this.descriptor = descriptor;
        this.writes = spec.writes();
        this.begun = new Request[spec.depth()];
        this.blocks = IntStream.range(0, spec.depth())
                .mapToObj(slot -> Noise.aligned(spec.seed() + slot, spec.block()))
                .toArray(ByteBuffer[]::new);
    }

    static Optional<String> missing() {
        try {
            IOURing ring = IOURing.calloc();
            try {
                int failed = LibURing.io_uring_queue_init(2, ring, 0);
                if (failed < 0) {
                    return Optional.of(whyNoRing(-failed));
                }
                LibURing.io_uring_queue_exit(ring);
                return Optional.empty();
            } finally {
                ring.free();
            }
        } catch (LinkageError e) {
            return Optional.of("LWJGL's native library does not load (" + e.getMessage()
                    + "); it needs Linux on x86-64 with glibc");
        }
    }

    static String whyNoRing(int error) {
        return switch (error) {
            case 38 -> "this kernel has no io_uring; it needs Linux 5.6 or newer";
            case 1, 13 ->
                "io_uring is forbidden here; set kernel.io_uring_disabled=0 by sysctl, or let the container's seccomp"
                        + " profile allow it";
            case 12 -> "the kernel has no memory for a ring; raise the limit of locked memory (ulimit -l)";
            default -> "the kernel makes no ring (error " + error + "); see man io_uring_setup";
        };
    }

    static UringAccess openDirect(AccessSpec spec) throws IOException {
        DirectFiles.requireDevice(spec.file());
        return open(spec, FCNTL.O_DIRECT);
    }

    /** @param flags of open, besides that it reads or writes */
    static UringAccess open(AccessSpec spec, int flags) throws IOException {
        int descriptor = openFile(spec, flags);
        UringAccess access = new UringAccess(spec, descriptor);
        int failed = LibURing.io_uring_queue_init(2 * spec.depth(), access.ring, 0);
        if (failed < 0) {
            UNISTD.close(null, descriptor);
            access.ring.free();
            throw new IOException(whyNoRing(-failed));
        }
        return access;
    }

    private static int openFile(AccessSpec spec, int flags) throws IOException {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            IntBuffer error = stack.mallocInt(1);
            int how = flags | FCNTL.O_CLOEXEC | (spec.writes() ? FCNTL.O_WRONLY : FCNTL.O_RDONLY);
            int descriptor =
                    FCNTL.open(error, stack.UTF8(spec.file().toAbsolutePath().toString()), how, 0);
            if (descriptor < 0) {
                throw new IOException("open failed with error " + error.get(0)
                        + (error.get(0) == 22 ? ": the file system has no O_DIRECT" : ""));
            }
            return descriptor;
        }
    }

    @Override
    public void begin(Request request) throws IOException {
        int slot = request.slot();
        IOURingSQE entry = entry();
        begun[slot] = request;
        ByteBuffer block = blocks[slot].clear();
        if (!writes) {
            LibURing.io_uring_prep_read(entry, descriptor, block, request.offset());
            LibURing.io_uring_sqe_set_data64(entry, slot);
            return;
        }
        Noise.stamp(block, request.number());
        LibURing.io_uring_prep_write(entry, descriptor, block, request.offset());
        if (!request.isSynced()) {
            LibURing.io_uring_sqe_set_data64(entry, slot);
            return;
        }
        LibURing.io_uring_sqe_set_flags(entry, LibIOURing.IOSQE_IO_LINK);
        LibURing.io_uring_sqe_set_data64(entry, slot | FIRST_OF_TWO);
        IOURingSQE sync = entry();
        LibURing.io_uring_prep_fsync(sync, descriptor, LibIOURing.IORING_FSYNC_DATASYNC);
        LibURing.io_uring_sqe_set_data64(sync, slot);
    }

    private IOURingSQE entry() throws IOException {
        IOURingSQE entry = LibURing.io_uring_get_sqe(ring);
        if (entry == null) {
            throw new IOException("the ring is full");
        }
        return entry;
    }

    @Override
    public Request await() throws IOException {
        while (true) {
            int submitted = LibURing.io_uring_submit_and_wait(ring, 1);
            if (submitted < 0 && submitted != -EINTR) {
                throw new IOException("io_uring failed with error " + -submitted);
            }
            if (LibURing.io_uring_peek_cqe(ring, completion) != 0) {
                continue; // a signal came first
            }
            IOURingCQE entry = IOURingCQE.create(completion.get(0)); // the ring's: not to be freed
            long data = entry.user_data();
            int result = entry.res();
            LibURing.io_uring_cqe_seen(ring, entry);
            boolean hasSyncToCome = (data & FIRST_OF_TWO) != 0; // also if the write has failed: then it is cancelled
            Request request = begun[(int) data];
            if (request == null) {
                throw new IllegalStateException("slot " + data + " was not begun");
            }
            if (!hasSyncToCome) {
                begun[request.slot()] = null;
            }
            boolean isTransfer = hasSyncToCome || !request.isSynced();
            if (result < 0 || isTransfer && result != blocks[request.slot()].capacity()) {
                throw new IOException("at " + request.offset() + " io_uring ended with " + result);
            }
            if (!hasSyncToCome) {
                return request;
            }
        }
    }

    /** The kernel may use the blocks of what has not ended yet, so they live until it has. */
    @Override
    public void close() throws IOException {
        try {
            awaitAll();
        } finally {
            LibURing.io_uring_queue_exit(ring);
            ring.free();
            UNISTD.close(null, descriptor);
        }
    }

    private void awaitAll() {
        int mostCompletions = 2 * begun.length; // so that a ring that fails altogether does not keep it here
        for (int i = 0; i < mostCompletions && Arrays.stream(begun).anyMatch(Objects::nonNull); i++) {
            try {
                await();
            } catch (IOException e) {
                // What came of an operation matters no more, only that it has ended.
            }
        }
    }
}
