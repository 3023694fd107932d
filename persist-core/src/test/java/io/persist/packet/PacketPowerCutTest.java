package io.persist.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.PacketLogger;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.Exploration;
import io.persist.testkit.Fault;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Something happens at each operation in turn: afterwards there are whole packets only, they are a prefix of what was
 * accepted, and all that a commit SYNCED covered is among them.
 */
class PacketPowerCutTest {

    private static final int PACKETS = Seeds.isNightly() ? 24 : 12;
    private static final int PRODUCERS = 3;
    private static final int MOST_SEEDS = 10;

    private final AtomicInteger torn = new AtomicInteger();

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepWholePacketsWhateverHappens(WriteMode mode) {
        exploreUntilPacketsAreLost(seed -> {
            Exploration tried = Seeds.lessInABuild(CrashExplorer.of(() -> new Script(mode, 1, new Random(seed))), seed)
                    .randomLives(5)
                    .explore();
            assertThat(tried.operations()).isGreaterThan(PACKETS / 3);
        });
    }

    /** Not with a full disk: producers that wait for the queue would wait for ever. */
    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldKeepWholePacketsOfManyThreadsWhateverStops(WriteMode mode) {
        exploreUntilPacketsAreLost(seed -> Seeds.lessInABuild(
                        CrashExplorer.of(() -> new Script(mode, PRODUCERS, new Random(seed))), seed)
                .faults(Fault.POWER_CUT, Fault.KILL, Fault.IO_ERROR)
                .randomLives(5)
                .explore());
    }

    /** A build tries few operations, and one loss, by which perhaps nothing is lost: then another seed follows. */
    private void exploreUntilPacketsAreLost(Seeds.Case exploration) {
        for (int i = 0; i < MOST_SEEDS && torn.get() == 0; i++) {
            Seeds.run(1, exploration);
        }
        assertThat(torn).as("packets that were lost in all").hasPositiveValue();
    }

    private final class Script implements CrashScript {

        private final int producers;
        private final Random random;
        private final LogConfig config;

        /** The seeds of the packets that were accepted, by the position right after each. */
        private final ConcurrentSkipListMap<Long, Long> accepted = new ConcurrentSkipListMap<>();

        private final AtomicLong acknowledged = new AtomicLong();

        Script(WriteMode mode, int producers, Random random) {
            this.producers = producers;
            this.random = random;
            this.config = LogConfig.builder(Path.of("memory"))
                    .segmentLength(4096)
                    .writeMode(mode)
                    .writeBufferLength(64 << random.nextInt(5))
                    .build();
        }

        private PacketLogger open(Storage storage) {
            DetachedConfig queue =
                    DetachedConfig.builder().queueDepth(1 << random.nextInt(6)).build();
            return producers == 1 ? PacketLogger.open(config, storage) : PacketLogger.open(config, queue, storage);
        }

        @Override
        public void run(Storage storage) throws Exception {
            PacketLogger logger = open(storage);
            try {
                produce(logger);
            } finally {
                logger.close();
            }
            acknowledge(logger.position());
        }

        private void produce(PacketLogger logger) throws Exception {
            AtomicReference<Throwable> stopped = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                Random ofThread = new Random(random.nextLong());
                threads.add(new Thread(() -> produce(logger, ofThread, stopped)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(30));
                assertThat(thread.isAlive()).isFalse();
            }
            if (stopped.get() instanceof PowerCut off) {
                throw off;
            } else if (stopped.get() instanceof PersistException failed) {
                throw failed;
            } else if (stopped.get() != null) {
                throw new AssertionError(stopped.get());
            }
        }

        private void produce(PacketLogger logger, Random ofThread, AtomicReference<Throwable> stopped) {
            try {
                for (int i = 0; i < PACKETS / producers; i++) {
                    long seed = ofThread.nextLong();
                    accepted.put(logger.append(Packets.fill(logger.packet(), seed)), seed);
                    if (ofThread.nextInt(3) == 0) {
                        acknowledge(logger.commit(Durability.SYNCED));
                    } else if (ofThread.nextInt(4) == 0) {
                        logger.roll();
                    }
                }
            } catch (Throwable e) {
                stopped.compareAndSet(null, e);
            }
        }

        private void acknowledge(long end) {
            acknowledged.accumulateAndGet(end, Math::max);
        }

        @Override
        public Object check(Storage storage) {
            try (PacketLogger after = PacketLogger.open(config, storage);
                    Tailer tailer = after.tailer()) {
                check(tailer);
                return accepted.size();
            }
        }

        /** What is missing in the end is forgotten: other packets will take its positions. */
        private void check(Tailer tailer) {
            PacketReader reader = new PacketReader();
            Iterator<Map.Entry<Long, Long>> expected = accepted.entrySet().iterator();
            long end = 0;
            while (tailer.next()) {
                assertThat(expected).as("packets, %s", config).hasNext();
                Map.Entry<Long, Long> next = expected.next();
                end = tailer.nextPosition();
                assertThat(end).isEqualTo(next.getKey());
                Packets.check(reader.wrap(tailer.payload(), tailer.position()), next.getValue());
            }
            if (expected.hasNext()) {
                assertThat(expected.next().getKey())
                        .as("the end of a packet that is missing, after what was acknowledged, %s", config)
                        .isGreaterThan(acknowledged.get());
            }
            Map<Long, Long> missing = accepted.tailMap(end, false);
            torn.addAndGet(missing.size());
            missing.clear();
        }
    }
}
