package io.persist.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.persist.LogMonitor;
import io.persist.MessageLogger;
import io.persist.log.LogConfig;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CursorMetersTest {

    private static final int CURSORS = 20;

    @TempDir
    private Path directory;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicLong nowNs = new AtomicLong();

    private final ScrapeReading<LogMonitor.Reading> source = new ScrapeReading<>(
            () -> {
                readings.incrementAndGet();
                return LogMonitor.open(directory).read();
            },
            nowNs::get);

    private double lags() {
        return registry.get("persist.log.named.cursor.lag").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    /** Each reading is one of all cursors: with one for each of them a scrape of 300 took seconds. */
    @Test
    void shouldLookOnceForAScrapeAndAgainForTheNextOne() {
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 16).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            logger.append(new byte[100]);
            logger.commit();
            for (int i = 0; i < CURSORS; i++) {
                logger.tailer("cursor-" + i).close();
            }
            CursorMeters meters = CursorMeters.bind(registry, directory, Tags.of("log", "one"), source);
            double first = lags();
            assertThat(first).isPositive();
            assertThat(readings).as("with the one that has found the cursors").hasValue(2);

            logger.append(new byte[100]);
            logger.commit();
            assertThat(lags()).as("at the same time").isEqualTo(2 * first);
            assertThat(readings).hasValue(3);

            registry.get("persist.log.cursors").gauge().value();
            nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
            lags();
            assertThat(readings).as("one is old by now").hasValue(5);
            meters.unbind(BoundMeter.of(registry));
        }
    }
}
