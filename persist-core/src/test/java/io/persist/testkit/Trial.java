package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import java.util.Objects;
import java.util.Random;

/** One script on one storage, from life to life. What goes wrong is an AssertionError that says when. */
final class Trial {

    private final CrashScript script;
    private final Random random;
    private CrashableStorage storage = new CrashableStorage();

    Trial(CrashScript script, Random random) {
        this.script = script;
        this.random = random;
    }

    CrashableStorage storage() {
        return storage;
    }

    /** One life, which {@code injection} may end. */
    void live(Injection injection) {
        try {
            script.run(storage);
        } catch (Exception | PowerCut stopped) {
            if (injection.struckAt() == null) {
                throw wrong("in a life without a fault", stopped);
            }
        } catch (Throwable failure) {
            throw wrong("during run()", failure);
        }
        checkClosed("run()", storage);
    }

    private static void checkClosed(String method, CrashableStorage used) {
        if (used.openHandles() != 0) {
            throw new AssertionError("after " + method + " there are " + used.openHandles()
                    + " files, mappings and locks not closed; close the logger whatever happens, with try");
        }
    }

    /**
     * Opens what the fault has left: once, a second time, and once more after an opening that was stopped in its midst;
     * each time the same has to be seen. The next life begins on the last one.
     */
    void examine(Fault fault, Loss loss) {
        long seed = random.nextLong();
        CrashableStorage first = leave(storage, fault, loss, seed);
        Object seen = check("at the first opening", first);
        CrashableStorage second = leave(first, fault, loss, random.nextLong());
        compare("at the second opening", seen, check("at the second opening", second));

        int number = 1 + random.nextInt(Math.max(1, first.operations()));
        CrashableStorage stopped = leave(storage, fault, loss, seed).cutPowerAt(number);
        checkUntilStopped(stopped);
        String when = "at the opening after one that was stopped at its operation " + number;
        CrashableStorage third = leave(stopped, fault, loss, random.nextLong());
        compare(when, seen, check(when, third));
        storage = third;
    }

    /** A whole life on what was examined; then the power goes, or the process. */
    void goOn(Fault fault) {
        live(Injection.none(storage));
        storage = leave(storage, fault, Loss.ALL_LOST, 0);
        check("after another life that ended by itself", storage);
    }

    private static CrashableStorage leave(CrashableStorage ended, Fault fault, Loss loss, long seed) {
        Random random = new Random(seed);
        CrashableStorage left = switch (fault) {
            case KILL -> ended.afterKill();
            case REMOUNT -> ended.afterRemount(random, loss);
            case POWER_CUT, IO_ERROR, DISK_FULL -> ended.crash(random, loss);
        };
        return left.capacityBytes(Long.MAX_VALUE);
    }

    private Object check(String when, CrashableStorage left) {
        Object seen;
        try {
            seen = script.check(left);
        } catch (Throwable failure) {
            throw wrong(when, failure);
        }
        checkClosed("check()", left);
        return seen;
    }

    private void checkUntilStopped(CrashableStorage left) {
        try {
            script.check(left);
        } catch (Throwable failure) {
            if (!left.isOff()) {
                throw wrong("at an opening that was to be stopped", failure);
            }
        }
    }

    private static void compare(String when, Object before, Object now) {
        if (!Objects.deepEquals(before, now)) {
            throw new AssertionError(when + ": check() saw " + now + ", and before that it saw " + before);
        }
    }

    private static AssertionError wrong(String when, Throwable failure) {
        return new AssertionError(when + ": " + failure, failure);
    }
}
