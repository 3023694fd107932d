package io.persist.command;

import java.nio.file.InvalidPathException;

/** The command line asks for something that makes no sense. The message names the flag, the value and the remedy. */
public final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /** Why an argument is no path. Where the locale has ASCII only, as that of cron, Java cannot name other files. */
    static String notAPath(InvalidPathException refused) {
        boolean isOfTheLocale = refused.getReason().startsWith("Malformed input");
        return isOfTheLocale
                ? "not a path in this locale, which has not all of its characters: " + refused.getInput()
                        + "; set LC_ALL=C.UTF-8"
                : "not a path: " + refused.getMessage();
    }
}
