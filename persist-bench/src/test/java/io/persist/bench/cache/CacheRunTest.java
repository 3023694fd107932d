package io.persist.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.persist.bench.cache.CacheTest.Pattern;
import io.persist.bench.latency.FakeClock;
import io.persist.bench.result.HistogramLog;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunOutput;
import io.persist.command.OutOfMemory;
import io.persist.error.PersistException;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.SingleWriterRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a set is acknowledged when it may be, and whether the check finds out if that was too early. */
class CacheRunTest {

    private static final Path PLACE = Path.of("place");
    private static final int ITEMS = 200;
    private static final int CLIENTS = 20;
    private static final CacheTest INSERT = new CacheTest(1, 0, Pattern.RANDOM);

    private static CacheEngine.Place place(CacheMode mode) {
        return new CacheEngine.Place(PLACE, PLACE, mode, Duration.ofHours(1), false, 0);
    }

    private static CacheRun.Work work(CacheTest test, CacheMode mode, int threads) {
        return new CacheRun.Work(test, mode, threads, CLIENTS, 1000, 0, -1, 7);
    }

    private static CacheResult measure(CacheEngine engine, CacheRun.Work work, CacheItems items)
            throws IOException, InterruptedException {
        return new CacheRun(work, items, () -> false, null).measure(engine, "test", PLACE, (second, beganNs) -> {});
    }

    /** The power goes after the last set was acknowledged; returns how many items are lost. */
    private static long lostByAPowerCut(CacheMode mode) throws IOException, InterruptedException {
        CrashableStorage storage = new CrashableStorage();
        CacheItems items = new CacheItems(ITEMS, 50);
        CacheEngine before = StoreEngine.open(place(mode), storage, storage);
        CacheResult result = measure(before, work(INSERT, mode, 4), items);
        assertThat(result.sets()).isEqualTo(1000);
        CrashableStorage after = storage.crash(new Random(7), Loss.ALL_LOST);
        try {
            before.close();
        } catch (PersistException | PowerCut off) {
            // It has no power any more.
        }
        try (CacheEngine engine = StoreEngine.open(place(mode), after, after)) {
            return items.lost(engine);
        }
    }

    @Test
    void shouldHaveEachAcknowledgedSyncSetAfterAPowerCut() throws Exception {
        assertThat(lostByAPowerCut(CacheMode.SYNC)).isZero();
    }

    /** Negative control: nothing is synced before the power goes. */
    @Test
    void shouldNoticeSetsThatAreLost() throws Exception {
        assertThat(lostByAPowerCut(CacheMode.ASYNC)).isPositive();
    }

    /** What a thread leaves half made when the heap is full can make the thread fail that counts. */
    @Test
    void shouldTellTheErrorThatWasFirst() throws InterruptedException {
        CompletableFuture<Void> told = new CompletableFuture<>();
        CacheEngine engine = new PatientEngine(1) {
            @Override
            public long set(byte[] key, byte[] value) {
                told.join();
                throw new OutOfMemoryError("injected");
            }
        };
        CacheRun run = new CacheRun(work(INSERT, CacheMode.OFF, 1), new CacheItems(ITEMS, 50), () -> false, null);
        assertThatThrownBy(() -> run.measure(engine, "test", PLACE, (second, beganNs) -> {
                    told.complete(null);
                    throw new IllegalStateException("half made");
                }))
                .matches(OutOfMemory::isCauseOf);
    }

    /** It syncs only when so many sets wait as there are clients: a thread that waited for one would wait for ever. */
    private static class PatientEngine implements CacheEngine {

        private final Map<String, byte[]> items = new ConcurrentHashMap<>();
        private final List<Synced> waiting = new ArrayList<>();
        private final int least;
        private int rounds;

        private PatientEngine(int least) {
            this.least = least;
        }

        @Override
        public long set(byte[] key, byte[] value) {
            items.put(new String(key, StandardCharsets.ISO_8859_1), value);
            return 0;
        }

        @Override
        public void whenSynced(long ticket, Synced synced) {
            waiting.add(synced);
            if (waiting.size() == least) {
                List<Synced> all = List.copyOf(waiting);
                waiting.clear();
                rounds++;
                all.forEach(each -> each.done(null));
            }
        }

        @Override
        public boolean ordersSets() {
            return false;
        }

        @Override
        public boolean get(byte[] key, ValueReader reader) {
            byte[] value = items.get(new String(key, StandardCharsets.ISO_8859_1));
            if (value != null) {
                reader.read(ByteBuffer.wrap(value));
            }
            return value != null;
        }

