package io.persist.support;

import io.persist.error.PersistException;
import io.persist.log.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.util.Random;

/** The log of a process that is dead, or of a machine that is off. */
public final class DeadLog {

    private DeadLog() {}

    /** Kills the process of {@code log}; returns what the machine has afterwards. */
    public static CrashableStorage kill(Log log, CrashableStorage storage) {
        CrashableStorage after = storage.afterKill();
        end(log);
        return after;
    }

    /** Cuts the power, at which all is lost that was not synced; returns what is left. */
    public static CrashableStorage cutPower(Log log, CrashableStorage storage) {
        CrashableStorage after = storage.crash(new Random(1), Loss.ALL_LOST);
        end(log);
        return after;
    }

    /** Ends the threads of a log whose storage is off. */
    public static void end(Log log) {
        try {
            log.close();
        } catch (PersistException | PowerCut off) {
            // That is what became of it.
        }
    }
}
