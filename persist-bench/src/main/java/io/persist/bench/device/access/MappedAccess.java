package io.persist.bench.device.access;

import io.persist.bench.device.engine.AccessSpec;
import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.StandardOpenOption;

/** Copies to or from mapped memory; a sync is {@code force} of the block. The mapping goes with the garbage. */
final class MappedAccess extends OneByOne {

    private static final long MOST_PER_MAPPING = 1L << 30;

    private final MappedByteBuffer[] pieces;
    private final int pieceLength;
    private final ByteBuffer block;
    private final boolean writes;

    private MappedAccess(MappedByteBuffer[] pieces, int pieceLength, AccessSpec spec) {
        this.pieces = pieces;
        this.pieceLength = pieceLength;
        this.block = Noise.aligned(spec.seed(), spec.block());
        this.writes = spec.writes();
    }

    static MappedAccess open(AccessSpec spec) throws IOException {
        int pieceLength = (int) (MOST_PER_MAPPING / spec.block() * spec.block());
        MappedByteBuffer[] pieces = new MappedByteBuffer[(int) ((spec.fileLength() - 1) / pieceLength + 1)];
        try (FileChannel channel = FileChannel.open(spec.file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (int i = 0; i < pieces.length; i++) {
                long start = (long) i * pieceLength;
                pieces[i] = channel.map(
                        spec.writes() ? MapMode.READ_WRITE : MapMode.READ_ONLY,
                        start,
                        Math.min(pieceLength, spec.fileLength() - start));
            }
        }
        return new MappedAccess(pieces, pieceLength, spec);
    }

    @Override
    void run(Request request) throws IOException {
        MappedByteBuffer piece = pieces[(int) (request.offset() / pieceLength)];
        int at = (int) (request.offset() % pieceLength);
        int length = block.capacity();
        try {
            if (!writes) {
                block.put(0, piece, at, length);
                return;
            }
            Noise.stamp(block, request.number());
            piece.put(at, block, 0, length);
            if (request.isSynced()) {
                piece.force(at, length);
            }
        } catch (InternalError e) {
            throw new IOException("a mapped page cannot be reached (" + e.getMessage() + ")", e);
        }
    }

    @Override
    public void close() {}
}
