package io.persist.peers.cache;

import io.persist.bench.cache.CacheCommand;
import io.persist.bench.cache.StoreEngine;
import io.persist.command.launch.Commands;
import java.util.List;

/** {@code bin/persist cache}, with all engines. */
public final class CacheProgram {

    private CacheProgram() {}

    /** The program with the store and RocksDB. */
    static CacheCommand command() {
        return new CacheCommand(List.of(StoreEngine.KIND, RocksCacheEngine.KIND));
    }

    /** Runs it, and ends the process with its exit code. */
    public static void main(String[] args) {
        Commands.end((given, out, err) -> command().run(given, out, err), args);
    }
}
