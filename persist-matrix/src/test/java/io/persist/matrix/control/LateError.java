package io.persist.matrix.control;

import net.bytebuddy.asm.Advice;

/** The error of a missing page, as the JVM may throw it late: at the n-th entry or exit of a method of some classes. */
public final class LateError {

    private static volatile String victim = "";
    private static volatile int left;

    private LateError() {}

    /** The thread whose name begins with {@code name} will be struck at the {@code nth} place from now on. */
    static void arm(String name, int nth) {
        left = nth;
        victim = name;
    }

    /** Whether it was, or will not be any more. */
    static boolean disarm() {
        victim = "";
        return left <= 0;
    }

    /** A place. */
    public static void place() {
        String name = victim;
        if (!name.isEmpty() && Thread.currentThread().getName().contains(name) && --left == 0) {
            throw new InternalError("a fault that was met earlier");
        }
    }

    /** Makes places of the entry and the exit of a method. */
    static final class Places {

        @Advice.OnMethodEnter
        static void enter() {
            LateError.place();
        }

        @Advice.OnMethodExit
        static void exit() {
            LateError.place();
        }
    }
}
