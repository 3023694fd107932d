package io.persist.format.control;

import io.persist.error.UnsupportedFormatException;
import io.persist.file.BootId;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.memory.MappedCrc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The file {@code control}: one page that the writer keeps mapped and readers of other processes look into. It is never
 * forced on the append path, so nothing in it is needed to find the records. After a {@code kill -9} it is exact. After
 * a power cut, or if the volume was mounted anew or restored meanwhile, it and the segments are of any age, each for
 * itself: then only what it says of the synced position holds, a lower bound. If it is missing or damaged, recovery
 * scans more.
 *
 * <pre>
 *   0   magic           8   version          16  boot id (16 bytes)   32  writer's pid    40  state
 *   44  clean checksum  48  clean tail position                       56  clean last position
 *   64  hint position            where a recent frame begins: a search for the end starts there
 *   128 committed position       end of the last commit
 *   192 flushed position         end of what survives the process      200 its complement
 *   256 synced position          end of what survives a power cut      264 its complement
 *   272 synced hint              where a recent record below it begins: recovery starts there
 *   320 visible position         tailers must not read past it: FILE mode publishes by writing, not by the length
 *   328 opened epoch             of the holder that has recovered the log: with another one it is still as it was left
 *   336 set aside                a repair takes the block away: it says nothing of the log any more
 *   344 cut                      where the log goes on after that repair
 *   352 log id                   what the headers of its segments have: no other segment is this log's
 *   360 written by               the version of Persist of the last writer
 *   384 holder of the log        see {@link HolderBlock}
 *   512 counters                 see {@link CounterBlock}
 * </pre>
 *
 * A later version has its complement at offset 12. Positions have a cache line each. Those that a power cut may tear
 * carry their bitwise complement and count as 0 if the pair does not match. Part of the file format. Never change; add.
 */
public final class ControlBlock {

    public static final int LENGTH = 4096;
    public static final long MAGIC = 0x4C525443_53524550L; // "PERSCTRL" as bytes
    public static final int VERSION = 1;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int BOOT_ID_OFFSET = 16;
    public static final int PID_OFFSET = 32;
    public static final int STATE_OFFSET = 40;
    public static final int CLEAN_CHECKSUM_OFFSET = 44;
    public static final int CLEAN_TAIL_OFFSET = 48;
    public static final int CLEAN_LAST_OFFSET = 56;
    public static final int HINT_OFFSET = 64;
    public static final int COMMITTED_OFFSET = 128;
    public static final int FLUSHED_OFFSET = 192;
    public static final int SYNCED_OFFSET = 256;
    public static final int SYNCED_HINT_OFFSET = 272;
    public static final int VISIBLE_OFFSET = 320;
    public static final int OPENED_EPOCH_OFFSET = 328;
    public static final int SET_ASIDE_OFFSET = 336;
    public static final int CUT_OFFSET = 344;
    public static final int LOG_ID_OFFSET = 352;
    public static final int WRITTEN_BY_OFFSET = 360;

    /** A writer has the log open, or died while it had. */
    public static final int STATE_OPEN = 1;

    /** The writer closed the log and had synced all of it. */
    public static final int STATE_CLOSED = 2;

    /** The writer met an I/O error: pages above the synced position may be clean in memory and not on the disk. */
    public static final int STATE_FAILED = 3;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private final ByteBuffer block;
    private final HolderBlock holder;

    /** A flyweight over a direct buffer of {@link #LENGTH} bytes. */
    public ControlBlock(ByteBuffer block) {
        this.block = block;
        this.holder = new HolderBlock(block);
    }

    /**
     * Whether this is a control block; anything else counts as none. So does one of another version without its
     * complement: the page has no checksum that would tell damage, and the log opens without it.
     *
     * @param directory of the log, for the message
     * @throws UnsupportedFormatException if a newer version wrote it: it may say more than this one knows
     */
    public boolean isReadable(String directory) {
        if (block.capacity() < LENGTH || (long) LONG.get(block, MAGIC_OFFSET) != MAGIC) {
            return false;
        }
        if (version() != VERSION && (int) INT.get(block, VERSION_OFFSET + Integer.BYTES) == ~version()) {
            throw UnsupportedFormatException.newer(
                    LogFileName.CONTROL,
                    "unsupported format of the control block: version=" + version() + ", supported version=" + VERSION
                            + ", file=" + LogFileName.CONTROL + ", directory=" + directory + "; open the log with "
                            + writtenBy().orLater());
        }
        return version() == VERSION;
    }

