package io.persist.command;

import com.beust.jcommander.ParameterDescription;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Values of flags, whose text JCommander converts to the type of a field: what is none is refused in our words. */
final class FlagValue {

    private FlagValue() {}

    /** The value in the form that JCommander takes, if it is one of the flag's type. */
    static String typed(String name, ParameterDescription flag, String value) {
        Class<?> type = flag.getParameterized().getType();
        if (CommandLine.isBoolean(flag)) {
            return oneOf(name, value, List.of("true", "false"));
        }
        if (type.isEnum()) {
            return constant(name, value, type);
        }
        if (type == List.class) {
            return list(name, flag, value);
        }
        if (type == Path.class) {
            return path(name, value);
        }
        if (type == int.class || type == Integer.class) {
            return whole(name, flag, value, Integer.MAX_VALUE);
        }
        if (type == long.class || type == Long.class) {
            return whole(name, flag, value, Long.MAX_VALUE);
        }
        return type == double.class || type == Double.class ? number(name, flag, value) : value;
    }

    private static String path(String name, String value) {
        if (value.isEmpty()) {
            throw new UsageException(name + " is empty; name a path, or look whether a variable is unset");
        }
        try {
            return Path.of(value).toString();
        } catch (InvalidPathException e) {
            throw new UsageException(name + " is " + UsageException.notAPath(e));
        }
    }

    private static String constant(String name, String value, Class<?> type) {
        List<String> constants = Arrays.stream(type.getEnumConstants())
                .map(constant -> Text.camelCase((Enum<?>) constant))
                .toList();
        String choice = oneOf(name, value, constants);
        return type.getEnumConstants()[constants.indexOf(choice)].toString();
    }

    private static String oneOf(String name, String value, List<String> choices) {
        for (String choice : choices) {
            if (choice.equalsIgnoreCase(value)) {
                return choice;
            }
        }
        throw new UsageException(name + " " + value + " is none of " + String.join(", ", choices) + "; choose one");
    }

    /** Of constants or of whole numbers; of anything else as it is. */
    private static String list(String name, ParameterDescription flag, String value) {
        if (!(flag.getParameterized().findFieldGenericType() instanceof Class<?> element)) {
            return value;
        }
        boolean isEnum = element.isEnum();
        if (!isEnum && element != Integer.class) {
            return value;
        }
        List<String> words = Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new UsageException(name + " is empty, as by a variable that is unset; name some, or leave it out");
        }
        return words.stream()
                .map(word -> isEnum ? constant(name, word, element) : whole(name, flag, word, Integer.MAX_VALUE))
                .collect(Collectors.joining(","));
    }

    private static String whole(String name, ParameterDescription flag, String value, long most) {
        String number = inUnit(flag, value);
        try {
            long whole = Long.parseLong(number);
            if (whole <= most && whole >= -most - 1) {
                return Long.toString(whole);
            }
        } catch (NumberFormatException e) {
            if (!number.matches("[+-]?[0-9]+")) {
                throw new UsageException(name + " " + value + " is not a whole number" + unitHint(flag) + "; "
                        + CommandLine.meaning(flag));
            }
        }
        throw new UsageException(name + " " + value + " is out of range; give " + Text.grouped(most) + " at most");
    }

    private static String number(String name, ParameterDescription flag, String value) {
        try {
            return Double.toString(Double.parseDouble(inUnit(flag, value)));
        } catch (NumberFormatException e) {
            throw new UsageException(
                    name + " " + value + " is not a number" + unitHint(flag) + "; " + CommandLine.meaning(flag));
        }
    }

    private static String inUnit(ParameterDescription flag, String value) {
        return SizeUnit.of(CommandLine.annotation(flag).placeholder())
                .map(unit -> unit.number(value))
                .orElse(value);
    }

    private static String unitHint(ParameterDescription flag) {
        return SizeUnit.of(CommandLine.annotation(flag).placeholder())
                .map(unit -> " of " + unit.name().replace("BYTES", "bytes") + ", nor one with a unit such as 10MB")
                .orElse("");
    }
}
