package io.persist.command;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a user types before the name of a program. */
final class Launcher {

    /** The script that has all programs. */
    static final String SCRIPT = "bin/persist";

    /** How the JVM says that it was started with the jar of the tools. */
    private static final Pattern JAR =
            Pattern.compile("(?:\\S*/)?(persist-tools[^\\s/]*\\.jar)(?: .*)?", Pattern.DOTALL);

    private Launcher() {}

    /** That of this process: the script, or {@code java -jar} with the name of the tools' jar. */
    static String current() {
        return of(System.getProperty("sun.java.command", ""));
    }

    /** That of a process whose main class or jar, and arguments, are these. */
    static String of(String command) {
        Matcher jar = JAR.matcher(command);
        return jar.matches() ? "java -jar " + jar.group(1) : SCRIPT;
    }
}
