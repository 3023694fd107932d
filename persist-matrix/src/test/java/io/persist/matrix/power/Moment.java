package io.persist.matrix.power;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.matrix.Work;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.Fault;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When in a life its fault comes: before an operation. Has the kernel write something back before some of them, and
 * readers look at the log before each.
 *
 * <p><b>Threads:</b> any.
 */
final class Moment implements CrashableStorage.Hook {

    /** A life has hardly ever more operations than 2 to the power of this. */
    private static final int MOST_BITS = 9;

    private final CrashableStorage storage;
    private final Fault fault;
    private final int first;
    private final Random random;
    private final ReentrantLock reading = new ReentrantLock();
    private boolean writesBackEarly;
    private @Nullable Runnable readers;
    private volatile @Nullable Throwable wrong;
    private int operations;
    private @Nullable String came;

    /** {@code fault} before the operation {@code first}, or the next one at which it makes a difference. */
    Moment(CrashableStorage storage, Fault fault, int first, Random random) {
        this.storage = storage;
        this.fault = fault;
        this.first = first;
        this.random = random;
    }

    /** {@code fault} before an operation that is drawn, or behind the end of the life. */
    static Moment drawn(CrashableStorage storage, Fault fault, Random random) {
        int first = 1 + random.nextInt(1 << 1 + random.nextInt(MOST_BITS));
        return new Moment(storage, fault, first, new Random(random.nextLong()));
    }

    /** Has {@code work} done for one life, which only this fault may end early. */
    void live(Work work) {
        try {
            work.run(storage);
        } catch (CorruptLogException | UnsupportedFormatException wrong) {
            throw new AssertionError("a log without damage was refused, " + this, wrong);
        } catch (PersistException | PowerCut stopped) {
            if (!hasCome()) {
                throw new AssertionError("a life without a fault was stopped: " + stopped, stopped);
            }
        }
    }

    void writeBackEarly() {
        writesBackEarly = true;
    }

    /** Runs {@code look} before each operation, but not before those that it does. */
    void before(Runnable look) {
        readers = look;
    }

    @Override
    public void beforeOperation(int number, String what) throws IOException {
        if (reading.isHeldByCurrentThread()) {
            return;
        }
        look();
        if (comesNow(what)) {
            strike(what);
        }
    }

    private void look() {
        if (readers != null && wrong == null && reading.tryLock()) {
            try {
                readers.run();
            } catch (PowerCut off) {
                // Another thread's operation was the moment.
            } catch (Throwable failure) {
                wrong = failure;
            } finally {
                reading.unlock();
            }
        }
    }

    /** Throws what was wrong for the readers. */
    void checkReaders() {
        if (wrong != null) {
            throw new AssertionError("a reader: " + wrong + ", " + this, wrong);
        }
    }

    private synchronized boolean comesNow(String what) {
        if (writesBackEarly && random.nextInt(8) == 0) {
            storage.writeBack(random);
        }
        operations++;
        boolean fits = fault != Fault.DISK_FULL || what.startsWith("create ") || what.startsWith("write ");
        if (came != null || operations < first || !fits) {
            return false;
        }
        came = "operation " + operations + ": " + what;
        return true;
    }

    private void strike(String what) throws IOException {
        switch (fault) {
            case IO_ERROR -> throw new IOException("Input/output error");
            case DISK_FULL -> storage.fillUp();
            case POWER_CUT, REMOUNT -> throw new PowerCut(toString());
            case KILL -> {
                PowerCut kill = new PowerCut(toString());
                if (what.startsWith("write ") && isDrawn()) {
                    storage.powerOff(kill); // before any of it is written
                }
                throw kill;
            }
        }
    }

    private synchronized boolean isDrawn() {
        return random.nextBoolean();
    }

    private synchronized boolean hasCome() {
        return came != null;
    }

    @Override
    public synchronized String toString() {
        return came == null ? fault + " after the end of a life" : fault + " at " + came;
    }
}
