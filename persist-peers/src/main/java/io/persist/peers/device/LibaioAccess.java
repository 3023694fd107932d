package io.persist.peers.device;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DirectFiles;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioFile;
import org.apache.activemq.artemis.nativo.jlibaio.SubmitInfo;
import org.jspecify.annotations.Nullable;

/**
 * libaio with O_DIRECT, by the native library of ActiveMQ Artemis. It knows no sync: those that have ended together
 * share one {@code fdatasync}, as they do in Artemis' journal.
 */
final class LibaioAccess implements Access {

    private final LibaioContext<Slot> context;
    private final LibaioFile<Slot> file;
    private final FileChannel syncer;
    private final boolean writes;
    private final Slot[] slots;
    private final Slot[] polled;
    private final Deque<Request> ended = new ArrayDeque<>();
    private int inFlight;

    private LibaioAccess(AccessSpec spec) throws IOException {
        writes = spec.writes();
        slots = IntStream.range(0, spec.depth())
                .mapToObj(slot -> new Slot(Noise.aligned(spec.seed() + slot, spec.block())))
                .toArray(Slot[]::new);
        polled = new Slot[spec.depth()];
        context = new LibaioContext<>(spec.depth(), false, false);
        try {
            file = context.openFile(spec.file().toFile(), true);
            syncer = FileChannel.open(spec.file(), StandardOpenOption.WRITE);
        } catch (IOException | RuntimeException e) {
            context.close();
            throw e;
        }
    }

    static Optional<String> missing() {
        return LibaioContext.isLoaded()
                ? Optional.empty()
                : Optional.of("its native library does not load: it needs Linux on x86-64, libaio.so.1 (apt-get install"
                        + " libaio1), and bin/persist, which has unpacked it");
    }

    static LibaioAccess open(AccessSpec spec) throws IOException {
        DirectFiles.requireDevice(spec.file());
        return new LibaioAccess(spec);
    }

    /** The block of an operation, told how that ended. */
    private static final class Slot implements SubmitInfo {

        private final ByteBuffer block;
        private @Nullable Request request;
        private @Nullable String failure;

        Slot(ByteBuffer block) {
            this.block = block;
        }

        @Override
        public void onError(int error, String message) {
            failure = "error " + error + ": " + message;
        }

        @Override
        public void done() {
            // Its poll returns it.
        }
    }

    @Override
    public void begin(Request request) throws IOException {
        Slot slot = slots[request.slot()];
        slot.request = request;
        int length = slot.block.capacity();
        slot.block.clear();
        if (writes) {
            Noise.stamp(slot.block, request.number());
            file.write(request.offset(), length, slot.block, slot);
        } else {
            file.read(request.offset(), length, slot.block, slot);
        }
        inFlight++;
    }

    @Override
    public Request await() throws IOException {
        if (ended.isEmpty()) {
            poll();
        }
        return ended.remove();
    }

    private void poll() throws IOException {
        int count = context.poll(polled, 1, polled.length);
        boolean isSynced = false;
        for (int i = 0; i < count; i++) {
            Slot slot = polled[i];
            Request request = slot.request;
            if (slot.failure != null || request == null) {
                throw new IOException("libaio failed with " + slot.failure);
            }
            isSynced |= request.isSynced();
            slot.request = null;
            ended.add(request);
            inFlight--;
        }
        if (isSynced) {
            syncer.force(false);
        }
        if (count <= 0) {
            throw new IOException("libaio ended with " + count);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            while (inFlight > 0) {
                poll();
            }
        } finally {
            syncer.close();
            file.close();
            context.close();
        }
    }
}
