package io.persist.peers.engine.bare;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@link BareCopyEngine} in space that nobody has prepared: the file is made longer and mapped, a window of some 64 MiB
 * after the other, and its blocks and pages come with the stores into them. A full disk ends the process. A window is
 * unmapped when all producers have left it.
 */
final class UnpreparedCopyEngine implements Engine {

    private static final int WINDOW_LENGTH = 64 << 20;

    private final BareFile file;
    private final boolean syncs;
    private final boolean alone;
    private final FileChannel channel;

    /** A multiple of a frame's, so that no frame is in two windows. */
    private final int windowLength;

    /** Where the next frame goes, from the end of what was there on. */
    private final AtomicLong tail = new AtomicLong();

    private final List<CopyingProducer> producers = new CopyOnWriteArrayList<>();

    /** Those that are mapped, by number. Guarded by this. */
    private final TreeMap<Long, MappedByteBuffer> windows = new TreeMap<>();

    /** Guarded by this. */
    private long forced;

    UnpreparedCopyEngine(EngineConfig config) throws IOException {
        this.file = BareFile.forReading(config);
        this.syncs = config.durability() == Durability.SYNCED;
        this.alone = config.producers() == 1;
        this.windowLength = Math.max(1, WINDOW_LENGTH / file.frameLength()) * file.frameLength();
        this.channel = FileChannel.open(
                file.path(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public Producer producer() throws IOException {
        return new CopyingProducer();
    }

    private final class CopyingProducer implements Producer {

        private final ByteBuffer message = file.newMessage();
        private final byte[] bytes = message.array();
        private final int frameLength = file.frameLength();

        /** The number of its window. It may still need those from here on, and none before. */
        private volatile long number;

        private long start;
        private MappedByteBuffer mapped;

        CopyingProducer() throws IOException {
            synchronized (UnpreparedCopyEngine.this) {
                number = tail.get() / windowLength;
                start = number * windowLength;
                mapped = window(number);
                producers.add(this);
            }
        }

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() throws IOException {
            long at;
            if (alone) {
                at = tail.getPlain();
                tail.setPlain(at + frameLength);
            } else {
                at = tail.getAndAdd(frameLength);
            }
            long offset = at - start;
            if (offset >= windowLength) {
                enter(at / windowLength);
                offset = at - start;
            }
            mapped.put((int) offset + BareFile.HEADER_LENGTH, bytes, 0, bytes.length);
            BareReader.LENGTH.setRelease(mapped, (int) offset, bytes.length);
        }

        private void enter(long next) throws IOException {
            mapped = window(next);
            start = next * windowLength;
            number = next;
            unmapLeft();
        }

        @Override
        public void commit() {
            if (syncs) {
                force();
            }
        }

        @Override
        public void close() {
            producers.remove(this);
        }
    }

    private synchronized MappedByteBuffer window(long number) throws IOException {
        MappedByteBuffer window = windows.get(number);
        if (window == null) {
            window = channel.map(MapMode.READ_WRITE, file.end() + number * windowLength, windowLength);
            window.order(ByteOrder.LITTLE_ENDIAN);
            windows.put(number, window);
        }
        return window;
    }

    private synchronized void unmapLeft() {
        long first =
                producers.stream().mapToLong(producer -> producer.number).min().orElse(0);
        while (!windows.isEmpty() && windows.firstKey() < first) {
            if (syncs) {
                force();
            }
            BareFile.unmap(windows.pollFirstEntry().getValue());
        }
    }

    private synchronized void force() {
        long end = tail.get();
        windows.forEach((number, window) -> {
            long start = number * windowLength;
            long from = Math.max(forced, start);
            long to = Math.min(end, start + windowLength);
            if (from < to) {
                window.force((int) (from - start), (int) (to - from));
            }
        });
        forced = Math.max(forced, end);
    }

    @Override
    public MessageReader reader() throws IOException {
        return new BareReader(file);
    }

    @Override
    public void drain() {
        if (syncs) {
            force();
        }
    }

    /** What is not synced yet is with the operating system. */
    @Override
    public synchronized void close() throws IOException {
        drain();
        windows.values().forEach(BareFile::unmap);
        windows.clear();
        channel.close();
    }
}
