package io.persist.log.recovery;

import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;

/** A log of several segments as its last writer left it, and a file that an interrupted run was making. */
record LeftLog(CrashableStorage storage, long lastSequence, long tailBase) {

    /** Its writer closed it. */
    static LeftLog closed() {
        CrashableStorage storage = new CrashableStorage();
        Log log = write(storage);
        log.close();
        return of(log, storage);
    }

    /** Its writer was killed. */
    static LeftLog killed() {
        CrashableStorage storage = new CrashableStorage();
        Log log = write(storage);
        return of(log, DeadLog.kill(log, storage));
    }

    private static Log write(CrashableStorage storage) {
        Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
        Records.appendUntilRolled(log, 5);
        Records.append(log, 3);
        log.commit(Durability.SYNCED);
        return log;
    }

    private static LeftLog of(Log log, CrashableStorage storage) {
        storage.replace("00000000000000999424.log.tmp", new byte[100]);
        int length = WriterKind.SEGMENT_LENGTH;
        return new LeftLog(storage, log.lastSequence(), log.position() / length * length);
    }

    /** A segment that was made and has no frame. */
    static byte[] emptySegment(long base, long logId) {
        int length = WriterKind.SEGMENT_LENGTH;
        return Arrays.copyOf(new SegmentHeader(base, length, 1, logId, 2).encode(), length);
    }

    /** Flips the bits of {@code mask} in one byte of a file. */
    static void change(CrashableStorage storage, String name, int offset, int mask) {
        byte[] content = storage.content(name);
        content[offset] ^= (byte) mask;
        storage.replace(name, content);
    }
}
