package io.persist.command;

import java.nio.file.InvalidPathException;
import java.util.Locale;
import java.util.regex.Pattern;

/** The command line asks for something that makes no sense. The message names the flag, the value and the remedy. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    public UsageException(String message) {
        super(message);
    }

    /** Why an argument is no path. Where the locale has ASCII only, as that of cron, Java cannot name other files. */
    static String notAPath(InvalidPathException refused) {
        boolean isOfTheLocale = refused.getReason().startsWith("Malformed input");
        return isOfTheLocale
                ? "not a path in this locale, which has not all of its characters: " + visible(refused.getInput())
                        + "; set LC_ALL=C.UTF-8"
                : "not a path: " + refused.getMessage();
    }

    /** On one line, whatever is in a name. */
    private static String visible(String text) {
        return CONTROL.matcher(text)
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }
}
