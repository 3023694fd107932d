package io.persist.micrometer;

import io.persist.LogMonitor;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The monitor of the log in a directory. It is made when it is asked for: a log that has no directory, as in a test,
 * can be bound too.
 *
 * <p><b>Threads:</b> any.
 */
final class DirectoryMonitor {

    private final String directory;
    private volatile @Nullable LogMonitor monitor;

    DirectoryMonitor(String directory) {
        this.directory = directory;
    }

    LogMonitor get() {
        LogMonitor made = monitor;
        if (made == null) {
            made = LogMonitor.open(Path.of(directory));
            monitor = made;
        }
        return made;
    }
}
