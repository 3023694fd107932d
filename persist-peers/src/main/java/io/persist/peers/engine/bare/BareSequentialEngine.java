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
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * What the device takes in sequence, as {@code dd} would find out: frames are gathered and written by {@value
 * #GATHERED_LENGTH} bytes to the end of one file that grows. A commit writes what there is, and fdatasync follows. No
 * checksum, no segments, no recovery. Several producers take turns by a lock.
 */
public final class BareSequentialEngine implements Engine, GatheringProducer.Gatherer {

    public static final EngineKind KIND = EngineKind.of(
                    "bare-sequential",
                    BareFile.LIBRARY,
                    Survival.ORDERLY_END,
                    EngineKind.Reading.AFTER_CLOSE,
                    BareSequentialEngine::new)
            .only(Space.UNPREPARED);

    private static final int GATHERED_LENGTH = 1 << 20;

    private final EngineConfig config;
    private final BareFile file;

    /** Null if it is only read. */
    private final @Nullable FileChannel channel;

    private final ByteBuffer gathered;

    BareSequentialEngine(EngineConfig config) throws IOException {
        this.config = config;
        this.file = BareFile.forReading(config);
        this.gathered = ByteBuffer.allocateDirect(Math.max(GATHERED_LENGTH, file.frameLength()));
        gathered.order(ByteOrder.LITTLE_ENDIAN);
        this.channel = config.producers() == 0 ? null : openAtEnd(file);
    }

    private static FileChannel openAtEnd(BareFile file) throws IOException {
        FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.position(file.end());
        return channel;
    }

    @Override
    public Producer producer() {
        return new GatheringProducer(file, config.durability(), this);
    }

    @Override
    public synchronized void gather(byte[] message) throws IOException {
        if (gathered.remaining() < file.frameLength()) {
            write();
        }
        file.put(gathered, message);
    }

    private void write() throws IOException {
        gathered.flip();
        while (gathered.hasRemaining()) {
            channel().write(gathered);
        }
        gathered.clear();
    }

    private FileChannel channel() {
        if (channel == null) {
            throw new IllegalStateException("opened for readers only");
        }
        return channel;
    }

    @Override
    public MessageReader reader() throws IOException {
        return new BareReader(file);
    }

    @Override
    public void sync() throws IOException {
        drain();
    }

    @Override
    public synchronized void drain() throws IOException {
        write();
        if (config.durability() == Durability.SYNCED) {
            channel().force(false);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            drain();
            channel.close();
        }
    }
}
