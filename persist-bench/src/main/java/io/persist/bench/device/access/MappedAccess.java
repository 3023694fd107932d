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
import java.util.BitSet;

/**
 * Copies to or from mapped memory; a sync is {@code force} of all blocks written since the last one. The mapping
 * goes with the garbage.
 */
final class MappedAccess extends OneByOne {

    private static final long MOST_PER_MAPPING = 1L << 30;

    private final MappedByteBuffer[] pieces;
    private final int pieceLength;
    private final ByteBuffer block;
    private final boolean writes;

    /** The numbers of blocks; as cheap as can be, since that time is measured too. */
    private final BitSet unsynced = new BitSet();

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
        MappedByteBuffer piece = pieceOf(request.offset());
        int at = inPiece(request.offset());
        try {
            if (!writes) {
                block.put(0, piece, at, block.capacity());
                return;
            }
            Noise.stamp(block, request.number());
            piece.put(at, block, 0, block.capacity());
            unsynced.set((int) (request.offset() / block.capacity()));
            if (request.isSynced()) {
                forAllUnsynced((forced, offset, length) -> forced.force(offset, length));
            }
        } catch (InternalError e) {
            throw new IOException("a mapped page cannot be reached (" + e.getMessage() + ")", e);
        }
    }

    /** Takes a range of a piece that is to be synced. */
    @FunctionalInterface
    interface Range {

        void take(MappedByteBuffer piece, int at, int length);
    }

    /** Blocks that follow each other are one range: each force is a call of the system. Forgets them. */
    void forAllUnsynced(Range range) {
        int length = block.capacity();
        int begin = unsynced.nextSetBit(0);
        while (begin >= 0) {
            long offset = (long) begin * length;
            int mostBlocks = (pieceLength - inPiece(offset)) / length;
            int end = Math.min(unsynced.nextClearBit(begin), begin + mostBlocks);
            range.take(pieceOf(offset), inPiece(offset), (end - begin) * length);
            begin = unsynced.nextSetBit(end);
        }
        unsynced.clear();
    }

    private MappedByteBuffer pieceOf(long offset) {
        return pieces[(int) (offset / pieceLength)];
    }

    private int inPiece(long offset) {
        return (int) (offset % pieceLength);
    }

    @Override
    public void close() {}
}
