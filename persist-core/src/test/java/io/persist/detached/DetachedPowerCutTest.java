package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power is cut at each operation in turn while three producers commit: all that a commit SYNCED covered is there
 * afterwards, and nothing else than a prefix of what was accepted, in the order of the positions.
 */
class DetachedPowerCutTest {

    private static final int PRODUCERS = 3;
    private static final int STEPS = 30;
    private static final int OPERATIONS = 90;

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepWhatWasSyncedWhereverThePowerIsCut(WriteMode mode) {
        Seeds.run(1, seed -> {
            Random random = new Random(seed);
            int first = random.nextInt(Loss.values().length);
            for (int cut = 1; cut <= OPERATIONS; cut++) {
                for (Loss loss : Loss.values()) {
                    // In a build one loss for each operation, another one for the next.
                    if (Seeds.isNightly() || loss.ordinal() == (cut + first) % Loss.values().length) {
                        run(mode, cut, loss, random);
                    }
                }
            }
        });
    }

    private static void run(WriteMode mode, int cut, Loss loss, Random random) throws InterruptedException {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(4096)
                .writeMode(mode)
                .writeBufferLength(64 << random.nextInt(5))
                .build();
        CrashableStorage storage = new CrashableStorage().cutPowerAt(cut);
        Ledger ledger = new Ledger();
        live(config, storage, ledger, random);
        try (Log log = Log.open(config, storage.crash(random, loss));
                Tailer tailer = log.tailer()) {
            ledger.check(tailer);
        } catch (AssertionError | PersistException e) {
            throw new AssertionError("cut=" + cut + ", loss=" + loss + ": " + e.getMessage(), e);
        }
        assertThat(storage.openHandles()).isZero();
    }

    private static void live(LogConfig config, CrashableStorage storage, Ledger ledger, Random random)
            throws InterruptedException {
        DetachedConfig queue =
                DetachedConfig.builder().queueDepth(1 << random.nextInt(6)).build();
        DetachedLog log;
        try {
            log = DetachedLog.over(Log.open(config, storage), queue);
        } catch (PowerCut off) {
            return; // while it was opened
        }
        ledger.commit(log.position());
        List<Throwable> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            long seed = random.nextLong();
            threads.add(new Thread(() -> produce(log, ledger, producer, new Random(seed), wrong)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(wrong).isEmpty();
        try {
            log.close();
        } catch (LogIOException | PowerCut off) {
            assertThat(storage.isOff()).isTrue();
        }
    }

    private static void produce(DetachedLog log, Ledger ledger, int producer, Random random, List<Throwable> wrong) {
        try {
            for (int i = 0; i < STEPS; i++) {
                int length = Ledger.MIN_LENGTH + random.nextInt(250);
                ledger.accept(producer, i, length, log.append(Ledger.record(producer, i, length), 0, length));
                if (random.nextInt(3) == 0) {
                    ledger.acknowledge(commit(log, ledger));
                } else if (random.nextInt(5) == 0) {
                    log.roll();
                }
            }
        } catch (LogIOException off) {
            // That is what became of it.
        } catch (Throwable e) {
            synchronized (wrong) {
                wrong.add(e);
            }
        }
    }

    private static long commit(DetachedLog log, Ledger ledger) {
        try {
            long end = log.commit(Durability.SYNCED);
            ledger.commit(end);
            return end;
        } catch (LogIOException off) {
            ledger.commitFailed();
            throw off;
        }
    }
}
