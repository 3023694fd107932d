package io.persist.peers.device;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DirectFiles;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import io.persist.peers.device.LibaioQueue.Slot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioFile;

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
    private final LibaioQueue queue;

    private LibaioAccess(AccessSpec spec) throws IOException {
        writes = spec.writes();
        slots = IntStream.range(0, spec.depth())
                .mapToObj(slot -> new Slot(Noise.aligned(spec.seed() + slot, spec.block())))
                .toArray(Slot[]::new);
        context = new LibaioContext<>(spec.depth(), false, false);
        try {
            file = context.openFile(spec.file().toFile(), true);
            syncer = FileChannel.open(spec.file(), StandardOpenOption.WRITE);
            queue = new LibaioQueue(spec.depth(), context::poll, () -> syncer.force(false));
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

    @Override
    public void begin(Request request) throws IOException {
        Slot slot = slots[request.slot()];
        ByteBuffer block = slot.begin(request);
        if (writes) {
            Noise.stamp(block, request.number());
            file.write(request.offset(), block.capacity(), block, slot);
        } else {
            file.read(request.offset(), block.capacity(), block, slot);
        }
        queue.begun();
    }

    @Override
    public Request await() throws IOException {
        return queue.await();
    }

    @Override
    public void close() throws IOException {
        try {
            queue.awaitAll();
        } finally {
            syncer.close();
            file.close();
            context.close();
        }
    }
}
