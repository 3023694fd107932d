package io.persist.command.launch;

import io.persist.format.PersistVersion;
import java.util.Locale;

/** What is running. */
final class Version {

    private Version() {}

    /** As {@code 0.1.0, JDK 17.0.15, Linux 6.18 amd64}. */
    static String current() {
        return String.format(
                Locale.ROOT,
                "%s, JDK %s, %s %s %s",
                PersistVersion.NAME,
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"));
    }
}
