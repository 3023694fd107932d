package io.persist.support;

import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** The log of a process that is dead, or of a machine that is off. */
public final class DeadLog {

    private static final long NOBODY = Integer.MAX_VALUE;

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

    /** Has the control block name a process that there is not: here the writer's process is this one, which lives. */
    public static CrashableStorage ofNobody(CrashableStorage left) {
        if (left.list().contains(LogFileName.CONTROL)) {
            byte[] control = left.content(LogFileName.CONTROL);
            ByteBuffer.wrap(control).order(ByteOrder.LITTLE_ENDIAN).putLong(ControlBlock.PID_OFFSET, NOBODY);
            left.replace(LogFileName.CONTROL, control);
        }
        return left;
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
