package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogFullException;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.matrix.Effort;
import io.persist.matrix.Follower;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Fault;
import io.persist.testkit.UncaughtErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A machine on which a subject lives again and again, with a fault in each life. */
final class Machine {

    private static final int STEPS = 60;

    /** One machine of so many has segments of several pages. */
    private static final int LONGER_SEGMENTS = 3;

    private final Subject subject;
    private final Random random;
    private final Work work;
    private final List<Follower> followers = new ArrayList<>();
    private CrashableStorage storage = new CrashableStorage();
    private boolean writesBackEarly;
    private boolean isRead;

    /** What is done with a machine in one case. */
    @FunctionalInterface
    interface Lives {

        /** All that is random follows from {@code random}. */
        void lead(Machine machine, Random random) throws Exception;
    }

    /**
     * Random cases: each has a machine of its own, whose kernel writes back early in half of them, and no thread may die
     * of anything but a power cut.
     */
    static void each(Subject subject, Effort effort, int inBuild, int atNight, Lives lives) {
        each(subject, effort, STEPS, inBuild, atNight, lives);
    }

    /** The same with lives of at most so many steps. */
    @SuppressWarnings("try") // the handler is there for the threads
    static void each(Subject subject, Effort effort, int mostSteps, int inBuild, int atNight, Lives lives) {
        effort.random(inBuild, atNight, mostSteps, (random, steps) -> {
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                Machine machine = new Machine(subject, random, steps);
                if (random.nextInt(LONGER_SEGMENTS) == 0) {
                    machine.work().withSegments(Subject.LONGER_SEGMENT_LENGTH);
                }
                if (random.nextBoolean()) {
                    machine.writeBackEarly();
                }
                lives.lead(machine, random);
            }
        });
    }

    /** All that happens follows from {@code random}; a life has {@code steps}. */
    Machine(Subject subject, Random random, int steps) {
        this.subject = subject;
        this.random = random;
        this.work = new Work(subject, new Random(random.nextLong()), steps).watchedBy(new Work.Witness() {
            @Override
            public void opened(int life, long last) {
                compare();
            }

            @Override
            public void full(LogFullException full) {
                if (random.nextBoolean()) {
                    throw full;
                }
                storage.capacityBytes(Long.MAX_VALUE);
            }
        });
    }

    /** From now on some of what is written reaches the device before it is synced. */
    Machine writeBackEarly() {
        writesBackEarly = true;
        return this;
    }

    /** From now on readers, which know nothing of the writer, look at the log before each of its operations. */
    Machine read() {
        isRead = true;
        return this;
    }

    Work work() {
        return work;
    }

    /** What the last life has left. */
    CrashableStorage storage() {
        return storage;
    }

    /** One life with {@code fault} at one of its operations, or after its end; then what comes after that. */
    void live(Fault fault) {
        liveUntil(fault);
        leave(fault);
    }

    /** The life alone; returns the storage as it was at the end, switched off or not. */
    CrashableStorage liveUntil(Fault fault) {
        Moment moment = Moment.drawn(storage, fault, random);
        if (writesBackEarly) {
            moment.writeBackEarly();
        }
        Readers readers = new Readers(ReadMode.values()[random.nextInt(ReadMode.values().length)]);
        if (isRead) {
            moment.before(readers);
        }
        storage.hook(moment);
        moment.live(work);
        storage.hook((number, what) -> {});
        followers.addAll(readers.end(moment));
        assertThat(storage.openHandles()).as("open handles, %s", moment).isZero();
        return storage;
    }

    /** What comes after {@code fault}: the process is gone in any case, and perhaps the power, too. */
    private void leave(Fault fault) {
        storage.capacityBytes(Long.MAX_VALUE);
        boolean isCut = fault == Fault.POWER_CUT || fault != Fault.KILL && random.nextBoolean();
        if (isCut || fault == Fault.REMOUNT) {
            work.powerWasCut();
            Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
            storage = fault == Fault.REMOUNT ? storage.afterRemount(random, loss) : storage.crash(random, loss);
        } else if (fault == Fault.IO_ERROR) {
            work.powerWasCut(); // of what was not synced anything may be missing then
        } else {
            work.wasKilled();
            storage = storage.afterKill();
        }
    }

    /** What readers saw as synced is there. */
    private void compare() {
        followers.forEach(follower -> follower.checkAllIsIn(work.entries()));
        followers.clear();
    }

    /** Opens what is left, twice, and looks at it. */
    void check() {
        Object seen = work.check(storage);
        compare();
        assertThat(work.check(storage)).as("the last entry at the next opening").isEqualTo(seen);
    }

    /** Two readers of one life, one of which sees only what is synced. */
    private final class Readers implements Runnable {

        private final ReadMode mode;
        private final List<Follower> open = new ArrayList<>();

        Readers(ReadMode mode) {
            this.mode = mode;
        }

        @Override
        public void run() {
            if (open.isEmpty()) {
                open.add(Follower.open(subject, storage, ReadScope.PUBLISHED, mode));
                open.add(Follower.open(subject, storage, ReadScope.SYNCED, mode));
            }
            open.forEach(Follower::readOn);
        }

        /** Closes them; returns those that saw what has to stay. */
        List<Follower> end(Moment moment) {
            try {
                if (!storage.isOff() && !open.isEmpty()) {
                    run();
                }
                moment.checkReaders();
            } finally {
                open.forEach(Follower::close);
            }
            return open.isEmpty() ? List.of() : List.of(open.get(1));
        }
    }
}
