package io.persist.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.support.MeterTable;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PersistMetricsTest {

    @TempDir
    Path directory;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(1 << 16).build();
    }

    private double counter(String name) {
        return registry.get(name).functionCounter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }

    @Test
    void shouldShowWhatALoggerCounts() {
        try (MessageLogger logger = MessageLogger.open(config());
                PersistMetrics metrics = PersistMetrics.of(logger, Tag.of("service", "orders"))) {
            metrics.bindTo(registry);
            logger.append(new byte[100]);
            logger.append(new byte[20]);
            logger.commit(Durability.SYNCED);
            assertThat(counter("persist.log.records")).isEqualTo(2);
            assertThat(counter("persist.log.payload")).isEqualTo(120);
            assertThat(counter("persist.log.commits")).isEqualTo(1);
            assertThat(counter("persist.log.syncs")).isEqualTo(1);
            assertThat(counter("persist.log.sync.time"))
                    .isEqualTo(logger.statistics().syncNs() / 1e9)
                    .isPositive();
            assertThat(gauge("persist.log.sync.max"))
                    .isEqualTo(logger.statistics().syncMaxNs() / 1e9);
            assertThat(gauge("persist.log.position")).isEqualTo(logger.position());
            assertThat(gauge("persist.log.unsynced")).isZero();
            logger.append(new byte[8]);
            assertThat(gauge("persist.log.unsynced")).isEqualTo(logger.position() - logger.syncedPosition());
            assertThat(registry.get("persist.log.records").meter().getId().getTags())
                    .containsExactlyInAnyOrder(Tag.of("log", directory.toString()), Tag.of("service", "orders"));
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void shouldShowHowFarTheSlowestCursorIsBehind() {
        try (MessageLogger logger = MessageLogger.open(config());
                PersistMetrics metrics = PersistMetrics.of(logger);
                Tailer fast = logger.tailer("fast");
                Tailer slow = logger.tailer("slow")) {
            metrics.bindTo(registry);
            long first = slow.nextPosition();
            long end = logger.append(new byte[100]);
            logger.commit();
            assertThat(gauge("persist.log.cursor.lag")).isEqualTo(end - first);
            assertThat(fast.next()).isTrue();
            fast.store();
            assertThat(gauge("persist.log.cursor.lag")).isEqualTo(end - first);
            assertThat(slow.next()).isTrue();
            slow.store();
            assertThat(gauge("persist.log.cursor.lag")).isZero();
        }
    }

    private double lag(MeterRegistry of, String cursor) {
        assertThat(of.get("persist.log.cursors").gauge().value()).isPositive(); // which looks for new ones
        return of.get("persist.log.named.cursor.lag")
                .tag("cursor", cursor)
                .gauge()
                .value();
    }

    @Test
    void shouldShowHowFarEachCursorIsBehindAsLongAsItIsThere() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (MessageLogger logger = MessageLogger.open(config());
                PersistMetrics metrics = PersistMetrics.of(logger);
                Tailer fast = logger.tailer("fast")) {
            metrics.bindTo(registry);
            metrics.bindTo(prometheus);
            long first = fast.nextPosition();
            logger.append(new byte[100]);
            long end = logger.append(new byte[10]);
            logger.commit();
            logger.tailer("slow").close();
            assertThat(gauge("persist.log.cursors")).isEqualTo(2);
            assertThat(fast.next()).isTrue();
            fast.store();
            assertThat(lag(registry, "fast")).isEqualTo(end - fast.nextPosition());
            assertThat(lag(registry, "slow")).isEqualTo(end - first);
            assertThat(prometheus.scrape()).contains("persist_log_cursors{");
            assertThat(prometheus.scrape())
                    .contains("persist_log_named_cursor_lag_bytes{cursor=\"slow\",log=\"" + directory + "\"} "
                            + (double) (end - first));

            LogCursors.open(directory).remove("slow");
            assertThat(gauge("persist.log.cursors")).isEqualTo(1);
            assertThat(registry.get("persist.log.named.cursor.lag").gauges()).hasSize(1);
            logger.tailer("slow").close();
            assertThat(lag(registry, "slow")).isEqualTo(end - first);
        }
        assertThat(registry.getMeters()).isEmpty();
        assertThat(prometheus.getMeters()).isEmpty();
    }

    /** The first one was not closed, and has a cursor that is gone when the log is opened again. */
    @Test
    void shouldShowTheCursorsOfTheLogThatIsOpenedAgain() {
        PersistMetrics first;
        try (MessageLogger logger = MessageLogger.open(config())) {
            logger.tailer("one").close();
            logger.tailer("two").close();
            first = PersistMetrics.of(logger);
            first.bindTo(registry);
            LogCursors.open(directory).remove("two");
            assertThat(registry.get("persist.log.named.cursor.lag")
                            .tag("cursor", "two")
                            .gauge()
                            .value())
                    .isNaN();
        }
        try (MessageLogger logger = MessageLogger.open(config())) {
            PersistMetrics.of(logger).bindTo(registry);
            logger.append(new byte[100]);
            logger.commit();
            first.close(); // too late: they are the second one's
            assertThat(registry.get("persist.log.named.cursor.lag").gauges()).hasSize(1);
            assertThat(lag(registry, "one")).isPositive();
        }
    }

    @Test
    void shouldShowTheQueueOfADetachedLogger() {
        DetachedConfig queue = DetachedConfig.builder().queueDepth(64).build();
        try (PacketLogger logger = PacketLogger.open(config(), queue);
                PersistMetrics metrics = PersistMetrics.of(logger)) {
            metrics.bindTo(registry);
            logger.append(logger.packet().add(new byte[5]));
            logger.commit(Durability.SYNCED);
            assertThat(gauge("persist.log.queue.capacity")).isEqualTo(64);
            assertThat(counter("persist.log.batch.entries")).isEqualTo(1);
        }
    }

    @Test
    void shouldShowAStoreAndItsLog() {
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
                PersistMetrics metrics = PersistMetrics.of(store)) {
            metrics.bindTo(registry);
            try (Transaction transaction = store.begin()) {
                transaction.put(new byte[] {1}, new byte[50]);
                transaction.commit(Durability.SYNCED);
            }
            store.checkpoint();
            assertThat(gauge("persist.store.keys")).isEqualTo(1);
            assertThat(counter("persist.store.checkpoints")).isEqualTo(1);
            assertThat(gauge("persist.store.checkpoint.size"))
                    .isEqualTo(store.statistics().checkpoint().bytes())
                    .isPositive();
            assertThat(counter("persist.log.commits")).isPositive();
        }
    }

    /** Whatever became of it: a scrape never throws. */
    @Test
    void shouldKeepTheLastNumbersOfWhatIsClosed() {
        StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
        PersistMetrics.of(store).bindTo(registry);
        try (Transaction transaction = store.begin()) {
            transaction.put(new byte[] {1}, new byte[50]);
            transaction.commit(Durability.SYNCED);
        }
        List<String> before = values();
        store.close();
        assertThat(values()).hasSameSizeAs(before).contains("persist.store.keys=1.0", "persist.log.records=1.0");
    }

    /** Nobody else has it any more, and no meter keeps it; its numbers stay all the same. */
    @Test
    @Timeout(120)
    void shouldKeepTheLastNumbersOfWhatIsGone() throws InterruptedException {
        List<String> before = new ArrayList<>();
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ReferenceQueue<StoreLogger> gone = new ReferenceQueue<>();
        WeakReference<StoreLogger> store = closedStore(prometheus, before, gone);
        do {
            System.gc();
        } while (gone.remove(10) != store);
        assertThat(values())
                .isEqualTo(before)
                .contains("persist.store.keys=1.0", "persist.log.records=1.0", "persist.log.failed=0.0");
        assertThat(prometheus.scrape()).contains("persist_store_keys{log=").doesNotContain("NaN");
    }

    private WeakReference<StoreLogger> closedStore(
            MeterRegistry other, List<String> numbers, ReferenceQueue<StoreLogger> gone) {
        StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
        store.put(new byte[] {1}, new byte[50]);
        PersistMetrics.of(store).bindTo(registry);
        PersistMetrics.of(store).bindTo(other);
        store.close();
        numbers.addAll(values());
        return new WeakReference<>(store, gone);
    }

    /** It was bound with one key, and never looked at. */
    @Test
    void shouldHaveNumbersOfWhatIsClosedBeforeTheyAreReadForTheFirstTime() {
        StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
        store.put(new byte[] {1}, new byte[50]);
        PersistMetrics.of(store).bindTo(registry);
        store.close();
        assertThat(gauge("persist.store.keys")).isEqualTo(1);
        assertThat(gauge("persist.store.space")).isPositive();
    }

    private List<String> values() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId().getName() + "="
                        + (meter instanceof Gauge gauge ? gauge.value() : ((FunctionCounter) meter).count()))
                .toList();
    }

    @Test
    void shouldGoOnWithTheLogThatIsOpenedAgain() {
        PersistMetrics first;
        try (MessageLogger logger = MessageLogger.open(config())) {
            logger.append(new byte[7]);
            first = PersistMetrics.of(logger);
            first.bindTo(registry);
        }
        int meters = registry.getMeters().size();
        try (MessageLogger logger = MessageLogger.open(config())) {
            PersistMetrics.of(logger).bindTo(registry);
            logger.append(new byte[7]);
            logger.append(new byte[7]);
            logger.commit();
            assertThat(counter("persist.log.records")).isEqualTo(2);
            first.close(); // too late: they are the second one's
            assertThat(registry.getMeters()).hasSize(meters);
        }
    }

    /** Else many logs would take as many looks at the meters of all of them for each meter. */
    @Test
    void shouldNotLookThroughTheRegistryForEachMeter() {
        AtomicInteger looks = new AtomicInteger();
        MeterRegistry counting = new SimpleMeterRegistry() {
            @Override
            public List<Meter> getMeters() {
                looks.incrementAndGet();
                return super.getMeters();
            }
        };
        try (MessageLogger logger = MessageLogger.open(config())) {
            logger.tailer("one").close();
            PersistMetrics metrics = PersistMetrics.of(logger);
            metrics.bindTo(counting);
            assertThat(looks).as("to bind").hasValue(0);
            metrics.close();
            assertThat(looks)
                    .as("to take the meters away, and those of cursors")
                    .hasValue(2);
        }
        assertThat(counting.getMeters()).isEmpty();
    }

    /** One logger by two names of a service, in either order. */
    @Test
    void shouldLeaveTheMetersOfAnotherBinderAlone() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            for (boolean plainFirst : new boolean[] {true, false}) {
                PersistMetrics plain = PersistMetrics.of(logger);
                PersistMetrics tagged = PersistMetrics.of(logger, Tag.of("service", "orders"));
                (plainFirst ? plain : tagged).bindTo(registry);
                int one = registry.getMeters().size();
                (plainFirst ? tagged : plain).bindTo(registry);
                assertThat(registry.getMeters()).hasSize(2 * one);
                plain.close();
                assertThat(registry.getMeters())
                        .hasSize(one)
                        .allMatch(meter -> "orders".equals(meter.getId().getTag("service")));
                tagged.close();
                assertThat(registry.getMeters()).isEmpty();
            }
        }
    }

    @Test
    void shouldGoOnWithTheLogThatIsOpenedAgainWhateverTheRegistryMakesOfTheTags() {
        registry.config().meterFilter(MeterFilter.ignoreTags("log")).commonTags("host", "a");
        for (int records = 1; records <= 3; records++) {
            try (MessageLogger logger = MessageLogger.open(config())) {
                PersistMetrics.of(logger).bindTo(registry);
                for (int i = 0; i < records; i++) {
                    logger.append(new byte[7]);
                }
                logger.commit();
                assertThat(counter("persist.log.records")).isEqualTo(records);
            }
        }
    }

    private static MeterFilter renaming() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                return id.withName("app." + id.getName());
            }
        };
    }

    /** The first one is closed too late: the meters are the second one's. */
    @Test
    void shouldGoOnWithTheLogThatIsOpenedAgainWhateverTheRegistryMakesOfTheNames() {
        registry.config().commonTags("host", "a").meterFilter(renaming());
        PersistMetrics first = null;
        int meters = 0;
        for (int records = 1; records <= 3; records++) {
            try (MessageLogger logger = MessageLogger.open(config())) {
                logger.tailer("one").close();
                PersistMetrics metrics = PersistMetrics.of(logger);
                metrics.bindTo(registry);
                for (int i = 0; i < records; i++) {
                    logger.append(new byte[7]);
                }
                logger.commit();
                assertThat(counter("app.persist.log.records")).isEqualTo(records);
                if (first == null) {
                    first = metrics;
                    meters = registry.getMeters().size();
                } else {
                    first.close();
                }
                assertThat(registry.getMeters()).hasSize(meters);
            }
        }
    }

    /** As above, with a cursor that is gone when the log is opened again. */
    @Test
    void shouldForgetACursorThatIsGoneWhateverTheRegistryMakesOfItsName() {
        registry.config().commonTags("host", "a").meterFilter(renaming());
        for (String cursor : List.of("one", "two")) {
            try (MessageLogger logger = MessageLogger.open(config())) {
                logger.tailer(cursor).close();
                PersistMetrics.of(logger).bindTo(registry);
                assertThat(gauge("app.persist.log.cursors")).isEqualTo(1);
                assertThat(registry.get("app.persist.log.named.cursor.lag").gauges())
                        .singleElement()
                        .satisfies(
                                lag -> assertThat(lag.getId().getTag("cursor")).isEqualTo(cursor));
            }
            LogCursors.open(directory).remove(cursor);
        }
    }

    @Test
    void shouldReachPrometheus() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (MessageLogger logger = MessageLogger.open(config())) {
            PersistMetrics.of(logger).bindTo(prometheus);
            logger.append(new byte[100]);
            logger.commit(Durability.SYNCED);
            String tag = "{log=\"" + directory + "\"}";
            assertThat(prometheus.scrape())
                    .contains("persist_log_records_total" + tag + " 1.0")
                    .contains("persist_log_payload_bytes_total" + tag + " 100.0")
                    .contains("# TYPE persist_log_sync_time_seconds_total counter")
                    .contains("persist_log_unsynced_bytes" + tag + " 0.0");
        }
    }

    /** With numbers instead of a log: a device that does not answer, and a queue behind it. */
    @Test
    void shouldShowThatTheLogHangsOrHasFailed() {
        AtomicLong beganAtMs = new AtomicLong();
        AtomicBoolean failed = new AtomicBoolean();
        List<Measure<AtomicLong>> measures = new LogMeasures<AtomicLong>(
                        log -> LogStatistics.of(counter -> counter == Counter.SYNC_BEGAN_AT_MS ? log.get() : 0),
                        log -> 100,
                        log -> 140,
                        log -> 100,
                        log -> 60,
                        log -> failed.get(),
                        directory.toString())
                .all();
        assertThat(value(measures, "persist.log.unflushed", beganAtMs)).isEqualTo(40);
        assertThat(value(measures, "persist.log.unsynced", beganAtMs)).isEqualTo(80);
        assertThat(value(measures, "persist.log.failed", beganAtMs)).isZero();
        assertThat(value(measures, "persist.log.sync.age", beganAtMs)).isZero();
        failed.set(true);
        beganAtMs.set(System.currentTimeMillis() - 7_000);
        assertThat(value(measures, "persist.log.failed", beganAtMs)).isEqualTo(1);
        assertThat(value(measures, "persist.log.sync.age", beganAtMs)).isGreaterThanOrEqualTo(7e9);
    }

    private static double value(List<Measure<AtomicLong>> measures, String name, AtomicLong log) {
        return measures.stream()
                .filter(measure -> measure.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value()
                .applyAsDouble(log);
    }

    @Test
    void shouldShowEachCounter() {
        Set<String> meanings = Stream.of(Counter.values())
                .filter(counter -> counter.unit() != Counter.Unit.MS_SINCE_1970)
                .map(Counter::meaning)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> shown =
                PersistMetrics.measures("").stream().map(Measure::meaning).collect(Collectors.toSet());
        assertThat(shown).containsAll(meanings);
    }

    /** The rule by which the page says what Prometheus calls them, and by which the tools print them. */
    private void checkInPrometheus(List<List<String>> rows) {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
                PersistMetrics metrics = PersistMetrics.of(store)) {
            store.changes("one").close();
            metrics.bindTo(prometheus);
            assertThat(prometheus.scrape()).contains("persist_log_cursors{"); // which finds the cursor
            List<String> heads = prometheus
                    .scrape()
                    .lines()
                    .filter(line -> line.startsWith("# "))
                    .toList();
            assertThat(heads)
                    .containsExactlyInAnyOrderElementsOf(rows.stream()
                            .flatMap(row -> MeterTable.heads(row).stream())
                            .toList());
        }
    }

    /** The table of operations.md is what is registered. */
    @Test
    void shouldBeDocumented() {
        List<List<String>> rows = MeterTable.rows();
        List<List<String>> expected = Stream.of(PersistMetrics.measures(""), CursorMeters.all(), StoreMeasures.all())
                .flatMap(List::stream)
                .map(measure -> List.of(
                        measure.name(),
                        measure.kind().type(),
                        measure.kind().unit(),
                        measure.ofMany().word(),
                        measure.meaning()))
                .toList();
        assertThat(rows).isEqualTo(expected);
        StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
        PersistMetrics.of(store).bindTo(registry);
        store.close();
        assertThat(registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName))
                .hasSize(expected.size() - 1) // the store has no named cursor
                .doesNotContain("persist.log.named.cursor.lag");
        checkInPrometheus(rows);
    }
}
