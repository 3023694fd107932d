package io.persist.peers.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.cache.CacheCommand;
import io.persist.bench.cache.CacheEngine;
import io.persist.bench.cache.CacheMode;
import io.persist.command.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program with RocksDB. */
class RocksCacheTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"rocksdb, sync", "rocksdb, async", "store, sync"})
    void shouldFindEachAcknowledgedSet(String engine, String mode) {
        Path logs = directory.resolve("logs");
        String arguments = "--items 300 --requests 1001 --threads 2 --clients 5 --warmup 0 --ratio 3:7 --checkpoint 0"
                + " --chkptRateMBps 100 --engine " + engine + " --mode " + mode + " --logsPath " + logs + " --dataPath "
                + directory.resolve("data");
        String out = run(arguments);
        assertThat(out)
                .contains("| 3:7 | " + mode + " | " + engine + " |", "Checkpoint from ")
                .contains("of 300 items with an acknowledged set 0 are lost.");
        assertThat(logs).doesNotExist();
        assertThat(directory).isEmptyDirectory();
    }

    /** Else its compaction is slow as well, which nothing of a store is. */
    @Test
    void shouldLimitNothingButTheCheckpoint() throws IOException {
        CacheEngine.Place place =
                new CacheEngine.Place(directory, directory, CacheMode.ASYNC, Duration.ofMillis(10), false, 2_000_000);
        try (RocksCacheEngine engine = new RocksCacheEngine(place)) {
            assertThat(engine.writableBytesPerSecond()).isEqualTo(Long.MAX_VALUE);
            engine.set(new byte[] {1}, new byte[1000]);
            engine.checkpoint();
            assertThat(engine.writableBytesPerSecond()).isEqualTo(Long.MAX_VALUE);
        }
        try (FlushRate rate = new FlushRate(place.checkpointBytesPerSecond())) {
            rate.begin();
            assertThat(rate.current()).isEqualTo(2_000_000);
            rate.end();
            assertThat(rate.current()).isEqualTo(Long.MAX_VALUE);
        }
    }

    /** Else all that wait for a sync would wait for ever. */
    @Test
    void shouldTellAllWhoWaitIfTheThreadThatSyncsEnds() throws Exception {
        CacheEngine.Place place =
                new CacheEngine.Place(directory, directory, CacheMode.SYNC, Duration.ofMillis(10), false, 0);
        AssertionError error = new AssertionError("of a test");
        try (CacheEngine engine = new RocksCacheEngine(place)) {
            long ticket = engine.set(new byte[] {1}, new byte[] {1});
            engine.whenSynced(ticket, failure -> {
                throw error;
            });
            BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
            while (told.isEmpty()) { // those before the thread has ended are synced
                CountDownLatch one = new CountDownLatch(1);
                engine.whenSynced(ticket, failure -> {
                    if (failure != null) {
                        told.add(failure);
                    }
                    one.countDown();
                });
                assertThat(one.await(1, TimeUnit.MINUTES)).as("is told").isTrue();
            }
            assertThat(told).containsExactly(error);
        }
    }

    @Test
    void shouldSayWhenARateHasNoEffect() {
        String out = run("--items 30 --requests 101 --threads 1 --clients 5 --warmup 0 --checkpoint auto"
                + " --chkptRateMBps 100 --engine rocksdb --logsPath " + directory);
        assertThat(out).containsPattern("chkptRateMBps +100 \\(not used: checkpoint auto of rocksdb\\)");
    }

    /** What it prints. */
    private static String run(String arguments) {
        Run run = Run.of(new CacheCommand(), arguments.split(" "));
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        return run.out();
    }
}
