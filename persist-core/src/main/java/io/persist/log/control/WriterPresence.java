package io.persist.log.control;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.file.disk.ProcessIdentity;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.HolderBlock;
import java.io.FileNotFoundException;
import java.io.IOException;

/**
 * Whether the process that holds a log, as its control block says, is there. It can be asked of any log, also of one
 * that was not recovered, and takes no lock.
 */
public final class WriterPresence {

    private WriterPresence() {}

    /**
     * Whether the holder of the log in {@code storage} is there now.
     *
     * @return GONE if nobody holds it, the process is dead, it is this one and has closed the log, it held it before
     *     the operating system was started, or what is here is a copy of the log that it holds. UNKNOWN if there is a
     *     holder that cannot be seen from here: then the lock alone can tell
     */
    public static Presence of(Storage storage, ControlBlock block) throws IOException {
        BootId boot = storage.bootId();
        if (block.holder().epoch() == 0) {
            return ofUnmarked(block, boot);
        }
        HolderBlock.Holder holder = block.holder().holder();
        if (holder.pid() == 0 || holder.bootIdHigh() != boot.high() || holder.bootIdLow() != boot.low()) {
            return Presence.GONE;
        }
        long file = identity(storage);
        if (holder.file() != file && holder.file() != 0 && file != 0) {
            return Presence.GONE;
        }
        if (isSelf(holder) && isFreeHere(storage)) {
            return Presence.GONE;
        }
        return new ProcessIdentity(holder.pid(), holder.start(), holder.namespace()).presence();
    }

    /**
     * Whether this process is known not to hold the log, although it lives: it has closed the log, and what it wrote
     * then did not reach a volume that failed and was mounted anew.
     */
    private static boolean isFreeHere(Storage storage) throws IOException {
        try {
            return storage.knowsLocks() && storage.lockedHere(LogFileName.LOCK).isEmpty();
        } catch (FileNotFoundException takenAway) {
            return false;
        }
    }

    /** The writers of earlier versions leave nothing but their pid, and do not take it back. */
    private static Presence ofUnmarked(ControlBlock block, BootId boot) {
        boolean mayLive = block.state() == ControlBlock.STATE_OPEN
                && block.isBoot(boot)
                && ProcessHandle.of(block.pid()).isPresent();
        return mayLive ? Presence.UNKNOWN : Presence.GONE;
    }

    /** The identity of the control block's file, 0 if it is not known. */
    public static long identity(Storage storage) throws IOException {
        return identity(storage, LogFileName.CONTROL);
    }

    /** The same of the file {@code name}; 0 also if there is none. */
    public static long identity(Storage storage, String name) throws IOException {
        try {
            return storage.identity(name);
        } catch (FileNotFoundException takenAway) {
            return 0;
        }
    }

    /** What this process writes into the control block of a log that it holds. */
    static HolderBlock.Holder self(Storage storage) throws IOException {
        ProcessIdentity process = ProcessIdentity.current();
        BootId boot = storage.bootId();
        return new HolderBlock.Holder(
                process.pid(), process.start(), process.namespace(), boot.high(), boot.low(), identity(storage));
    }

    /** Whether {@code holder} is this process, if it is there at all. */
    static boolean isSelf(HolderBlock.Holder holder) {
        ProcessIdentity self = ProcessIdentity.current();
        return holder.pid() == self.pid() && holder.start() == self.start() && holder.namespace() == self.namespace();
    }
}
