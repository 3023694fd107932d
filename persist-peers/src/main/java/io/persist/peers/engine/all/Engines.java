package io.persist.peers.engine.all;

import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.aeron.AeronDirectory;
import io.persist.peers.engine.aeron.AeronEngine;
import io.persist.peers.engine.artemis.ArtemisEngine;
import io.persist.peers.engine.bare.BareCopyEngine;
import io.persist.peers.engine.bare.BareSequentialEngine;
import io.persist.peers.engine.bare.BareWriteEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The engines, in the order of tables. A new one is one more line here. */
public final class Engines {

    private static final List<EngineKind> ALL = List.of(
            PersistEngine.MAPPED,
            PersistEngine.FILE,
            PersistEngine.DETACHED,
            ChronicleEngine.KIND,
            AeronEngine.KIND,
            AeronEngine.LIVE,
            ArtemisEngine.NIO,
            ArtemisEngine.MAPPED,
            ArtemisEngine.AIO,
            RocksEngine.KIND,
            SqliteEngine.KIND,
            BareCopyEngine.KIND,
            BareWriteEngine.FDATASYNC,
            BareWriteEngine.DSYNC,
            BareWriteEngine.DIRECT,
            BareSequentialEngine.KIND);

    private Engines() {}

    public static List<EngineKind> all() {
        return ALL;
    }

    public static Optional<EngineKind> byId(String id) {
        return ALL.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /**
     * Deletes what a killed process that had an engine open in the directory left outside of it. To be called before
     * the directory is deleted; opening the engine again does it too.
     */
    public static void deleteLeftovers(Path directory) throws IOException {
        AeronDirectory.deleteLeftovers(directory);
    }
}
