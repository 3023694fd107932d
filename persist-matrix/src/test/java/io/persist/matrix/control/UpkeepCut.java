package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.fault.Ended;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import io.persist.testkit.UncaughtErrors;
import java.lang.Thread.State;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The power goes at each operation of a life that begins with a log of some length, takes segments away, and fills
 * others: what retention, checkpoints and compaction do is there as a whole or not at all.
 */
public final class UpkeepCut implements Exercise {

    private static final int STRIDE = 7;

    private static final int EARLIER = 160;
    private static final int APPENDS = 50;
    private static final int UNSYNCED = 5;

    /** More than upkeep leaves of a log of messages or packets: none of what remains is synced by then. */
    private static final int ALL_UNSYNCED = 160;

    /** How many segments without records a writer keeps ahead. */
    private static final int AHEAD = 2;

    @Override
    public Row row() {
        return Row.POWER_CUT_EVERYWHERE;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.attached();
    }

    @Override
    @SuppressWarnings("try") // the handler is there for the threads
    public void run(Subject subject, Effort effort) {
        effort.random(1, 4, APPENDS, (random, appends) -> {
            Earlier earlier = earlier(subject);
            isThereWhenItReturns(subject, earlier, random);
            int before = random.nextBoolean() ? UNSYNCED : ALL_UNSYNCED;
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                effort.everyChance(
                        STRIDE, random, operation -> cut(subject, earlier, operation, before, appends, random));
            }
        });
    }

    /** What an earlier life has left. */
    private record Earlier(CrashableStorage storage, Entries known) {

        CrashableStorage copy(Random random) {
            return storage.crash(random, Loss.ALL_KEPT);
        }

        Entries entries() {
            return Entries.parse(known.format());
        }
    }

    private static Earlier earlier(Subject subject) {
        CrashableStorage storage = new CrashableStorage();
        Entries entries = new Entries();
        try (Life life = subject.open(storage)) {
            append(life, entries, EARLIER / 2);
            life.upkeep(entries);
            append(life, entries, EARLIER / 2); // for which some of what is there is superfluous by now
        }
        return new Earlier(storage, entries);
    }

    private static void append(Life life, Entries entries, int count) {
        for (int i = 0; i < count; i++) {
            life.append(entries, entries.add(1));
        }
    }

    /** Once upkeep has returned the power takes none of it back: neither what it took away nor what it made. */
    private static void isThereWhenItReturns(Subject subject, Earlier earlier, Random random) {
        CrashableStorage storage = earlier.copy(random);
        Life life = subject.open(storage);
        try {
            awaitFiller(storage);
            List<String> before = files(storage);
            life.upkeep(earlier.entries());
            List<String> after = files(storage);
            assertThat(after).as("upkeep has something to do").isNotEqualTo(before);
            List<String> left = files(storage.crash(random, Loss.ALL_LOST));
            // Not the segments that the log makes meanwhile for what compaction has moved.
            assertThat(left)
                    .as("segments and checkpoints after upkeep and a power cut")
                    .containsAll(after.stream()
                            .filter(name -> before.contains(name)
                                    || CheckpointName.position(name).isPresent())
                            .toList());
            assertThat(before.stream().filter(name -> !after.contains(name)))
                    .as("what upkeep took away, after a power cut")
                    .doesNotContainAnyElementsOf(left);
        } finally {
            Ended.close(life);
        }
    }

    /** Segments and checkpoints. */
    private static List<String> files(CrashableStorage storage) {
        return storage.list().stream()
                .filter(name -> LogFileName.basePosition(name).isPresent()
                        || CheckpointName.position(name).isPresent())
                .toList();
    }

    /** Whether there was such an operation. */
    private static boolean cut(
            Subject subject, Earlier earlier, int operation, int before, int appends, Random random) {
        CrashableStorage storage = earlier.copy(random).cutPowerAt(operation);
        Entries entries = earlier.entries();
        long synced = live(subject, storage, entries, before, appends);
        boolean isCut = storage.isOff();
        for (Loss loss : List.of(Loss.ALL_LOST, Loss.values()[operation % Loss.values().length])) {
            CrashableStorage left = storage.crash(random, loss);
            try (Life life = subject.open(left)) {
                assertThat(life.verify(entries))
                        .as("the last entry after a cut at operation %d, %s, %s", operation, loss, life.recovery())
                        .isBetween(synced, entries.last());
            }
        }
        return isCut;
    }

    /**
     * Until the threads that make segments and fill them have done so ahead and sleep: with the birth of a segment it syncs the
     * directory, which would make durable what upkeep has left undone.
     */
    private static void awaitFiller(CrashableStorage storage) {
        Await.until("segments are ahead", () -> isAhead(storage) && isAsleep());
    }

    private static boolean isAhead(CrashableStorage storage) {
        synchronized (storage) { // the threads of a life take none away between the list and what is listed
            return storage.list().stream()
                            .filter(name -> LogFileName.basePosition(name).isPresent())
                            .filter(name -> storage.content(name)[SegmentHeader.LENGTH] == 0)
                            .count()
                    >= AHEAD;
        }
    }

    private static boolean isAsleep() {
        Thread[] threads = new Thread[Thread.activeCount() + 10];
        int count = Thread.enumerate(threads);
        return Arrays.stream(threads, 0, count)
                .filter(thread ->
                        thread.getName().startsWith("fill ") || thread.getName().startsWith("make "))
                .allMatch(thread -> thread.getState() == State.WAITING || thread.getState() == State.TIMED_WAITING);
    }

    /** Upkeep comes behind {@code before} entries. Returns the last entry that is on the device for sure. */
    private static long live(Subject subject, CrashableStorage storage, Entries entries, int before, int appends) {
        long synced = entries.last();
        try (Life life = subject.open(storage)) {
            append(life, entries, before);
            life.upkeep(entries);
            for (int i = 0; i < appends; i += UNSYNCED) {
                append(life, entries, UNSYNCED);
                life.commit(Durability.SYNCED);
                synced = entries.last();
            }
        } catch (PersistException | PowerCut off) {
            if (!storage.isOff()) {
                throw off;
            }
        }
        return synced;
    }
}
