package io.persist.command;

import com.beust.jcommander.JCommander;
import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParameterDescription;
import com.beust.jcommander.ParameterException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arguments on their way into the annotated fields of a parameters object.
 *
 * <p>JCommander knows the flags and converts their values; which argument is a flag, a value or an operand is decided
 * here, in the same way for all programs. A flag's value is the argument behind it, or what follows {@code =}. A flag
 * that is given again overrides what was given before, so that a script can put defaults first. What follows {@code
 * --} is an operand, whatever it begins with. No argument is anything else than what it says: a value that begins with
 * {@code @} names no file.
 */
public final class CommandLine {

    /** A flag with a longer name gets a line for it, so that the lines of all the others stay short. */
    private static final int MAX_NAME_WIDTH = 28;

    /** Of flags that have no order of their own: they come in the order of their names, and the help last. */
    private static final int NO_ORDER = -1;

    private final boolean takesOperands;
    private final List<ParameterDescription> ordered;
    private final Map<String, ParameterDescription> flags = new HashMap<>();
    private List<String> operands = List.of();

    private CommandLine(Object parameters, boolean takesOperands) {
        this.takesOperands = takesOperands;
        JCommander commander = JCommander.newBuilder()
                .addObject(parameters)
                .allowParameterOverwriting(true)
                .build();
        commander.createDescriptions();
        ordered = commander.getParameters().stream()
                .sorted(Comparator.comparingInt(CommandLine::order)
                        .thenComparing(
                                flag -> flag.getLongestName().replace("-", "").toLowerCase(Locale.ROOT)))
                .toList();
        for (ParameterDescription flag : ordered) {
            for (String name : names(flag)) {
                flags.put(name, flag);
            }
        }
    }

    private static int order(ParameterDescription flag) {
        int order = annotation(flag).order();
        return order == NO_ORDER && annotation(flag).help() ? Integer.MAX_VALUE : order;
    }

    /** A command line for the fields of {@code parameters} that have JCommander's annotation, and nothing else. */
    public static CommandLine of(Object parameters) {
        return new CommandLine(parameters, false);
    }

    /** The same, and operands: arguments that belong to no flag. */
    public static CommandLine withOperands(Object parameters) {
        return new CommandLine(parameters, true);
    }

    /** What was given besides flags. */
    public List<String> operands() {
        return operands;
    }

    /**
     * Sets the fields.
     *
     * @throws UsageException if the arguments make no sense; the fields may have been set or not
     */
    public void parse(String... args) {
        Map<ParameterDescription, String> values = new LinkedHashMap<>();
        List<String> others = new ArrayList<>();
        int next = 0;
        while (next < args.length) {
            String argument = args[next++];
            if (takesOperands && argument.equals("--")) {
                Arrays.stream(args, next, args.length).map(CommandLine::operand).forEach(others::add);
                break;
            }
            if (takesOperands && !argument.startsWith("-")) {
                others.add(operand(argument));
                continue;
            }
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            ParameterDescription flag = flags.get(name);
            if (flag == null) {
                throw unknown(name);
            }
            String value;
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (isBoolean(flag)) {
                boolean isGiven = next < args.length && isTruthValue(flag, args[next]);
                value = isGiven ? args[next++] : "true";
            } else if (next == args.length || flags.containsKey(args[next])) {
                throw new UsageException(name + " needs a value; " + meaning(flag));
            } else {
                value = args[next++];
            }
            values.put(flag, FlagValue.typed(name, flag, value));
        }
        set(values);
        operands = List.copyOf(others);
    }

    /** A shell makes an empty argument of a variable that is not set, which would mean the working directory. */
    private static String operand(String argument) {
        if (argument.isEmpty()) {
            throw new UsageException("an argument is empty; name a directory, or look whether a variable is unset");
        }
        return argument;
    }

    private static void set(Map<ParameterDescription, String> values) {
        try {
            values.forEach(ParameterDescription::addValue);
        } catch (ParameterException e) {
            throw new UsageException(String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    /**
     * Whether {@code argument} is the value of the boolean before it. Beside operands only the two words are, because
     * {@code --follow LOG} says that LOG is one.
     */
    private boolean isTruthValue(ParameterDescription flag, String argument) {
        if (takesOperands) {
            boolean takesValue = annotation(flag).arity() == 1;
            return takesValue && (argument.equalsIgnoreCase("true") || argument.equalsIgnoreCase("false"));
        }
        return !flags.containsKey(argument);
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
        List<Flag> all = flags();
        int nameWidth = all.stream()
                .mapToInt(flag -> flag.synopsis().length())
                .filter(width -> width <= MAX_NAME_WIDTH)
                .max()
                .orElse(0);
        int defaultWidth =
                all.stream().mapToInt(flag -> flag.usual().length()).max().orElse(0);
        String format = "  %-" + nameWidth + "s  %-" + defaultWidth + "s  ";
        out.println(String.format(format, "flag", "default") + "meaning");
        for (Flag flag : all) {
            String synopsis = flag.synopsis();
            if (synopsis.length() > nameWidth) {
                out.println("  " + synopsis);
                synopsis = "";
            }
            Text.lines(String.format(format, synopsis, flag.usual()), flag.description())
                    .forEach(out::println);
        }
    }

    /**
     * A flag, for people.
     *
     * @param names all of them, the short one first
     * @param placeholder what its value is called; empty for a boolean
     * @param usual its default
     * @param description what it does
     */
    public record Flag(List<String> names, String placeholder, String usual, String description) {

        /** As {@code -n, --count N}. */
        public String synopsis() {
            String all = String.join(", ", names);
            String indent = all.startsWith("--") ? "    " : "";
            return indent + all + (placeholder.isEmpty() ? "" : " " + placeholder);
        }
    }

    /** All flags, in the order of the help. */
    public List<Flag> flags() {
        return ordered.stream().map(CommandLine::flag).toList();
    }

    private static Flag flag(ParameterDescription flag) {
        List<String> names = names(flag).stream()
                .sorted(Comparator.comparingInt(String::length))
                .toList();
        String named = annotation(flag).placeholder();
        String placeholder = isBoolean(flag) ? "" : named.isEmpty() ? "VALUE" : named;
        return new Flag(names, placeholder, defaultValue(flag), flag.getDescription());
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
        return value == null ? "none" : value.toString();
    }

    /** A part of a message: what the flag is for. */
    static String meaning(ParameterDescription flag) {
        return flag.getLongestName() + ": " + flag.getDescription();
    }

    static boolean isBoolean(ParameterDescription flag) {
        return flag.getParameterized().getType() == boolean.class;
    }

    private static List<String> names(ParameterDescription flag) {
        return List.of(annotation(flag).names());
    }

    static Parameter annotation(ParameterDescription flag) {
        return flag.getParameterAnnotation();
    }
}
