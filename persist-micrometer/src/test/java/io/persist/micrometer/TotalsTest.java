package io.persist.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.persist.Journal;
import io.persist.LogMonitor;
import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import java.nio.file.Path;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Many logs as one set of meters. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class TotalsTest {

    @TempDir
    private Path directory;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Map<String, Journal> loggers = new ConcurrentHashMap<>();

    private LogConfig config(String name) {
        return LogConfig.builder(directory.resolve(name)).segmentLength(4096).build();
    }

    private MessageLogger open(String name) {
        MessageLogger logger = MessageLogger.open(config(name));
        loggers.put(name, logger);
        return logger;
    }

    /** The second look at a meter is that of another scrape, however soon it comes. */
    private double gauge(String name) {
        Gauge gauge = registry.get(name).gauge();
        assertThat(gauge.value()).isNotNegative();
        return gauge.value();
    }

    private double counter(String name) {
        assertThat(registry.get(name).functionCounter().count()).isNotNegative();
        return registry.get(name).functionCounter().count();
    }

    private static void append(Journal logger, int records) {
        for (int i = 0; i < records; i++) {
            ((MessageLogger) logger).append(new byte[100]);
        }
        logger.commit(Durability.BUFFERED);
    }

    @Test
    void shouldAddUpWhatAddsUpAndShowTheWorstOfTheRest() {
        try (MessageLogger one = open("one");
                MessageLogger two = open("two");
                PacketLogger packets = PacketLogger.open(
                        config("packets"),
                        DetachedConfig.builder().queueDepth(64).build());
                PersistMetrics metrics = PersistMetrics.ofAll(loggers.values(), Tag.of("service", "orders"))) {
            loggers.put("packets", packets);
            metrics.bindTo(registry);
            one.tailer("reader").close();
            two.tailer("reader").close();
            append(one, 2);
            append(two, 5);
            packets.append(packets.packet().add(new byte[5]));
            packets.commit(Durability.SYNCED);
            assertThat(gauge("persist.logs.open")).isEqualTo(3);
            assertThat(counter("persist.logs.records")).isEqualTo(8);
            assertThat(counter("persist.logs.syncs")).isEqualTo(1);
            assertThat(gauge("persist.logs.queue.capacity")).isEqualTo(64);
            assertThat(gauge("persist.logs.failed")).isZero();
            assertThat(gauge("persist.logs.unsynced"))
                    .isEqualTo(one.position() - one.syncedPosition() + two.position() - two.syncedPosition());
            assertThat(gauge("persist.logs.sync.max"))
                    .isEqualTo(packets.statistics().syncMaxNs() / 1e9)
                    .isPositive();
            assertThat(counter("persist.logs.sync.time"))
                    .isEqualTo(packets.statistics().syncNs() / 1e9);
            assertThat(gauge("persist.logs.cursor.lag"))
                    .as("the slowest of both")
                    .isEqualTo(LogMonitor.open(directory.resolve("two")).read().slowestCursorLag());
            assertThat(gauge("persist.logs.segments")).isEqualTo(3);
            assertThat(gauge("persist.logs.size")).isEqualTo(one.position() + two.position() + packets.position());
            double usable = LogMonitor.open(directory.resolve("one")).extent().usableBytes();
            assertThat(gauge("persist.logs.disk.usable"))
                    .as("of one disk, and not of three")
                    .isBetween(0.5 * usable, 2 * usable);
            assertThat(registry.getMeters())
                    .allMatch(meter -> meter.getId().getTags().equals(List.of(Tag.of("service", "orders"))))
                    .extracting(Meter::getId)
                    .extracting(Meter.Id::getName)
                    .doesNotContain("persist.logs.position", "persist.logs.first.position");
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    /** A counter that falls would seem to have begun anew. */
    @Test
    void shouldKeepWhatALoggerHasCountedThatIsGone() {
        PersistMetrics.ofAll(loggers.values()).bindTo(registry);
        assertThat(counter("persist.logs.records")).isZero();
        assertThat(registry.get("persist.logs.disk.usable").gauge().value()).isNaN();
        MessageLogger one = open("one");
        try (MessageLogger two = open("two")) {
            append(one, 3);
            append(two, 4);
            assertThat(counter("persist.logs.records")).isEqualTo(7);
            append(one, 10);
            one.close();
            assertThat(counter("persist.logs.records")).as("it is still there").isEqualTo(17);
            append(two, 1);
        }
        loggers.remove("one");
        loggers.remove("two");
        assertThat(counter("persist.logs.records"))
                .as("with what was counted since the last look")
                .isEqualTo(18);
        assertThat(gauge("persist.logs.open")).isZero();
        assertThat(gauge("persist.logs.size")).isZero();
        try (MessageLogger again = open("one")) {
            assertThat(counter("persist.logs.records")).isEqualTo(18);
            append(again, 2);
            assertThat(counter("persist.logs.records")).isEqualTo(20);
            assertThat(gauge("persist.logs.open")).isEqualTo(1);
        }
        assertThat(counter("persist.logs.records")).as("and not twice").isEqualTo(20);
    }

    @Test
    void shouldAddUpStoresAndTheirLogs() {
        List<StoreLogger> stores = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            stores.add(StoreLogger.open(StoreConfig.builder(config(name)).build()));
        }
        PersistMetrics.ofAllStores(stores).bindTo(registry);
        for (int i = 0; i < 2; i++) {
            stores.get(i).put(new byte[] {1}, new byte[50]);
            stores.get(1).put(new byte[] {2}, new byte[50]);
        }
        assertThat(gauge("persist.stores.keys")).isEqualTo(3);
        assertThat(counter("persist.logs.records")).isEqualTo(4);
        stores.get(1).checkpoint();
        assertThat(gauge("persist.stores.checkpoint.time"))
                .isEqualTo(stores.get(1).statistics().checkpoint().elapsedNs() / 1e9);
        stores.forEach(StoreLogger::close);
        assertThat(gauge("persist.stores.keys")).isEqualTo(3);
    }

    /** A registry may have a lock while it reads meters, which the thread needs that adds up. */
    @Test
    void shouldNotWaitForAThreadThatAddsUp() throws InterruptedException {
        AtomicReference<Runnable> within = new AtomicReference<>(() -> {});
        Collection<Journal> collection = new AbstractCollection<>() {
            @Override
            public Iterator<Journal> iterator() {
                within.get().run();
                return loggers.values().iterator();
            }

            @Override
            public int size() {
                return loggers.size();
            }
        };
        try (MessageLogger logger = open("one")) {
            PersistMetrics.ofAll(collection).bindTo(registry);
            append(logger, 3);
            assertThat(counter("persist.logs.records")).isEqualTo(3);
            append(logger, 2);
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            within.set(() -> {
                inside.countDown();
                Await.latch(goOn);
            });
            Thread adding = new Thread(() -> counter("persist.logs.records"));
            adding.start();
            Await.latch(inside);
            assertThat(counter("persist.logs.records"))
                    .as("what there was before")
                    .isEqualTo(3);
            within.set(() -> {});
            goOn.countDown();
            adding.join();
            assertThat(counter("persist.logs.records")).isEqualTo(5);
        }
    }

    /** Each meter has a word for it in the table. */
    @Test
    void shouldHaveAMeterForEachMeasureThatSaysSomething() {
        PersistMetrics.ofAllStores(List.of()).bindTo(registry);
        List<String> expected = Stream.of(PersistMetrics.measures(""), StoreMeasures.all())
                .flatMap(List::stream)
                .filter(measure -> !measure.ofMany().word().isEmpty())
                .map(measure -> measure.name()
                        .replace("persist.log.", "persist.logs.")
                        .replace("persist.store.", "persist.stores."))
                .toList();
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsAll(expected)
                .contains("persist.logs.open")
                .hasSize(expected.size() + 1);
    }
}