    /** The process that holds the log. */
    public HolderBlock holder() {
        return holder;
    }

    /** The version of the block's format. */
    public int version() {
        return (int) INT.get(block, VERSION_OFFSET);
    }

    /** The version of Persist of the last writer. */
    public PersistVersion writtenBy() {
        return PersistVersion.get(block, WRITTEN_BY_OFFSET);
    }

    /** Says of which log the block is. */
    public void logId(long id) {
        LONG.set(block, LOG_ID_OFFSET, id);
    }

    /** What the headers of the log's segments have, 0 if that is not known. */
    public long logId() {
        return (long) LONG.get(block, LOG_ID_OFFSET);
    }

    /** Marks the block as a running writer's. Everything else has to be set before. Pairs with {@link #state()}. */
    public void open(BootId boot, long pid) {
        LONG.set(block, BOOT_ID_OFFSET, boot.high());
        LONG.set(block, BOOT_ID_OFFSET + 8, boot.low());
        LONG.set(block, PID_OFFSET, pid);
        PersistVersion.CURRENT.put(block, WRITTEN_BY_OFFSET);
        INT.set(block, SET_ASIDE_OFFSET, 0); // a repair was interrupted
        INT.setRelease(block, STATE_OFFSET, STATE_OPEN);
    }

    /** The holder with this epoch has recovered the log: stored last of all. Pairs with {@link #openedEpoch()}. */
    public void openedEpoch(long epoch) {
        LONG.setRelease(block, OPENED_EPOCH_OFFSET, epoch);
    }

    /** Pairs with {@link #openedEpoch(long)}. */
    public long openedEpoch() {
        return (long) LONG.getAcquire(block, OPENED_EPOCH_OFFSET);
    }

    /** Tells readers of the block that the log goes on without it, at {@code cut}. Pairs with {@link #isSetAside()}. */
    public void setAside(long cut) {
        LONG.set(block, CUT_OFFSET, cut);
        INT.setRelease(block, SET_ASIDE_OFFSET, 1);
    }

    /** Where the log goes on without this block; counts if {@link #isSetAside}. The highest position if not known. */
    public long cut() {
        long cut = (long) LONG.get(block, CUT_OFFSET);
        return cut > 0 ? cut : Long.MAX_VALUE;
    }

    /** Pairs with {@link #setAside(long)}: a thread that reads what was appended after the repair reads this too. */
    public boolean isSetAside() {
        return (int) INT.getAcquire(block, SET_ASIDE_OFFSET) != 0;
    }

    /** Marks the log as failed. Pairs with {@link #state()}. */
    public void failed() {
        INT.setRelease(block, STATE_OFFSET, STATE_FAILED);
    }

    /** Closed, and all synced up to {@code tail}; the last record is at {@code last}. Pairs with {@link #state()}. */
    public void closed(long tail, long last) {
        LONG.set(block, CLEAN_TAIL_OFFSET, tail);
        LONG.set(block, CLEAN_LAST_OFFSET, last);
        INT.set(block, CLEAN_CHECKSUM_OFFSET, cleanChecksum());
        INT.setRelease(block, STATE_OFFSET, STATE_CLOSED);
    }

    /** Whether the log was closed and what {@link #cleanTail} and {@link #cleanLast} say can be believed. */
    public boolean isClean() {
        return state() == STATE_CLOSED && (int) INT.get(block, CLEAN_CHECKSUM_OFFSET) == cleanChecksum();
    }

    /** False if parts of the block are of different moments, because the volume failed and was mounted anew. */
    public boolean saysWhereItWasClosed() {
        return isClean() && visible() >= cleanTail();
    }

    /** The end of the log when it was closed; counts if {@link #isClean}. */
    public long cleanTail() {
        return (long) LONG.get(block, CLEAN_TAIL_OFFSET);
    }

