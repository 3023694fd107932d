package io.persist.support;

import io.persist.error.PersistException;
import io.persist.log.Log;
import io.persist.testkit.PowerCut;

/** The log of a process that is dead, or of a machine that is off. */
public final class DeadLog {

    private DeadLog() {}

    /** Ends the threads of a log whose storage is off. */
    public static void end(Log log) {
        try {
            log.close();
        } catch (PersistException | PowerCut off) {
            // That is what became of it.
        }
    }
}
