package io.persist.bench.device.access;

import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.DirectFiles;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import io.persist.bench.device.engine.Trait;
import io.persist.bench.host.DirectOption;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** Positional reads and writes of a {@link FileChannel}; a sync is {@code force(false)}. */
final class ChannelAccess extends OneByOne {

    private final FileChannel channel;
    private final ByteBuffer block;
    private final boolean writes;

    private ChannelAccess(FileChannel channel, AccessSpec spec) {
        this.channel = channel;
        this.block = Noise.aligned(spec.seed(), spec.block());
        this.writes = spec.writes();
    }

    static ChannelAccess open(AccessSpec spec, Set<Trait> traits) throws IOException {
        Set<OpenOption> options =
                new HashSet<>(Set.of(spec.writes() ? StandardOpenOption.WRITE : StandardOpenOption.READ));
        if (traits.contains(Trait.SYNCED)) {
            options.add(StandardOpenOption.DSYNC);
        }
        if (traits.contains(Trait.DIRECT)) {
            DirectFiles.requireDevice(spec.file());
            options.add(DirectOption.find().orElseThrow(() -> new UnsupportedOperationException(DirectOption.MISSING)));
        }
        return new ChannelAccess(FileChannel.open(spec.file(), options), spec);
    }

    @Override
    void run(Request request) throws IOException {
        block.clear();
        long at = request.offset();
        if (!writes) {
            while (block.hasRemaining()) {
                int read = channel.read(block, at + block.position());
                if (read < 0) {
                    throw new EOFException("the file ends at " + (at + block.position()));
                }
            }
            return;
        }
        Noise.stamp(block, request.number());
        while (block.hasRemaining()) {
            channel.write(block, at + block.position());
        }
        if (request.isSynced()) {
            channel.force(false);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
