package io.persist.bench.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Command lines as they are typed. */
public final class Shell {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private Shell() {}

    /** The arguments, quoted where a POSIX shell would take them for something else. */
    public static String line(List<String> arguments) {
        return arguments.stream().map(Shell::quoted).collect(Collectors.joining(" "));
    }

    /** One of them. */
    public static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
