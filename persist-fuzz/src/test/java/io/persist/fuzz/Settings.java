package io.persist.fuzz;

import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
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
                .readMode(has(0) ? ReadMode.FILE : ReadMode.MAPPED)
                .writeMode(has(1) ? WriteMode.FILE : WriteMode.MAPPED)
                .readBufferLength(256)
                .writeBufferLength(512)
                .build();
    }

    /** The same for who only reads: it may see less. */
    LogConfig reader() {
        LogConfig log = log();
        return LogConfig.builder(log.directory())
                .readMode(log.readMode())
                .readBufferLength(log.readBufferLength())
                .readScope(has(2) ? ReadScope.SYNCED : ReadScope.PUBLISHED)
                .build();
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
