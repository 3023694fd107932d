package io.persist.bench.tool;

import java.io.Console;

/** Whether somebody looks on. */
final class Terminal {

    private Terminal() {}

    /** Since JDK 22 a console may be there without a terminal, and says so. */
    static boolean isPresent() {
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
}
