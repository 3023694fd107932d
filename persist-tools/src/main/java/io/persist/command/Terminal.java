package io.persist.command;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody looks on. */
public final class Terminal {

    private Terminal() {}

    /** Since JDK 22 a console may be there without a terminal, and says so. */
    public static boolean isPresent() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException beforeJdk22) {
            return true;
        }
    }

    /**
     * Whether the standard error stream leads to one. System.console() tells too little before JDK 22 and something
     * else after, so Linux is asked where stream 2 leads.
     */
    public static boolean showsErrors() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return System.console() != null;
        }
    }
}
