package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogWriter;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;

/** The ways to write a log, for tests that hold its syncs. */
enum WriterWay {
    ATTACHED_MAPPED,
    ATTACHED_FILE,
    DETACHED_MAPPED,
    DETACHED_FILE;

    boolean isDetached() {
        return name().startsWith("DETACHED");
    }

    WriteMode mode() {
        return name().endsWith("FILE") ? WriteMode.FILE : WriteMode.MAPPED;
    }

    /** A log whose filler has nothing to do any more. */
    Log open(CrashableStorage storage) {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(1 << 20)
                .writeMode(mode())
                .build();
        Log log = Log.open(config, storage);
        Await.until("two segments are prepared", () -> storage.list().size() == 5);
        return log;
    }

    /** What writes {@code log} in this way. */
    LogWriter writer(Log log) {
        return isDetached() ? DetachedLog.over(log, DetachedConfig.builder().build()) : log;
    }

    /** Closes what a test may have left held, and interrupted. */
    static void close(LogWriter writer, HeldSyncs syncs, CrashableStorage storage) {
        Thread.interrupted();
        syncs.releaseAll();
        storage.hook((number, what) -> {});
        writer.close();
        assertThat(storage.openHandles()).isZero();
    }
}
