package io.persist.matrix.control;

import java.util.Arrays;
import java.util.stream.Collectors;
import net.bytebuddy.asm.Advice;

/** The error of a missing page, as the JVM may throw it late: at the n-th entry or exit of a method of some classes. */
public final class LateError {

    private static final int FRAMES = 12;

    private static volatile String victim = "";
    private static volatile int left;
    private static volatile String where = "nowhere";

    private LateError() {}

    /** The thread whose name begins with {@code name} will be struck at the {@code nth} place from now on. */
    static void arm(String name, int nth) {
        where = "nowhere";
        left = nth;
        victim = name;
    }

    /** Whether it was, or will not be any more. */
    static boolean disarm() {
        victim = "";
        return left <= 0;
    }

    /** In which thread and in which method it struck. */
    static String where() {
        return where;
    }

    /** A place. */
    public static void place() {
        String name = victim;
        Thread current = Thread.currentThread();
        if (!name.isEmpty() && current.getName().contains(name) && --left == 0) {
            InternalError fault = new InternalError("a fault that was met earlier");
            where = current.getName()
                    + Arrays.stream(fault.getStackTrace())
                            .limit(FRAMES)
                            .map(frame -> "\n    " + frame)
                            .collect(Collectors.joining());
            throw fault;
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
