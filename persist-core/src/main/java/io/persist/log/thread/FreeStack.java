package io.persist.log.thread;

/**
 * Looks whether the stack has room for rare work, before that begins. In its middle the end of the stack would do harm
 * that lasts: what is to be given back stays open, and a class that cannot be initialised is refused by the JVM for
 * good.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class FreeStack {

    /** Of 100 bytes or more each; several times what such work needs, also while the JVM links it the first time. */
    private static final int CALLS = 300;

    private FreeStack() {}

    /**
     * Returns if there are some 30 KiB, within a few microseconds; before it is compiled it wants twice as much.
     *
     * @throws StackOverflowError if not
     */
    public static void require() {
        long unused = use(CALLS, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    /** The same for work that comes to such work in its middle: it finds enough there, too. */
    public static void requireMore() {
        long unused = use(2 * CALLS, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    /** All that it is given is used after its call, so that compiled code keeps it in the frame. */
    private static long use(int calls, long a, long b, long c, long d, long e, long f, long g, long h) {
        long deeper = calls == 0 ? 0 : use(calls - 1, b, c, d, e, f, g, h, a);
        return deeper ^ a + b * c ^ d + e * f ^ g + h;
    }
}
