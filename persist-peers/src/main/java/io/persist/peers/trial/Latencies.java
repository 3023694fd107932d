package io.persist.peers.trial;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** The histograms of latencies, ns: three digits, up to an hour. */
public final class Latencies {

    private static final long MAX_NS = TimeUnit.HOURS.toNanos(1);

    private Latencies() {}

    public static Histogram empty() {
        return new Histogram(MAX_NS, 3);
    }

    public static void record(Histogram histogram, long ns) {
        histogram.recordValue(Math.max(0, Math.min(ns, MAX_NS)));
    }

    /** As HdrHistogram encodes and compresses them, in base 64. */
    public static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    static Histogram decode(String latencies) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(latencies));
            return Histogram.decodeFromCompressedByteBuffer(bytes, 0);
        } catch (DataFormatException e) {
            throw new IllegalStateException("no histogram: " + e.getMessage(), e);
        }
    }
}
