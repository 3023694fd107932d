package io.persist.peers.engine.bare;

import io.persist.bench.host.DirectOption;
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
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The least that a synced append can be: what was appended since the last commit is gathered in blocks of 4 KiB, and
 * written in one call, over zeros. Unsynced, each append is written at once. No checksum, no segments, no recovery.
 *
 * <p>Several producers take turns by a lock.
 */
public final class BareWriteEngine implements Engine, GatheringProducer.Gatherer {

    /** How a write gets to the device. */
    enum Way {
        /** The bytes that are new, then fdatasync. */
        FDATASYNC,
        /** The bytes that are new, with O_DSYNC. */
        DSYNC,
        /** All blocks that hold new bytes, with O_DIRECT and O_DSYNC: the last one again and again until it is full. */
        DIRECT
    }

    public static final EngineKind FDATASYNC = kind("bare-fdatasync", Survival.KILL, BareWriteEngine::fdatasync);
    public static final EngineKind DSYNC = kind("bare-dsync", Survival.POWER_CUT, BareWriteEngine::dsync);
    public static final EngineKind DIRECT = kind("bare-direct", Survival.POWER_CUT, BareWriteEngine::direct);

    private static EngineKind kind(String id, Survival buffered, EngineKind.Factory factory) {
        return EngineKind.of(id, BareFile.LIBRARY, buffered, EngineKind.Reading.AFTER_CLOSE, factory)
                .only(Space.PREPARED);
    }

    private static final int GATHERED_LENGTH = 64 << 10;
    private static final byte[] ZEROS = new byte[BareFile.BLOCK_LENGTH];

    private final EngineConfig config;
    private final Way way;
    private final BareFile file;
    private final @Nullable FileChannel channel;

    /** A part of the file, from where the next write begins; with O_DIRECT from that block on. */
    private final ByteBuffer gathered;

    /** Where in the file that part begins. */
    private int base;

    /** Where in it the bytes begin that are not written yet; they end at its position. */
    private int written;

    private BareWriteEngine(EngineConfig config, Way way, BareFile file, @Nullable FileChannel channel)
            throws IOException {
        this.config = config;
        this.way = way;
        this.file = file;
        this.channel = channel;
        int length = Math.max(GATHERED_LENGTH, blockOf(file.frameLength()) + 2 * BareFile.BLOCK_LENGTH);
        ByteBuffer buffer = ByteBuffer.allocateDirect(length + BareFile.BLOCK_LENGTH);
        this.gathered = buffer.alignedSlice(BareFile.BLOCK_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        this.base = way == Way.DIRECT ? blockOf(file.end()) : file.end();
        this.written = file.end() - base;
        gathered.position(written);
        if (written > 0) {
            readBlock();
        }
    }

    /** The frames before the end that lie in the same block as the next one. */
    private void readBlock() throws IOException {
        try (FileChannel reading = FileChannel.open(file.path(), StandardOpenOption.READ)) {
            ByteBuffer block = gathered.duplicate().position(0).limit(written);
            while (block.hasRemaining() && reading.read(block, base + (long) block.position()) > 0) {
                // A read may return less than it could.
            }
        }
    }

    private static Engine fdatasync(EngineConfig config) throws IOException {
        return open(config, Way.FDATASYNC);
    }

    private static Engine dsync(EngineConfig config) throws IOException {
        return open(config, Way.DSYNC, StandardOpenOption.DSYNC);
    }

    private static Engine direct(EngineConfig config) throws IOException {
        return open(
                config,
                Way.DIRECT,
                StandardOpenOption.DSYNC,
                DirectOption.find().orElseThrow(() -> new IOException(DirectOption.MISSING)));
    }

    private static Engine open(EngineConfig config, Way way, OpenOption... options) throws IOException {
        if (config.producers() == 0) {
            return new BareWriteEngine(config, way, BareFile.forReading(config), null);
        }
        BareFile file = BareFile.forAppending(config);
        List<OpenOption> all = new ArrayList<>(List.of(options));
        all.add(StandardOpenOption.WRITE);
        return new BareWriteEngine(config, way, file, FileChannel.open(file.path(), all.toArray(new OpenOption[0])));
    }

    @Override
    public Producer producer() {
        return new GatheringProducer(file, config.durability(), this);
    }

    @Override
    public synchronized void gather(byte[] message) throws IOException {
        file.checkRoom((long) base + gathered.position());
        if (gathered.remaining() < file.frameLength()) {
            write();
        }
        file.put(gathered, message);
        if (config.durability() == Durability.BUFFERED) {
            write();
        }
    }

    @Override
    public synchronized void sync() throws IOException {
        write();
        if (way == Way.FDATASYNC) {
            channel().force(false);
        }
    }

    /** Writes what is new. */
    private void write() throws IOException {
        int end = gathered.position();
        if (end == written) {
            return;
        }
        int from = written;
        int to = end;
        if (way == Way.DIRECT) {
            from = blockOf(from);
            to = blockOf(end + BareFile.BLOCK_LENGTH - 1);
            gathered.put(end, ZEROS, 0, to - end);
        }
        gathered.limit(to).position(from);
        while (gathered.hasRemaining()) {
            channel().write(gathered, base + (long) gathered.position());
        }
        gathered.clear();
        int next = way == Way.DIRECT ? blockOf(end) : end;
        gathered.put(0, gathered, next, end - next);
        base += next;
        written = end - next;
        gathered.position(written);
    }

    private static int blockOf(int offset) {
        return offset & -BareFile.BLOCK_LENGTH;
    }

    private FileChannel channel() {
        if (channel == null) {
            throw new IllegalStateException("opened for readers only");
        }
        return channel;
    }

    /** To be closed before the next append is to be seen: until then a write may be seen in parts. */
    @Override
    public MessageReader reader() throws IOException {
        return new BareReader(file);
    }

    @Override
    public void drain() throws IOException {
        sync();
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            sync();
            channel.force(false);
            channel.close();
        }
    }
}
