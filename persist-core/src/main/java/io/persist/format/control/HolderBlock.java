package io.persist.format.control;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The process that holds the log, in the page of its {@link ControlBlock}, on a cache line of its own. The lock of a
 * file tells the same, but a process loses that lock as soon as any code in it closes the file; what is written here
 * stays.
 *
 * <pre>
 *   384 epoch                    raised by each opening for writing: a writer that finds another one was overtaken
 *   392 start of the process     tells it from a later one that gets its pid; 0: not known
 *   400 identity of the file     in which this stands: in a copy of the log it is another file's
 *   408 pid namespace            in which the pid counts; 0: not known
 *   416 boot id (16 bytes)       of the system on which it runs
 *   432 pid                      0: no process holds the log
 * </pre>
 *
 * Part of the file format. Never change; add.
 */
public final class HolderBlock {

    public static final int EPOCH_OFFSET = 384;
    public static final int START_OFFSET = 392;
    public static final int FILE_OFFSET = 400;
    public static final int NAMESPACE_OFFSET = 408;
    public static final int BOOT_ID_OFFSET = 416;
    public static final int PID_OFFSET = 432;

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private final ByteBuffer block;

    /** A flyweight over the direct buffer of a control block. */
    public HolderBlock(ByteBuffer block) {
        this.block = block;
    }

    /** The process that holds the log.
     *
     * @param pid of the process, 0 if there is none
     * @param start tells the process from a later one with its pid, 0 if it is not known
     * @param namespace in which the pid counts, 0 if it is not known
     * @param bootIdHigh of the system on which it runs, as the lower half
     * @param file the identity of the control block's file, 0 if it is not known
     */
    public record Holder(long pid, long start, long namespace, long bootIdHigh, long bootIdLow, long file) {

        /** No process. */
        public static final Holder NONE = new Holder(0, 0, 0, 0, 0, 0);
    }

    /** How often the log was opened for writing, as far as this block knows. */
    public long epoch() {
        return (long) LONG.getOpaque(block, EPOCH_OFFSET);
    }

    /**
     * Only the process that has the lock calls it. With a fence: if a writer acknowledges something and does not see
     * this epoch, the new holder sees what was acknowledged. The partner is the fence of {@code Syncer.checkHeld}.
     */
    public void epoch(long epoch) {
        LONG.setOpaque(block, EPOCH_OFFSET, epoch);
        VarHandle.fullFence();
    }

    /** Only the process that has the lock calls it. Pairs with {@link #holder()}: the pid comes last. */
    public void holder(Holder holder) {
        LONG.setOpaque(block, PID_OFFSET, 0L);
        VarHandle.releaseFence(); // a reader that sees what follows finds the 0 when it reads the pid once more
        LONG.setOpaque(block, START_OFFSET, holder.start);
        LONG.setOpaque(block, FILE_OFFSET, holder.file);
        LONG.setOpaque(block, NAMESPACE_OFFSET, holder.namespace);
        LONG.setOpaque(block, BOOT_ID_OFFSET, holder.bootIdHigh);
        LONG.setOpaque(block, BOOT_ID_OFFSET + 8, holder.bootIdLow);
        LONG.setRelease(block, PID_OFFSET, holder.pid);
    }

    /**
     * The process that holds the log, or held it last; {@link Holder#NONE} if none does. Two with the same pid, as in
     * two containers, can be mixed while one follows the other: then no such process is found.
     */
    public Holder holder() {
        long pid = (long) LONG.getAcquire(block, PID_OFFSET);
        while (pid != 0) {
            Holder found = new Holder(
                    pid,
                    (long) LONG.getOpaque(block, START_OFFSET),
                    (long) LONG.getOpaque(block, NAMESPACE_OFFSET),
                    (long) LONG.getOpaque(block, BOOT_ID_OFFSET),
                    (long) LONG.getOpaque(block, BOOT_ID_OFFSET + 8),
                    (long) LONG.getOpaque(block, FILE_OFFSET));
            VarHandle.acquireFence(); // the partner is the fence of holder(Holder), behind the 0
            long now = (long) LONG.getAcquire(block, PID_OFFSET);
            if (now == pid) {
                return found;
            }
            pid = now;
        }
        return Holder.NONE;
    }
}
