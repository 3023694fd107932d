package io.persist.fuzz;

import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import java.nio.file.Path;

/** How the library is set up and what surrounds it: a byte of the input. */
record Settings(int bits) {

    static final Settings PLAIN = new Settings(0);

    private boolean has(int bit) {
        return (bits & 1 << bit) != 0;
    }

    /** Short segments and buffers, so that little is a lot. */
    LogConfig log() {
        return LogConfig.builder(Path.of("memory"))
                .segmentLength(Images.SEGMENT_LENGTH)
                .writeMode(has(1) ? WriteMode.FILE : WriteMode.MAPPED)
                .writeBufferLength(512)
                .build();
    }

    /** How all of any log is read. */
    TailerConfig all() {
        return tailer(ReadScope.PUBLISHED);
    }

    private TailerConfig tailer(ReadScope scope) {
        return TailerConfig.builder()
                .anyContent()
                .readMode(has(0) ? ReadMode.FILE : ReadMode.MAPPED)
                .readBufferLength(256)
                .readScope(scope)
                .build();
    }

    /** The same for a process that only reads: it may see less. */
    TailerConfig reader() {
        return tailer(has(2) ? ReadScope.SYNCED : ReadScope.PUBLISHED);
    }

    /** Without checkpoints and compaction but those that are asked for. */
    StoreConfig store() {
        return StoreConfig.builder(log()).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    /** Whether the machine was started anew since the files were written. */
    boolean isOtherBoot() {
        return has(3);
    }

    /** Whether an archive is a zip file; else it is a directory. */
    boolean isZip() {
        return has(4);
    }
}
