package io.persist.log.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The waits for the device of a filler that is always behind an appender, on a clock that only the test moves. */
class DeviceLagTest {

    private static final int SEGMENT = 1 << 20;
    private static final long MOST = 16L * SEGMENT;
    private static final int STEP = 64 << 10;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNs;
    private long filled;
    private long synced;
    private DeviceLag lag;

    @BeforeEach
    void open() {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(SEGMENT)
                .maxUnsyncedBytes(MOST)
                .build();
        lag = new DeviceLag(() -> filled, () -> synced, config, nowNs);
    }

    /** The device syncs a segment within each {@code syncMs}, all at its end; what may be filled is. */
    private void run(int syncs, long syncMs) {
        for (int i = 0; i < syncs; i++) {
            for (long endNs = nowNs + TimeUnit.MILLISECONDS.toNanos(syncMs); nowNs < endNs; nowNs += TICK_NS) {
                fill();
            }
            synced = Math.min(filled / SEGMENT * SEGMENT, synced + SEGMENT);
        }
    }

    private void fill() {
        for (int i = 0; i < 16; i++) {
            if (lag.waitNs(filled, lag.bound(), Long.MAX_VALUE, nowNs) > 0) {
                return;
            }
            filled += STEP;
            lag.filled(filled, STEP, nowNs);
        }
    }

    private void assertGoesOnAfterAStall() {
        run(1, 30_000);
        long before = filled;
        run(200, 10);
        assertThat(filled - before).isGreaterThan(150L * SEGMENT);
    }

    @Test
    void shouldGoOnOnceADeviceThatWasStuckAnswers() {
        run(200, 10);
        assertGoesOnAfterAStall();
    }

    @Test
    void shouldGoOnIfTheDeviceIsStuckAtFirst() {
        assertGoesOnAfterAStall();
    }

    /** No sync ends in most of the intervals in which the speed is looked at. */
    @Test
    void shouldKeepUpWithADeviceThatTakesLongForEachSegment() {
        run(20, 3000);
        long before = filled;
        run(20, 3000);
        assertThat(filled - before).isBetween(19L * SEGMENT, 21L * SEGMENT);
    }

    /** So the appender never has to stand still for the time that a segment takes. */
    @Test
    void shouldFillLittleByLittleAtTheSpeedOfTheDevice() {
        run(200, 100);
        long longest = 0;
        for (int i = 0; i < 1000; i++) {
            long before = filled;
            long startNs = nowNs;
            while (filled == before) {
                fill();
                nowNs += TICK_NS;
                synced = Math.max(synced, nowNs / TimeUnit.MILLISECONDS.toNanos(100) * SEGMENT);
            }
            longest = Math.max(longest, nowNs - startNs);
        }
        assertThat(filled - synced).isBetween(MOST / 2, MOST);
        assertThat(TimeUnit.NANOSECONDS.toMillis(longest)).isLessThan(50);
    }

    private static long mostByDefault(int segmentLength, long memory) {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(segmentLength)
                .build();
        return DeviceLag.most(config, memory);
    }

    @ParameterizedTest
    @CsvSource({
        "64, 0, 512", // not known
        "128, 0, 1024",
        "64, 24576, 1536",
        "64, 4096, 512",
        "64, 1024, 256",
        "64, 256, 256", // four segments
        "4, 256, 64",
        "4, 65536, 4096"
    })
    void shouldLeaveThreeQuartersOfASmallMemoryAlone(int segmentMiB, long memoryMiB, long mostMiB) {
        assertThat(mostByDefault(segmentMiB << 20, memoryMiB << 20)).isEqualTo(mostMiB << 20);
    }
}
