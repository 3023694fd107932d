package io.persist.support;

import java.lang.System.Logger;
import java.util.List;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The logging of an application: it drops what it is told, or keeps it while a test listens. */
public final class HeardNotices extends System.LoggerFinder {

    /** What a logger was told. */
    public record Notice(
            String logger,
            Logger.Level level,
            String text,
            @Nullable Throwable thrown) {}

    /** What a test wants of the application's logging. */
    public interface Listening {
        void hear(Notice notice);
    }

    private static volatile @Nullable Listening listening;

    /** Hears what is said during {@code action} about the log in {@code directory}, by whichever thread. */
    public static List<Notice> during(String directory, Runnable action) {
        Queue<Notice> heard = new ConcurrentLinkedQueue<>();
        answering(
                notice -> {
                    if (notice.text().contains(directory)) {
                        heard.add(notice);
                    }
                },
                action);
        return List.copyOf(heard);
    }

    /** Has {@code other} hear all that is said during {@code action}. */
    public static void answering(Listening other, Runnable action) {
        listening = other;
        try {
            action.run();
        } finally {
            listening = null;
        }
    }

    @Override
    public Logger getLogger(String name, Module module) {
        return new Heard(name);
    }

    private record Heard(String name) implements Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return listening != null && name.startsWith("io.persist");
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
            Listening heard = listening;
            if (heard != null && name.startsWith("io.persist")) {
                heard.hear(new Notice(name, level, String.valueOf(text), thrown));
            }
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String format, Object... parameters) {
            log(level, bundle, format, (Throwable) null);
        }
    }
}
