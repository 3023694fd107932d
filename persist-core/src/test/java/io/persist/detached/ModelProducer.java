package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CommitTimeoutException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.QueueFullException;
import io.persist.format.Frame;
import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;

/** One of the threads of a model's run: does random things, and writes down and checks what it was told. */
final class ModelProducer implements Runnable {

    private static final Durability[] LEVELS = Durability.values();

    private final ModelScenario scenario;
    private final DetachedLog log;
    private final Ledger ledger;
    private final ModelObservers observers;
    private final int producer;
    private final Random random;
    private int number;
    private long lastEnd;

    /** Whether an interrupt of this step was answered by the end of a wait. */
    private boolean hasEndedAWait;

    /** What went wrong that must not, if anything. Read after the thread has ended. */
    Throwable wrong;

    volatile int stepsDone;

    ModelProducer(
            ModelScenario scenario, DetachedLog log, Ledger ledger, ModelObservers observers, int producer, long seed) {
        this.scenario = scenario;
        this.log = log;
        this.ledger = ledger;
        this.observers = observers;
        this.producer = producer;
        this.random = new Random(seed);
        this.lastEnd = log.position();
    }

    @Override
    public void run() {
        try {
            while (stepsDone < scenario.steps && step()) {
                stepsDone++;
                if (random.nextInt(3) == 0) {
                    Thread.yield();
                }
            }
        } catch (Throwable e) {
            wrong = e;
        } finally {
            stepsDone = scenario.steps;
        }
    }

    /** Returns whether there will be another one. */
    private boolean step() {
        hasEndedAWait = false;
        boolean interrupts = random.nextInt(10) == 0;
        if (interrupts) {
            Thread.currentThread().interrupt();
        }
        try {
            act();
        } catch (QueueFullException e) {
            assertThat(scenario.blocksWhenFull).isFalse();
        } catch (LogFullException e) {
            assertThat(scenario.fillsTheDisk).isTrue();
        } catch (LogIOException e) {
            assertThat(scenario.hasFaulted()).as("%s", e).isTrue();
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("logger is closed");
            assertThat(scenario.closesEarly).isTrue();
            return false;
        }
        assertThat(Thread.interrupted() || !interrupts || hasEndedAWait)
                .as("the interrupt is kept")
                .isTrue();
        return true;
    }

    private void act() {
        switch (random.nextInt(16)) {
            case 0, 1 -> commit(LEVELS[random.nextInt(3)]);
            case 2 -> {
                if (random.nextBoolean()) {
                    commitLater();
                } else {
                    commitInTime(LEVELS[random.nextInt(3)]);
                }
            }
            case 3 -> {
                log.flush();
                assertThat(log.flushedPosition()).isGreaterThanOrEqualTo(lastEnd);
            }
            case 4 -> {
                log.sync();
                acknowledge(lastEnd);
            }
            case 5 -> await();
            case 6 -> observers.promise(log, lastEnd + (random.nextInt(4) == 0 ? 100 : 0), level());
            case 7 -> observe();
            case 8 -> roll();
            default -> append();
        }
    }

    private Durability level() {
        return LEVELS[1 + random.nextInt(2)];
    }

    private void append() {
        boolean large = random.nextInt(15) == 0;
        int length = Ledger.MIN_LENGTH + random.nextInt(large ? maxPayload() - Ledger.MIN_LENGTH + 1 : 300);
        byte[] record = Ledger.record(producer, number, length);
        number++; // one that is refused leaves a gap
        long end = hand(record);
        assertThat(end).isGreaterThan(lastEnd);
        ledger.accept(producer, number - 1, length, end);
        lastEnd = end;
    }

    private int maxPayload() {
        return Frame.maxPayload(scenario.logConfig.segmentLength());
    }

    private long hand(byte[] record) {
        switch (random.nextInt(3)) {
            case 0 -> {
                byte[] array = new byte[record.length + 3];
                System.arraycopy(record, 0, array, 2, record.length);
                return log.append(array, 2, record.length);
            }
            case 1 -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(record.length + 5);
                buffer.put(5, record).position(5);
                long end = log.append(buffer);
                assertThat(buffer.position()).isEqualTo(5);
                return end;
            }
            default -> {
                if (random.nextInt(4) == 0) {
                    log.claim(random.nextInt(300)).abort();
                }
                Claim claim = log.claim(record.length);
                claim.payload().put(record);
                return claim.publish();
            }
        }
    }

    private void roll() {
        long next = log.roll();
        assertThat(next).isGreaterThanOrEqualTo(lastEnd);
        lastEnd = next;
    }

    private void commit(Durability level) {
        try {
            long end = log.commit(level);
            ledger.commit(end);
            assertThat(end).isGreaterThanOrEqualTo(lastEnd);
            assertThat(log.positions().reached(level) >= end || level == Durability.BUFFERED)
                    .as("%s of what was committed", level)
                    .isTrue();
            if (level == Durability.SYNCED) {
                acknowledge(end);
            }
        } catch (PersistException | IllegalStateException e) {
            ledger.commitFailed();
            throw e;
        }
    }

    private void commitLater() {
        try {
            long end = log.commitWithin(Duration.ofNanos(random.nextInt(1_000_000)));
            ledger.commit(end);
            observers.mustBeSynced(end);
        } catch (PersistException | IllegalStateException e) {
            ledger.commitFailed();
            throw e;
        }
    }

    /** Whether the time is enough or not, the commit is made. */
    private void commitInTime(Durability level) {
        try {
            long end = log.commit(level, Duration.ofNanos(random.nextInt(1_000_000)));
            ledger.commit(end);
            assertThat(log.positions().reached(level) >= end || level == Durability.BUFFERED)
                    .as("%s of what was committed", level)
                    .isTrue();
            if (level == Durability.SYNCED) {
                acknowledge(end);
            }
        } catch (CommitTimeoutException late) {
            assertThat(late.position()).isGreaterThanOrEqualTo(lastEnd);
            ledger.commit(late.position());
        } catch (PersistException | IllegalStateException e) {
            ledger.commitFailed();
            throw e;
        }
    }

    private void await() {
        Durability level = LEVELS[random.nextInt(3)];
        long position = lastEnd + (random.nextInt(3) == 0 ? random.nextInt(500) : 0);
        try {
            if (log.await(position, level, Duration.ofNanos(1000L * (random.nextInt(1000) - 10)))) {
                assertThat(log.positions().reached(level)).isGreaterThanOrEqualTo(position);
                if (level == Durability.SYNCED) {
                    acknowledge(position);
                }
            }
        } catch (InterruptedException e) {
            hasEndedAWait = true;
        }
    }

    private void acknowledge(long position) {
        assertThat(log.syncedPosition()).isGreaterThanOrEqualTo(position);
        ledger.acknowledge(position);
    }

    private void observe() {
        if (random.nextBoolean()) {
            observers.listen(log, level());
        } else if (producer == 0 && scenario.fault == ModelScenario.Fault.NONE) {
            ledger.retired();
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(3L * scenario.logConfig.segmentLength()));
            log.retire(plan, random.nextBoolean() ? Retirement.DELETE : Retirement.RECYCLE);
        }
    }
}
