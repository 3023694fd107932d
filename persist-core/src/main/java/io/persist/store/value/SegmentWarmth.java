package io.persist.store.value;

/**
 * Whether the bytes of a segment are in the page cache, as far as those who read there have seen. A mapping is the
 * fastest way to such bytes, and the slowest to others: for a page that is missing the kernel reads what lies around it
 * too, 128 KiB or many MiB. A read of the file brings what was asked for, at the price of two system calls.
 *
 * <p>It counts the reads of the file that went at once; {@value #WARM} of them make the segment warm. One that waited
 * for the device takes many away. One that waited for very long takes few: it may be that the thread had no CPU. A read
 * of the mapping that waited says as little, so some reads of the file come next, which do say.
 *
 * <p><b>Threads:</b> any; a read that is not counted because two threads do it at once does no harm.
 */
final class SegmentWarmth {

    static final int WARM = 1024;

    /** What a read takes away that waited for the device: if one of so many does, the file is the better way. */
    static final int COLD = 256;

    /** What a read takes away of which it is not clear for what it waited. */
    static final int DOUBT = 16;

    /** Reads of the file after one of the mapping that waited. */
    static final int TRIAL = 64;

    /** No device answers so soon, and a copy out of the page cache takes less. */
    static final long AT_ONCE_NS = 20_000;

    /** Most devices answer by then; a thread that has lost the CPU has not got it back. */
    static final long DEVICE_NS = 1_000_000;

    private int count;

    /** One that begins as warm, because its bytes were just written, or as not. */
    SegmentWarmth(boolean begin) {
        count = begin ? WARM : 0;
    }

    boolean isWarm() {
        return count >= WARM;
    }

    /** Whether so many reads have waited that it is no accident, or there were too few to know. */
    boolean isCold() {
        return count < WARM / 2;
    }

    /** A read of {@code length} bytes of the file took {@code ns}. */
    void tookByFile(long ns, int length) {
        int before = count;
        if (isAtOnce(ns, length)) {
            count = Math.min(WARM, before + 1);
        } else {
            count = Math.max(0, before - (ns < DEVICE_NS + length ? COLD : DOUBT));
        }
    }

    /** A copy of {@code length} bytes of the mapping took {@code ns}. */
    void tookByMapping(long ns, int length) {
        if (!isAtOnce(ns, length)) {
            count = Math.min(count, WARM - TRIAL);
        }
    }

    /** More than a nanosecond for each byte is waiting too. */
    private static boolean isAtOnce(long ns, int length) {
        return ns <= AT_ONCE_NS + length;
    }
}
