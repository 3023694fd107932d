package io.persist.kafka.bench.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a {@link WorkflowServer} has measured.
 *
 * @param commands how many were executed
 * @param elapsedNs from the begin of the first to the end of the last
 * @param longestGapNs the longest time between the ends of two commands
 * @param storeNs of the elapsed time, what the calls of the store took
 * @param liveBytes keys and values that the store has
 * @param scans deletions of timers
 * @param calls a histogram for each kind of call, compressed, as text
 * @param callNs what the calls of each kind took together
 */
public record RunResultJson(
        long commands,
        long elapsedNs,
        long longestGapNs,
        long storeNs,
        long liveBytes,
        Scans scans,
        Map<String, String> calls,
        Map<String, Long> callNs) {

    /** How often timers were deleted, how many, and how long that took. */
    public record Scans(long count, long deleted, long tookNs, long longestNs) {}

    static RunResultJson of(
            long commands,
            long elapsedNs,
            long longestGapNs,
            long storeNs,
            long liveBytes,
            Scans scans,
            Map<RunMeasures.Call, Histogram> calls,
            Map<RunMeasures.Call, Long> callNs) {
        Map<String, String> texts = new LinkedHashMap<>();
        calls.forEach((call, histogram) -> texts.put(call.id(), encode(histogram)));
        Map<String, Long> times = new LinkedHashMap<>();
        callNs.forEach((call, ns) -> times.put(call.id(), ns));
        return new RunResultJson(commands, elapsedNs, longestGapNs, storeNs, liveBytes, scans, texts, times);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    public Map<RunMeasures.Call, Histogram> histograms() {
        Map<RunMeasures.Call, Histogram> histograms = new EnumMap<>(RunMeasures.Call.class);
        for (RunMeasures.Call call : RunMeasures.Call.values()) {
            byte[] bytes = Base64.getDecoder().decode(calls.get(call.id()));
            try {
                histograms.put(call, Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
            } catch (DataFormatException e) {
                throw new IllegalStateException("the server has sent no histogram", e);
            }
        }
        return histograms;
    }

    public double perSecond() {
        return elapsedNs == 0 ? 0 : commands * 1e9 / elapsedNs;
    }

    /** The part of the time that the store takes, 0 to 1. */
    public double storeShare() {
        return elapsedNs == 0 ? 0 : (double) storeNs / elapsedNs;
    }
}
