package io.persist.peers.trial;

import io.persist.bench.host.DirectoryTree;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The logs of a trial, each in a directory of its own. */
public final class Logs {

    /** What an engine does in the background after it has been opened should be done by then. */
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Trial trial;

    public Logs(Trial trial) {
        this.trial = trial;
    }

    /**
     * Opens a new log for the producers of the mode; where space is to be prepared it gets time for that, unless
     * nothing is warmed up.
     */
    public Engine create(String name, long expectedMessages) throws IOException {
        Files.createDirectories(directory(name));
        Engine engine = open(name, expectedMessages, trial.mode().producers());
        if (trial.mode().space() == Space.PREPARED && trial.warmupSeconds() > 0) {
            LockSupport.parkNanos(SETTLE_NS);
        }
        return engine;
    }

    /** Opens a log that is there. */
    public Engine open(String name, long expectedMessages, int producers) throws IOException {
        return trial.kind()
                .factory()
                .open(new EngineConfig(
                        directory(name),
                        trial.mode().durability(),
                        trial.mode().space(),
                        trial.messageLength(),
                        expectedMessages,
                        producers));
    }

    public void delete(String name) throws IOException {
        DirectoryTree.delete(directory(name));
    }

    private Path directory(String name) {
        return Path.of(trial.directory(), name);
    }
}
