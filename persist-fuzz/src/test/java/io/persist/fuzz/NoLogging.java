package io.persist.fuzz;

import java.lang.System.Logger;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * No logging: a recovery of each hostile file would say what it cut.
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
