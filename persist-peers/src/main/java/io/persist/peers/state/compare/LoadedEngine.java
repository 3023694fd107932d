package io.persist.peers.state.compare;

import io.persist.jmh.support.ScratchDirectory;
import io.persist.log.Durability;
import io.persist.peers.state.StateData;
import io.persist.peers.state.StateEngine;
import io.persist.peers.state.StateEngineConfig;
import io.persist.peers.state.StateEngineKind;
import java.io.IOException;
import java.util.Locale;

/** An engine that holds all keys and is idle, in a directory of its own which goes when it is closed. */
final class LoadedEngine implements AutoCloseable {

    private final ScratchDirectory directory;
    private final StateData data;
    private final StateEngine engine;

    LoadedEngine(StateEngineKind kind, Durability durability, StateData data) throws IOException {
        this.directory = ComparisonSettings.directory(4 * data.liveBytes());
        this.data = data;
        this.engine = kind.open(StateEngineConfig.of(directory.path(), durability));
        data.load(engine);
        engine.settle();
    }

    StateEngine engine() {
        return engine;
    }

    /** Says how much space the engine took in the end: what it has put off is not in its times. */
    @Override
    public void close() throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%n# %d keys, live %d MiB, files of %d MiB%n",
                data.keys(),
                data.liveBytes() >> 20,
                engine.fileBytes() >> 20);
        engine.close();
        directory.close();
    }
}
