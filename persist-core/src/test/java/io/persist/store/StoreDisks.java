package io.persist.store;

import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The disks of one machine on which a store lives: one for all, or one for the log and one for the checkpoints. Their
 * operations are counted together, and the power goes for both at once.
 */
public final class StoreDisks {

    public final CrashableStorage log;
    public final CrashableStorage checkpoints;
    private final AtomicInteger operations = new AtomicInteger();

    private StoreDisks(CrashableStorage log, CrashableStorage checkpoints) {
        this.log = log;
        this.checkpoints = checkpoints;
        cutPowerAt(Integer.MAX_VALUE);
    }

    public static StoreDisks one() {
        CrashableStorage storage = new CrashableStorage();
        return new StoreDisks(storage, storage);
    }

    public static StoreDisks two() {
        return new StoreDisks(new CrashableStorage(), new CrashableStorage());
    }

    boolean areTwo() {
        return log != checkpoints;
    }

    /** Cuts the power in the middle of the operation of this number, counted over both since they were made. */
    public StoreDisks cutPowerAt(int number) {
        log.hook((n, what) -> count(number, what, checkpoints));
        if (areTwo()) {
            checkpoints.hook((n, what) -> count(number, what, log));
        }
        return this;
    }

    private void count(int number, String what, CrashableStorage other) throws IOException {
        int n = operations.incrementAndGet();
        if (n >= number) {
            PowerCut cut = new PowerCut("power cut before operation " + n + ": " + what);
            if (areTwo()) {
                other.powerOff(cut);
            }
            throw cut;
        }
    }

    public void powerOff() {
        log.powerOff(new PowerCut("switched off"));
        checkpoints.powerOff(new PowerCut("switched off"));
    }

    public boolean isOff() {
        return log.isOff() || checkpoints.isOff();
    }

    /** What a power cut leaves; each time it is called, of the same moment if the power is off already. */
    public StoreDisks crash(Random random, Loss loss) {
        CrashableStorage left = log.crash(random, loss);
        return new StoreDisks(left, areTwo() ? checkpoints.crash(random, loss) : left);
    }

    /** What the death of the process leaves. */
    public StoreDisks afterKill() {
        CrashableStorage left = log.afterKill();
        return new StoreDisks(left, areTwo() ? checkpoints.afterKill() : left);
    }
}
