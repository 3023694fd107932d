package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.support.OwnThreads;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random producers on random configurations, with failures, full disks, interrupts and a close at a random moment. What
 * the log holds in the end is compared with what each thread was told.
 */
class DetachedModelTest {

    private static final int RUNS = 60;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern UNWRITTEN = Pattern.compile("; (\\d+) accepted records could not be written");

    @Test
    void shouldHoldWhatItsThreadsWereTold() {
        Seeds.run(RUNS, seed -> OwnThreads.run(() -> new Run(seed).run()));
    }

    private static final class Run {

        private final long seed;
        private final ModelScenario scenario;
        private final CrashableStorage storage = new CrashableStorage();
        private final Ledger ledger = new Ledger();
        private final ModelObservers observers = new ModelObservers();
        private final List<ModelProducer> producers = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final DetachedLog log;

        Run(long seed) {
            this.seed = seed;
            this.scenario = new ModelScenario(seed);
            storage.capacityBytes(scenario.capacityBytes).hook(scenario);
            log = DetachedLog.over(Log.open(scenario.logConfig, storage), scenario.detachedConfig);
            ledger.commit(log.position());
        }

        void run() throws Exception {
            Random random = new Random(seed + 1);
            scenario.arm();
            for (int i = 0; i < scenario.producers; i++) {
                ModelProducer producer = new ModelProducer(scenario, log, ledger, observers, i, random.nextLong());
                producers.add(producer);
                threads.add(new Thread(producer, "producer " + i));
            }
            threads.forEach(Thread::start);
            meddle(random);
            if (!scenario.closesEarly) {
                joinAll();
            }
            Throwable atClose = close();
            joinAll();
            for (ModelProducer producer : producers) {
                if (producer.wrong != null) {
                    throw new AssertionError("a producer met " + producer.wrong, producer.wrong);
                }
            }
            check(atClose);
        }

        /** Interrupts and mends until it is time to close the log. */
        private void meddle(Random random) {
            int until = scenario.closesEarly ? random.nextInt(scenario.steps) : scenario.steps;
            long startNs = System.nanoTime();
            int rounds = 0;
            while (producers.get(0).stepsDone < until) {
                assertThat(System.nanoTime() - startNs).as("%s", stacks()).isLessThan(DEADLINE_NS);
                if (random.nextInt(20) == 0) {
                    threads.get(random.nextInt(threads.size())).interrupt();
                }
                if (scenario.fillsTheDisk && scenario.mendsTheDisk && ++rounds % 50 == 0) {
                    storage.capacityBytes(random.nextInt(3) == 0 ? scenario.capacityBytes : 1L << 40);
                }
                LockSupport.parkNanos(20_000);
            }
            if (scenario.mendsTheDisk) {
                storage.capacityBytes(1L << 40);
            }
        }

        private void joinAll() throws InterruptedException {
            long startNs = System.nanoTime();
            for (Thread thread : threads) {
                long remainingNs = DEADLINE_NS - (System.nanoTime() - startNs);
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remainingNs)));
                assertThat(thread.isAlive()).as("hangs: %s", stacks()).isFalse();
            }
        }

        private String stacks() {
            StringBuilder text = new StringBuilder();
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                if (thread.getName().startsWith("producer") || thread.getName().startsWith("persist")) {
                    text.append("\n").append(thread).append(Arrays.toString(stack));
                }
            });
            return text.toString();
        }

        /** Closes the log on a thread of its own, because it must not hang. Returns what it threw. */
        private Throwable close() throws InterruptedException {
            Throwable[] thrown = {null};
            Thread closing = new Thread(
                    () -> {
                        try {
                            log.close();
                        } catch (Throwable e) {
                            thrown[0] = e;
                        }
                    },
                    "producer of the end");
            closing.start();
            threads.add(closing);
            closing.join(TimeUnit.NANOSECONDS.toMillis(DEADLINE_NS));
            assertThat(closing.isAlive()).as("close hangs: %s", stacks()).isFalse();
            closeAgain(thrown[0]);
            return thrown[0];
        }

        /** It has no effect; unless an error cut the first attempt short before that could say what is lost. */
        private void closeAgain(@Nullable Throwable first) {
            try {
                log.close();
            } catch (LogFullException lost) {
                assertThat(first).isInstanceOfAny(ModelScenario.InjectedError.class, IllegalArgumentException.class);
            }
        }

        private void check(Throwable atClose) {
            scenario.disarm();
            storage.capacityBytes(1L << 40);
            boolean full = atClose instanceof LogFullException;
            boolean failed = atClose != null && !full;
            if (failed) {
                assertThat(scenario.hasFaulted()).as("%s", atClose).isTrue();
                assertThat(atClose)
                        .isInstanceOfAny(
                                LogIOException.class,
                                ModelScenario.InjectedError.class,
                                IllegalArgumentException.class);
            }
            assertThat(storage.openHandles()).isZero();
            observers.check(log, atClose == null, scenario.fillsTheDisk ? ledger.end() : Long.MAX_VALUE);
            ledger.checkOrderOfEach();
            int missing;
            try (Log reopened = Log.open(scenario.logConfig, storage);
                    Tailer tailer = reopened.tailer(scenario.tailerConfig)) {
                missing = ledger.check(tailer);
            }
            assertThat(storage.openHandles()).isZero();
            if (full) {
                assertThat(scenario.fillsTheDisk).isTrue();
                Matcher count = UNWRITTEN.matcher(atClose.getMessage());
                assertThat(count.find()).as(atClose.getMessage()).isTrue();
                assertThat(missing).isEqualTo(Integer.parseInt(count.group(1)));
            } else if (!failed) {
                assertThat(missing)
                        .as("records of %d are missing", ledger.size())
                        .isZero();
            }
        }
    }
}
