package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.detached.DetachedConfig;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Tailer;
import io.persist.log.WriteMode;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The power is cut at each operation in turn: afterwards there are whole packets only, they are a prefix of what was
 * accepted, and all that a commit SYNCED covered is among them.
 */
class PacketPowerCutTest {

    private static final int PACKETS = 36;
    private static final int PRODUCERS = 3;
    private static final int MOST_OPERATIONS = 2000;

    /** The seeds of the packets that were accepted, by the position right after each. */
    private final ConcurrentSkipListMap<Long, Long> accepted = new ConcurrentSkipListMap<>();

    private final AtomicLong acknowledged = new AtomicLong();
    private int torn;

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepWholePacketsWhereverThePowerIsCut(WriteMode mode) {
        Seeds.run(1, seed -> {
            int cut = 1;
            while (cutAt(cut, mode, 1, new Random(seed))) {
                assertThat(++cut).isLessThan(MOST_OPERATIONS);
            }
            assertThat(cut).isGreaterThan(PACKETS / 3);
            assertThat(torn).as("packets that were lost in all").isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepWholePacketsOfManyThreadsWhereverThePowerIsCut(WriteMode mode) {
        Seeds.run(1, seed -> {
            int cut = 1;
            while (cutAt(cut, mode, PRODUCERS, new Random(seed))) {
                assertThat(++cut).isLessThan(MOST_OPERATIONS);
            }
            assertThat(torn).as("packets that were lost in all").isPositive();
        });
    }

    /** Returns whether the power went before the log was closed. */
    private boolean cutAt(int cut, WriteMode mode, int producers, Random random) throws InterruptedException {
        boolean wasCut = false;
        for (Loss loss : Loss.values()) {
            LogConfig config = LogConfig.builder(Path.of("memory"))
                    .segmentLength(4096)
                    .writeMode(mode)
                    .writeBufferLength(64 << random.nextInt(5))
                    .build();
            CrashableStorage storage = new CrashableStorage().cutPowerAt(cut);
            accepted.clear();
            acknowledged.set(0);
            live(config, storage, producers, random);
            wasCut |= storage.isOff();
            try (PacketLogger after = PacketLogger.open(config, storage.crash(random, loss));
                    Tailer tailer = after.tailer()) {
                check(tailer);
                assertThat(after.append(Packets.fill(after.packet(), 42))).isPositive();
            } catch (AssertionError | PersistException e) {
                throw new AssertionError("cut=" + cut + ", loss=" + loss + ", " + config + ": " + e.getMessage(), e);
            }
            assertThat(storage.openHandles()).isZero();
        }
        return wasCut;
    }

    private void live(LogConfig config, CrashableStorage storage, int producers, Random random)
            throws InterruptedException {
        PacketLogger logger;
        try {
            logger = producers == 1
                    ? PacketLogger.open(config, storage)
                    : PacketLogger.open(
                            config,
                            DetachedConfig.builder()
                                    .queueDepth(1 << random.nextInt(6))
                                    .build(),
                            storage);
        } catch (PowerCut off) {
            return; // while it was opened
        }
        List<Throwable> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            long seed = random.nextLong();
            threads.add(new Thread(() -> produce(logger, PACKETS / producers, new Random(seed), wrong)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(wrong).isEmpty();
        try {
            logger.close();
            acknowledge(logger.position());
        } catch (LogIOException | PowerCut off) {
            assertThat(storage.isOff()).isTrue();
        }
    }

    private void produce(PacketLogger logger, int packets, Random random, List<Throwable> wrong) {
        try {
            for (int i = 0; i < packets; i++) {
                long seed = random.nextLong();
                accepted.put(logger.append(Packets.fill(logger.packet(), seed)), seed);
                if (random.nextInt(3) == 0) {
                    acknowledge(logger.commit(Durability.SYNCED));
                }
            }
        } catch (LogIOException | PowerCut off) {
            // That is what became of it.
        } catch (Throwable e) {
            synchronized (wrong) {
                wrong.add(e);
            }
        }
    }

    private void acknowledge(long end) {
        acknowledged.accumulateAndGet(end, Math::max);
    }

    private void check(Tailer tailer) {
        PacketReader reader = new PacketReader();
        Iterator<Map.Entry<Long, Long>> expected = accepted.entrySet().iterator();
        while (tailer.next()) {
            assertThat(expected).as("packets").hasNext();
            Map.Entry<Long, Long> next = expected.next();
            assertThat(tailer.nextPosition()).isEqualTo(next.getKey());
            Packets.check(reader.wrap(tailer.payload(), tailer.position()), next.getValue());
        }
        while (expected.hasNext()) {
            torn++;
            assertThat(expected.next().getKey())
                    .as("the end of a packet that is missing, after what was acknowledged")
                    .isGreaterThan(acknowledged.get());
        }
    }
}
