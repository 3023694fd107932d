package io.persist.command;

import io.persist.file.disk.FileReason;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** How numbers and failures read in the programs' output. */
public final class Text {

    private static final int LINE_WIDTH = 110;

    /** So much there is for text at least, whatever stands before it. */
    private static final int MIN_TEXT_WIDTH = 50;

    private Text() {}

    /** As 1,234,567. */
    public static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** As 1 roll or 1,234 rolls. */
    public static String number(long count, String word) {
        return grouped(count) + " " + word + (count == 1 ? "" : "s");
    }

    /** As 2 or 0.0009765625. */
    public static String decimal(double value) {
        return value == Math.rint(value)
                ? Long.toString((long) value)
                : BigDecimal.valueOf(value).toPlainString();
    }

    /** As busySpin. */
    public static String camelCase(Enum<?> constant) {
        String lower = constant.name().toLowerCase(Locale.ROOT);
        return Pattern.compile("_(.)")
                .matcher(lower)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    /** A remark behind a value that has no effect. */
    public static String unused(String why) {
        return " (not used: " + why + ")";
    }

    /** Microseconds with two decimals, but none from a second on: there they would only widen the tables. */
    public static String micros(double ns) {
        return String.format(Locale.ROOT, ns < 1e9 ? "%.2f" : "%.0f", ns / 1e3);
    }

    /** As 80.1 GiB. */
    public static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }

    /** Names and values, one pair per line, with the values in one column. */
    public static String block(Map<String, ?> rows) {
        int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        rows.forEach((name, value) -> text.append(String.format(Locale.ROOT, "  %-" + width + "s  %s%n", name, value)));
        return text.toString();
    }

    /**
     * {@code text} behind {@code head}, in the lines of a help, which a terminal shows whole. It is broken at blanks;
     * each further line begins below the text. Commands that are typed as they stand are not for this.
     */
    public static List<String> lines(String head, String text) {
        int width = Math.max(MIN_TEXT_WIDTH, LINE_WIDTH - head.length());
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        String below = " ".repeat(head.length());
        lines.replaceAll(each -> below + each);
        lines.set(0, (head + lines.get(0).substring(head.length())).stripTrailing());
        return lines;
    }

    /** One line that says what went wrong. The message of many file exceptions is but the file's name. */
    public static String describe(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable told = failure instanceof UncheckedIOException && cause != null ? cause : failure;
        String message = told instanceof FileSystemException e
                ? e.getFile() + ": " + FileReason.of(e)
                : String.valueOf(told.getMessage());
        return message.replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
