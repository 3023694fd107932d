package io.persist.support;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Work that is done where the stack ends: in a JVM of its own that interprets, where a call needs the same stack each
 * time. The application may catch that it ended, and go on.
 */
public final class StackEnd {

    private static final long STACK_BYTES = 256 << 10;

    private boolean ended;

    private StackEnd() {}

    /** What {@code main}, which calls {@link #print}, says in a JVM that interprets; null if it dies. */
    public static String hear(Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(ChildJvm.command(main, arguments));
        command.add(1, "-Xint");
        try (ChildJvm child = ChildJvm.run(command)) {
            return child.hear();
        }
    }

    /** Prints what {@code work} returns, or what ends it, in a thread with a small stack. */
    public static void print(Supplier<String> work) throws InterruptedException {
        Thread thread = new Thread(null, () -> System.out.println(answer(work)), "deep", STACK_BYTES);
        thread.start();
        thread.join();
    }

    private static String answer(Supplier<String> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            return e.toString();
        }
    }

    /** Runs {@code work} from so many calls above the end of the stack; returns whether the stack ended in it. */
    public static boolean isIn(Runnable work, int levels) {
        StackEnd end = new StackEnd();
        end.runAbove(levels, work);
        return end.ended;
    }

    private int runAbove(int levels, Runnable work) {
        int above;
        try {
            above = runAbove(levels, work);
        } catch (StackOverflowError e) {
            return 0;
        }
        if (above == levels) {
            try {
                work.run();
            } catch (StackOverflowError e) {
                ended = true;
            }
        }
        return above + 1;
    }
}