    /** The position of the last record when the log was closed; counts if {@link #isClean}. */
    public long cleanLast() {
        return (long) LONG.get(block, CLEAN_LAST_OFFSET);
    }

    /** What the last writer is, a {@code STATE_}. Pairs with {@link #open}, {@link #failed} and {@link #closed}. */
    public int state() {
        return (int) INT.getAcquire(block, STATE_OFFSET);
    }

    /** The process id of the last writer. */
    public long pid() {
        return (long) LONG.get(block, PID_OFFSET);
    }

    /** Whether the last writer ran on {@code boot}; false if that is unknown. */
    public boolean isBoot(BootId boot) {
        return (long) LONG.get(block, BOOT_ID_OFFSET) == boot.high()
                && (long) LONG.get(block, BOOT_ID_OFFSET + 8) == boot.low()
                && (boot.high() | boot.low()) != 0;
    }

    /** Stores the position of a record near the tail. Pairs with {@link #hint()}. */
    public void hint(long position) {
        LONG.setRelease(block, HINT_OFFSET, position);
    }

    /** The position of a record near the tail, 0 if there is none. Pairs with {@link #hint(long)}. */
    public long hint() {
        return (long) LONG.getAcquire(block, HINT_OFFSET);
    }

    /** Stores the committed position. Pairs with {@link #committed()}. */
    public void committed(long position) {
        LONG.setRelease(block, COMMITTED_OFFSET, position);
    }

    /** The committed position. Pairs with {@link #committed(long)}. */
    public long committed() {
        return (long) LONG.getAcquire(block, COMMITTED_OFFSET);
    }

    /** Stores the flushed position and its complement. */
    public void flushed(long position) {
        putGuarded(FLUSHED_OFFSET, position);
    }

    /** The flushed position; 0 if its complement does not match. */
    public long flushed() {
        return getGuarded(FLUSHED_OFFSET);
    }

    /** The flushed position; as {@link #syncedOnThisBoot}. Pairs with {@link #flushed(long)}. */
    public long flushedOnThisBoot() {
        return (long) LONG.getAcquire(block, FLUSHED_OFFSET);
    }

    /** Stores the synced position and its complement. */
    public void synced(long position) {
        putGuarded(SYNCED_OFFSET, position);
    }

    /** The synced position; 0 if its complement does not match. */
    public long synced() {
        return getGuarded(SYNCED_OFFSET);
    }

    /**
     * The synced position, if a writer of this boot wrote the block: no power cut has torn it since, so the value
     * counts while its complement is still being stored. Pairs with {@link #synced(long)}.
     */
    public long syncedOnThisBoot() {
        return (long) LONG.getAcquire(block, SYNCED_OFFSET);
    }

    /**
     * Where a record begins that is synced; to be stored after the synced position that covers it. Pairs with {@link
     * #syncedHint()}.
     */
    public void syncedHint(long position) {
        LONG.setRelease(block, SYNCED_HINT_OFFSET, position);
    }

    /**
     * Where a record begins that is synced, or 0 if that is not known. If a power cut has left the two positions as
     * they were at different moments, nothing is said that is not synced.
     */
    public long syncedHint() {
        long position = (long) LONG.getAcquire(block, SYNCED_HINT_OFFSET);
        return position > 0 && position < synced() ? position : 0;
    }

    /** Pairs with {@link #visible()}: a thread that reads it reads the bytes that were written to the file before. */
    public void visible(long position) {
        LONG.setRelease(block, VISIBLE_OFFSET, position);
    }

    /** The position up to which tailers may read. Pairs with {@link #visible(long)}. */
    public long visible() {
        return (long) LONG.getAcquire(block, VISIBLE_OFFSET);
    }

    private void putGuarded(int offset, long position) {
        LONG.setRelease(block, offset, position);
        LONG.setRelease(block, offset + 8, ~position);
    }

    private long getGuarded(int offset) {
        long complement = (long) LONG.getAcquire(block, offset + 8);
        long position = (long) LONG.getAcquire(block, offset);
        return position == ~complement && position > 0 ? position : 0;
    }

    private int cleanChecksum() {
        return new MappedCrc().of(block, CLEAN_TAIL_OFFSET, HINT_OFFSET);
    }
}
