package io.persist.shard.bench.loop;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Histograms of one second after the other. A histogram takes a hundred kilobytes, and packed some hundred bytes: so an
 * hour of them fits a small heap.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class PackedHistograms implements Iterable<Histogram> {

    private static final int HEADER_BYTES = 64;

    private record Packed(byte[] bytes, long startMs, long endMs) {

        Histogram unpack() {
            try {
                Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
                histogram.setStartTimeStamp(startMs);
                histogram.setEndTimeStamp(endMs);
                return histogram;
            } catch (DataFormatException e) {
                throw new IllegalStateException(e); // it was packed here
            }
        }
    }

    private final List<Packed> all = new ArrayList<>();
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    /** Adds a histogram with its times; it is not kept. */
    void add(Histogram histogram) {
        int most = histogram.getNeededByteBufferCapacity() + HEADER_BYTES;
        if (buffer.capacity() < most) {
            buffer = ByteBuffer.allocate(most);
        }
        int length = histogram.encodeIntoCompressedByteBuffer(buffer.clear());
        all.add(new Packed(
                Arrays.copyOf(buffer.array(), length), histogram.getStartTimeStamp(), histogram.getEndTimeStamp()));
    }

    /** How many bytes they take. */
    long bytes() {
        return all.stream().mapToLong(packed -> packed.bytes().length).sum();
    }

    /** In the order in which they were added; each is unpacked when its turn comes. */
    @Override
    public Iterator<Histogram> iterator() {
        return all.stream().map(Packed::unpack).iterator();
    }
}
