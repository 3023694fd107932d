package io.persist.bench;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterDescription;
import com.beust.jcommander.ParameterException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Arguments on their way into the annotated fields of a parameters object.
 *
 * <p>JCommander takes either {@code -f} or {@code -f false} for a boolean, not both, and its messages often leave out
 * the flag or the value. So each argument is looked at here first; what reaches JCommander is complete and of the
 * right type.
 */
public final class CommandLine {

    /** A flag with a longer name gets a line for it, so that the lines of all the others stay short. */
    private static final int MAX_NAME_WIDTH = 28;

    private final JCommander commander;
    private final Map<String, ParameterDescription> flags = new HashMap<>();

    private CommandLine(JCommander commander) {
        this.commander = commander;
        commander.createDescriptions();
        for (ParameterDescription flag : commander.getParameters()) {
            for (String name : names(flag)) {
                flags.put(name, flag);
            }
        }
    }

    /** A command line for the fields of {@code parameters} that have JCommander's annotation. */
    public static CommandLine of(Object parameters) {
        return new CommandLine(JCommander.newBuilder().addObject(parameters).build());
    }

    /** Sets the fields. */
    public void parse(String... args) {
        List<String> complete = new ArrayList<>();
        Set<ParameterDescription> given = new HashSet<>();
        int next = 0;
        while (next < args.length) {
            String argument = args[next++];
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            ParameterDescription flag = flags.get(name);
            if (flag == null) {
                throw unknown(name);
            }
            if (!given.add(flag)) {
                throw new UsageException(name + " is given more than once; leave one of them out");
            }
            String value;
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (isBoolean(flag) && (next == args.length || flags.containsKey(args[next]))) {
                value = "true";
            } else if (next == args.length || flags.containsKey(args[next])) {
                throw new UsageException(name + " needs a value; " + meaning(flag));
            } else {
                value = args[next++];
            }
            complete.add(name);
            complete.add(typed(name, flag, value));
        }
        try {
            commander.parse(complete.toArray(new String[0]));
        } catch (ParameterException e) {
            throw new UsageException(String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    /** The value in the form that JCommander takes, if it is one of the flag's type. */
    private static String typed(String name, ParameterDescription flag, String value) {
        Class<?> type = flag.getParameterized().getType();
        if (isBoolean(flag)) {
            return oneOf(name, value, List.of("true", "false"));
        }
        if (type.isEnum()) {
            List<String> constants = Arrays.stream(type.getEnumConstants())
                    .map(constant -> Text.camelCase((Enum<?>) constant))
                    .toList();
            String choice = oneOf(name, value, constants);
            return type.getEnumConstants()[constants.indexOf(choice)].toString();
        }
        try {
            if (type == long.class || type == Long.class) {
                return Long.toString(Long.parseLong(value));
            }
            if (type == double.class || type == Double.class) {
                return Double.toString(Double.parseDouble(value));
            }
        } catch (NumberFormatException e) {
            String kind = type == double.class || type == Double.class ? "a number" : "a whole number";
            throw new UsageException(name + " " + value + " is not " + kind + "; " + meaning(flag));
        }
        return value;
    }

    private static String oneOf(String name, String value, List<String> choices) {
        for (String choice : choices) {
            if (choice.equalsIgnoreCase(value)) {
                return choice;
            }
        }
        throw new UsageException(name + " " + value + " is none of " + String.join(", ", choices) + "; choose one");
    }

    private UsageException unknown(String name) {
        if (!name.startsWith("-")) {
            return new UsageException("unexpected argument '" + name + "'; flags start with -, see --help");
        }
        String hint = suggestion(name);
        return new UsageException("unknown flag " + name + "; "
                + (hint == null ? "see --help" : "did you mean " + hint + "? See --help"));
    }

    private @Nullable String suggestion(String name) {
        String bare = name.replace("-", "").toLowerCase(Locale.ROOT);
        return flags.keySet().stream()
                .filter(known -> known.startsWith("--") && bare.length() > 2)
                .filter(known -> known.substring(2).toLowerCase(Locale.ROOT).startsWith(bare)
                        || bare.startsWith(known.substring(2).toLowerCase(Locale.ROOT)))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Prints one line per flag: its names, its default, what it does. */
    public void printFlags(PrintStream out) {
        List<ParameterDescription> ordered = commander.getParameters().stream()
                .sorted(Comparator.comparingInt(flag -> annotation(flag).order()))
                .toList();
        int nameWidth = ordered.stream()
                .mapToInt(flag -> synopsis(flag).length())
                .filter(width -> width <= MAX_NAME_WIDTH)
                .max()
                .orElse(0);
        int defaultWidth = ordered.stream()
                .mapToInt(flag -> defaultValue(flag).length())
                .max()
                .orElse(0);
        String format = "  %-" + nameWidth + "s  %-" + defaultWidth + "s  %s%n";
        out.printf(format, "flag", "default", "meaning");
        for (ParameterDescription flag : ordered) {
            String synopsis = synopsis(flag);
            if (synopsis.length() > nameWidth) {
                out.println("  " + synopsis);
                synopsis = "";
            }
            out.printf(format, synopsis, defaultValue(flag), flag.getDescription());
        }
    }

    private static String synopsis(ParameterDescription flag) {
        String names = names(flag).stream()
                .sorted(Comparator.comparingInt(String::length))
                .collect(Collectors.joining(", "));
        String indent = names.startsWith("--") ? "    " : "";
        String value = isBoolean(flag) ? "" : " " + annotation(flag).placeholder();
        return indent + names + value;
    }

    private static String defaultValue(ParameterDescription flag) {
        String described = annotation(flag).defaultValueDescription();
        if (!described.isEmpty()) {
            return described;
        }
        Object value = flag.getDefault();
        if (value instanceof Double number) {
            return Text.decimal(number);
        }
        if (value instanceof Enum<?> constant) {
            return Text.camelCase(constant);
        }
        return value == null ? "none" : value.toString().toLowerCase(Locale.ROOT);
    }

    private static String meaning(ParameterDescription flag) {
        return flag.getLongestName() + " is " + flag.getDescription().split(";", 2)[0];
    }

    private static boolean isBoolean(ParameterDescription flag) {
        return flag.getParameterized().getType() == boolean.class;
    }

    private static List<String> names(ParameterDescription flag) {
        return List.of(annotation(flag).names());
    }

    private static Parameter annotation(ParameterDescription flag) {
        return flag.getParameterAnnotation();
    }
}