        @Override
        public void sync() {}

        @Override
        public void checkpoint() {}

        @Override
        public long syncs() {
            return rounds;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldServeTheOtherClientsWhileASetIsSynced() throws Exception {
        try (PatientEngine engine = new PatientEngine(CLIENTS)) {
            CacheItems items = new CacheItems(ITEMS, 50);
            CacheResult result = measure(engine, work(INSERT, CacheMode.SYNC, 1), items);
            assertThat(result.sets()).isEqualTo(1000);
            assertThat(engine.rounds).isEqualTo(1000 / CLIENTS);
            assertThat(result.latencies().get("set").getTotalCount()).isEqualTo(1000);
            assertThat(result.seconds().stream()
                            .mapToLong(CacheSeconds.Second::syncs)
                            .sum())
                    .isEqualTo(1000 / CLIENTS);
            assertThat(items.lost(engine)).isZero();
        }
    }

    /** Each call of an engine takes a second by this clock, and the clients of one thread have theirs one by one. */
    @ParameterizedTest
    @EnumSource(
            value = CacheMode.class,
            names = {"ASYNC", "SYNC"})
    void shouldCountTheWaitForTheThreadInEachLatency(CacheMode mode) {
        long second = TimeUnit.SECONDS.toNanos(1);
        FakeClock clock = new FakeClock(0);
        PatientEngine engine = new PatientEngine(1) {

            @Override
            public long set(byte[] key, byte[] value) {
                clock.advance(second);
                return super.set(key, value);
            }

            @Override
            public boolean get(byte[] key, ValueReader reader) {
                clock.advance(second);
                return super.get(key, reader);
            }
        };
        CacheTest half = new CacheTest(1, 1, Pattern.RANDOM);
        CacheThread thread = new CacheThread(
                new CacheRun.Work(half, mode, 1, 3, 12, 0, -1, 7),
                engine,
                new CacheItems(ITEMS, 50),
                0,
                3,
                () -> false,
                clock);
        thread.run();
        // The first three have had to wait for nobody, for one, and for two; all others for a round of three.
        assertThat(seconds(thread.sets())).containsExactly(1L, 2L, 3L, 3L, 3L, 3L);
        assertThat(seconds(thread.gets())).containsExactly(3L, 3L, 3L, 3L, 3L, 3L);
    }

    private static List<Long> seconds(SingleWriterRecorder recorder) {
        List<Long> seconds = new ArrayList<>();
        for (HistogramIterationValue each : recorder.getIntervalHistogram().recordedValues()) {
            long value = Math.round(each.getValueIteratedTo() / 1e9);
            seconds.addAll(Collections.nCopies((int) each.getCountAtValueIteratedTo(), value));
        }
        return seconds;
    }

    @Test
    void shouldSayThatASetWasNotSynced() {
        CacheEngine failing = new PatientEngine(1) {

            @Override
            public void whenSynced(long ticket, Synced synced) {
                synced.done(new IOException("the device is gone"));
            }
        };
        assertThatThrownBy(() -> measure(failing, work(INSERT, CacheMode.SYNC, 2), new CacheItems(ITEMS, 50)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the device is gone");
    }

    /** One that is stopped in the middle leaves its latencies beside no record of another run. */
    @Test
    @SuppressWarnings("try") // the output is given back, and nothing else
    void shouldForgetTheRunBefore(@TempDir Path output) throws Exception {
        Path record = Files.writeString(output.resolve(RunDirectory.FILE), "{\"format\": 1, \"program\": \"cache\"}");
        CacheItems items = new CacheItems(ITEMS, 50);
        try (PatientEngine engine = new PatientEngine(1);
                RunOutput taken = RunOutput.take("cache", output, List.of(output))) {
            new CacheRun(work(INSERT, CacheMode.ASYNC, 1), items, () -> false, output)
                    .measure(engine, "test", PLACE, (second, beganNs) -> {});
        }
        assertThat(output.resolve(HistogramLog.fileOf("set"))).isNotEmptyFile();
        assertThat(record).doesNotExist();
    }

    /** To write a checkpoint at its rate, and to read all items back, may take longer than a user waits. */
    @Test
    void shouldDeleteItsFilesSoonWhenItIsStopped(@TempDir Path directory) throws Exception {
        AtomicBoolean isStopped = new AtomicBoolean();
        AtomicInteger opened = new AtomicInteger();
        CountDownLatch hurried = new CountDownLatch(1);
        CacheEngine.Kind kind = new CacheEngine.Kind() {
            @Override
            public String id() {
                return "slow";
            }

            @Override
            public CacheEngine open(CacheEngine.Place place) {
                opened.incrementAndGet();
                return new PatientEngine(1) {
                    @Override
                    public long set(byte[] key, byte[] value) {
                        isStopped.set(true);
                        return super.set(key, value);
                    }

                    @Override
                    public void checkpoint() {
                        try {
                            assertThat(hurried.await(1, TimeUnit.MINUTES)).isTrue();
                        } catch (InterruptedException toldToEnd) {
                            checkpoint();
                        }
                    }

                    @Override
                    public void hurry() {
                        hurried.countDown();
                    }
                };
            }
        };
        CacheRun.Work work = new CacheRun.Work(INSERT, CacheMode.SYNC, 2, CLIENTS, 1_000_000, 0, 0, 7);
        CacheEngine.Place below =
                new CacheEngine.Place(directory, directory, CacheMode.SYNC, Duration.ofHours(1), false, 0);
        CacheResult result = new CacheRun(work, new CacheItems(ITEMS, 50), isStopped::get, null)
                .run(kind, below, (second, beganNs) -> {});
        assertThat(result).isNotNull();
        assertThat(result.sets()).isPositive();
        assertThat(result.reopened()).isNull();
        assertThat(opened).hasValue(1);
        assertThat(directory).isEmptyDirectory();
    }

    /** The recorders are older than the run: they are there while items are loaded. */
    @Test
    @SuppressWarnings("try") // the output is given back, and nothing else
    void shouldWriteLatenciesAtTheTimesOfTheirSeconds(@TempDir Path output) throws Exception {
        AtomicLong loadedMs = new AtomicLong();
        CacheTest gets = new CacheTest(0, 1, Pattern.RANDOM);
        try (PatientEngine engine = new PatientEngine(1) {

                    @Override
                    public void sync() {
                        long untilMs = System.currentTimeMillis() + 5;
                        while (System.currentTimeMillis() < untilMs) {
                            Thread.onSpinWait();
                        }
                        loadedMs.set(untilMs);
                    }
                };
                RunOutput taken = RunOutput.take("cache", output, List.of(output))) {
            new CacheRun(work(gets, CacheMode.ASYNC, 1), new CacheItems(ITEMS, 50), () -> false, output)
                    .measure(engine, "test", PLACE, (second, beganNs) -> {});
        }
        try (HistogramLogReader log = new HistogramLogReader(
                output.resolve(HistogramLog.fileOf("get")).toFile())) {
            EncodableHistogram first = log.nextIntervalHistogram();
            // The reader's seconds are fractions, which may be less by one when they are whole ms again.
            assertThat(first.getStartTimeStamp()).isGreaterThanOrEqualTo(loadedMs.get() - 1);
            assertThat(log.getStartTimeSec() * 1000).isCloseTo(first.getStartTimeStamp(), within(2.0));
        }
    }

    /** What was loaded until then is no result. */
    @Test
    void shouldHaveNoResultIfItIsStoppedWhileItLoads() throws Exception {
        CacheTest gets = new CacheTest(0, 1, Pattern.RANDOM);
        try (PatientEngine engine = new PatientEngine(1)) {
            CacheRun run = new CacheRun(
                    work(gets, CacheMode.ASYNC, 1),
                    new CacheItems(ITEMS, 50),
                    () -> engine.items.size() == ITEMS / 2,
                    null);
            assertThat(run.measure(engine, "test", PLACE, (second, beganNs) -> {}))
                    .isNull();
            assertThat(engine.items).hasSize(ITEMS / 2);
        }
    }

    @Test
    void shouldNoticeAValueOfAnotherItem() {
        CacheItems items = new CacheItems(ITEMS, 50);
        assertThat(items.stamp(3, ByteBuffer.wrap(items.value(3, 99)))).isEqualTo(99);
        assertThatThrownBy(() -> items.stamp(4, ByteBuffer.wrap(items.value(3, 99))))
                .hasMessage("item 5 has the value of another one");
    }

    /** memtier's pattern P: the clients share the items among them, so that an insert puts each once. */
    @Test
    void shouldPutEachItemOnceInParallel() throws Exception {
        CacheItems items = new CacheItems(1000, 50);
        try (PatientEngine engine = new PatientEngine(1)) {
            measure(engine, work(new CacheTest(1, 0, Pattern.PARALLEL), CacheMode.ASYNC, 3), items);
            assertThat(engine.items).hasSize(1000);
            assertThat(items.acknowledgedItems()).isEqualTo(1000);
        }
    }
}
