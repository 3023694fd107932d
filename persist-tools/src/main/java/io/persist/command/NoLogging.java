package io.persist.command;

import java.lang.System.Logger;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The logging of the programs: none. They print what a recovery did, what failed and how long a sync took themselves,
 * and nothing else may come between their lines.
 */
public final class NoLogging extends System.LoggerFinder {

    @Override
    public Logger getLogger(String name, Module module) {
        return new Silent(name);
    }

    private record Silent(String name) implements Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return false;
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {}

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... values) {}
    }
}
