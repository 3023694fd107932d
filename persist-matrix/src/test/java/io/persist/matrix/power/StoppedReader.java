package io.persist.matrix.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.Fault;
import io.persist.testkit.UncaughtErrors;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A reader of another process is stopped between any two of its calls to a storage. Meanwhile the writer goes on: it
 * rolls, takes segments away, uses their files again, compacts, closes, fails, and is opened again.
 */
public final class StoppedReader implements Exercise {

    private static final int STEPS = 60;
    private static final int LIVES = 4;

    /** These leave the writer's files as they are, and the machine on. */
    private static final List<Fault> FAULTS = List.of(Fault.IO_ERROR, Fault.DISK_FULL);

    @Override
    public Row row() {
        return Row.TAILING_READER;
    }

    @Override
    @SuppressWarnings("try") // the handler is there for the threads
    public void run(Subject subject, Effort effort) {
        effort.random(6, 1000, STEPS, (random, steps) -> {
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                new Both(subject, random, steps).run();
            }
        });
    }

    /** The writer and the reader. */
    private static final class Both {

        private final CrashableStorage storage = new CrashableStorage();
        private final Random ofWriter;
        private final Work work;
        private final Turns turns;
        private final ManyReaders readers;
        private volatile @Nullable Throwable wrong;

        Both(Subject subject, Random random, int steps) {
            this.ofWriter = new Random(random.nextLong());
            this.turns = new Turns(new Random(random.nextLong()));
            this.work = new Work(subject, new Random(random.nextLong()), steps);
            this.readers = new ManyReaders(
                    subject, turns.ofReader(storage), () -> turns.ofReader(new CrashableStorage()), work, random);
        }

        void run() throws Exception {
            Thread writer = new Thread(this::write, "writer");
            writer.start();
            try {
                while (!turns.areOver()) {
                    readers.readSome();
                    turns.pass();
                }
            } finally {
                turns.end();
                writer.join();
            }
            if (wrong != null) {
                throw new AssertionError("the writer: " + wrong, wrong);
            }
            readers.readToEnd();
            assertThat(storage.openHandles()).as("open handles").isZero();
        }

        private void write() {
            try {
                for (int life = 1; life < LIVES; life++) {
                    Fault fault = FAULTS.get(ofWriter.nextInt(FAULTS.size()));
                    live(Moment.drawn(storage, fault, ofWriter));
                }
                live(new Moment(storage, Fault.IO_ERROR, Integer.MAX_VALUE, ofWriter)); // which never comes
            } catch (Throwable e) {
                wrong = e;
            } finally {
                turns.end();
            }
        }

        private void live(Moment moment) {
            storage.hook(turns.ofWriter(moment));
            moment.live(work);
            work.powerWasCut(); // of what was not synced anything may be missing behind the fault
            storage.capacityBytes(Long.MAX_VALUE);
        }
    }
}
