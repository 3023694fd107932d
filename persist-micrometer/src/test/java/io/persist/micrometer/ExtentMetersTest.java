package io.persist.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.persist.LogMonitor;
import io.persist.LogMonitor.Extent;
import io.persist.MessageLogger;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.monitor.LogStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How large a log is, as meters. */
class ExtentMetersTest {

    private static final int LENGTH = 4096;

    @TempDir
    private Path directory;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    /** As it is now: the second look at a meter is that of another scrape, however soon it comes. */
    private double gauge(String name) {
        Gauge gauge = registry.get("persist.log." + name).gauge();
        assertThat(gauge.value()).isNotNegative();
        return gauge.value();
    }

    private MessageLogger open() {
        return MessageLogger.open(
                LogConfig.builder(directory).segmentLength(LENGTH).build());
    }

    private static void appendSegment(MessageLogger logger) {
        logger.append(new byte[100]);
        logger.roll();
    }

    @Test
    void shouldShowHowLargeALogIs() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (MessageLogger logger = open();
                PersistMetrics metrics = PersistMetrics.of(logger)) {
            metrics.bindTo(registry);
            metrics.bindTo(prometheus);
            assertThat(gauge("segments")).isEqualTo(1);
            assertThat(gauge("oldest.age")).isZero();
            for (int i = 0; i < 3; i++) {
                appendSegment(logger);
            }
            logger.append(new byte[100]);
            logger.commit();
            logger.retire(logger.planRetention(RetentionRule.below(LENGTH)), Retirement.DELETE);
            Extent now = LogMonitor.open(directory).extent();
            assertThat(gauge("first.position")).isEqualTo(LENGTH);
            assertThat(gauge("size")).isEqualTo(logger.position() - LENGTH).isEqualTo(now.bytes());
            assertThat(gauge("segments")).isEqualTo(3);
            assertThat(gauge("files")).isGreaterThanOrEqualTo(3 * LENGTH);
            assertThat(gauge("disk.usable")).isPositive();
            double mostS = (System.currentTimeMillis() - now.oldestSealedAtMs()) / 1e3;
            double age = gauge("oldest.age");
            assertThat(age).isGreaterThanOrEqualTo(mostS);
            assertThat(age).isLessThanOrEqualTo((System.currentTimeMillis() - now.oldestSealedAtMs()) / 1e3);
            assertThat(prometheus.scrape()).contains("persist_log_size_bytes{"); // perhaps of when it was bound
            assertThat(prometheus.scrape())
                    .contains("persist_log_size_bytes{log=\"" + directory + "\"} " + (double) now.bytes())
                    .contains("# TYPE persist_log_oldest_age_seconds gauge")
                    .contains("persist_log_disk_usable_bytes{");
        }
    }

    /** With one for each meter a scrape of hundreds of logs would list each directory six times. */
    @Test
    void shouldLookOnceForAScrapeAndAgainForTheNextOne() {
        AtomicInteger looks = new AtomicInteger();
        AtomicLong nowNs = new AtomicLong();
        List<Measure<Path>> measures = new LogMeasures<Path>(
                        log -> LogStatistics.of(counter -> 0),
                        log -> 0,
                        log -> 0,
                        log -> 0,
                        log -> 0,
                        log -> false,
                        directory.toString())
                .extent(new ScrapeReading<>(
                        () -> new Extent(0, looks.incrementAndGet(), 0, 0, 0, looks.get()), nowNs::get));
        assertThat(measures).hasSize(6);
        measures.forEach(measure -> measure.value().applyAsDouble(directory));
        assertThat(looks).hasValue(1);
        measures.forEach(measure -> measure.value().applyAsDouble(directory));
        assertThat(looks).as("the next scrape, at the same time").hasValue(2);
        measures.get(0).value().applyAsDouble(directory);
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        measures.stream().skip(1).forEach(measure -> measure.value().applyAsDouble(directory));
        assertThat(looks).as("one is old by now").hasValue(4);
    }

    /** The files are there, and are looked at, as long as somebody has the logger; then, and without them, it stays. */
    @Test
    void shouldKeepTheLastNumbersOfALogThatIsClosedAndGone() throws IOException {
        MessageLogger logger = open();
        PersistMetrics.of(logger).bindTo(registry);
        appendSegment(logger);
        logger.append(new byte[100]);
        logger.close();
        double end = logger.position();
        assertThat(gauge("size")).isEqualTo(end);
        assertThat(gauge("segments")).isEqualTo(2);
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThat(gauge("size")).isEqualTo(end);
        assertThat(gauge("segments")).isEqualTo(2);
        assertThat(gauge("disk.usable")).isPositive();
    }
}
