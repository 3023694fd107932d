package io.persist.peers.engine.bare;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.Survival;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The least that an append to a mapped file can be: the message copied into a mapping whose pages have been touched,
 * and its length. A commit forces the mapping from the last commit's end on. No checksum, no segments, no recovery.
 * In unprepared space {@link UnpreparedCopyEngine} does it.
 */
public final class BareCopyEngine implements Engine {

    public static final EngineKind KIND = EngineKind.of(
            "bare-copy", BareFile.LIBRARY, Survival.KILL, EngineKind.Reading.ANY_PROCESS, BareCopyEngine::open);

    private final BareFile file;
    private final boolean syncs;
    private final int producers;
    private final MappedByteBuffer mapped;

    /** Where the next frame goes; several producers take their places by it. */
    private final AtomicInteger tail;

    private int forced;

    private BareCopyEngine(EngineConfig config, BareFile file) throws IOException {
        this.file = file;
        this.syncs = config.durability() == Durability.SYNCED;
        this.producers = config.producers();
        this.mapped = file.map(producers == 0 ? MapMode.READ_ONLY : MapMode.READ_WRITE);
        this.tail = new AtomicInteger(file.end());
        this.forced = file.end();
    }

    private static Engine open(EngineConfig config) throws IOException {
        if (config.producers() == 0) {
            return new BareCopyEngine(config, BareFile.forReading(config));
        }
        if (config.space() == Space.UNPREPARED) {
            return new UnpreparedCopyEngine(config);
        }
        BareCopyEngine engine = new BareCopyEngine(config, BareFile.forAppending(config));
        engine.touch();
        return engine;
    }

    /** So that no append has to wait for a page. */
    private void touch() {
        int firstFree = (file.end() + BareFile.BLOCK_LENGTH - 1) & -BareFile.BLOCK_LENGTH;
        for (int page = firstFree; page < file.length(); page += BareFile.BLOCK_LENGTH) {
            BareReader.LENGTH.setVolatile(mapped, page, 0);
        }
    }

    @Override
    public Producer producer() {
        return new CopyingProducer();
    }

    private final class CopyingProducer implements Producer {

        private final ByteBuffer message = file.newMessage();
        private final byte[] bytes = message.array();
        private final int frameLength = file.frameLength();
        private final boolean alone = producers == 1;

        @Override
        public ByteBuffer message() {
            return message;
        }

        @Override
        public void append() throws IOException {
            int at;
            if (alone) {
                at = tail.getPlain();
                file.checkRoom(at);
                tail.setPlain(at + frameLength);
            } else {
                at = tail.getAndAdd(frameLength);
                file.checkRoom(at);
            }
            mapped.put(at + BareFile.HEADER_LENGTH, bytes, 0, bytes.length);
            BareReader.LENGTH.setRelease(mapped, at, bytes.length);
        }

        @Override
        public void commit() {
            if (syncs) {
                force();
            }
        }

        @Override
        public void close() {}
    }

    private synchronized void force() {
        int end = Math.min(tail.get(), file.length());
        if (end > forced) {
            mapped.force(forced, end - forced);
            forced = end;
        }
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

    @Override
    public void close() {
        if (producers > 0) {
            force();
        }
        BareFile.unmap(mapped);
    }
}
