package io.persist.command.launch;

import java.util.Locale;
import java.util.Objects;

/** What is running. */
final class Version {

    private Version() {}

    /** As {@code 0.1.0, JDK 17.0.15, Linux 6.18 amd64}. */
    static String current() {
        // Only a jar has a manifest that says it.
        String version = Objects.requireNonNullElse(
                Version.class.getPackage().getImplementationVersion(), "of a build that was not packaged");
        return String.format(
                Locale.ROOT,
                "%s, JDK %s, %s %s %s",
                version,
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"));
    }
}
