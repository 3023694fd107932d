package io.persist.log.engine;

import io.persist.file.Storage;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.support.Await;
import io.persist.support.Records;
import java.nio.file.Path;

/** Every combination of {@link WriteMode} and {@link FileMode} that makes sense. */
public enum WriterKind {
    MAPPED(WriteMode.MAPPED, FileMode.RW),
    FILE_RW(WriteMode.FILE, FileMode.RW),
    FILE_RWD(WriteMode.FILE, FileMode.RWD),
    FILE_RWS(WriteMode.FILE, FileMode.RWS);

    /** The shortest possible segment: so few records make many of them. */
    public static final int SEGMENT_LENGTH = 4096;

    private final WriteMode writeMode;
    private final FileMode fileMode;

    WriterKind(WriteMode writeMode, FileMode fileMode) {
        this.writeMode = writeMode;
        this.fileMode = fileMode;
    }

    public boolean isMapped() {
        return writeMode == WriteMode.MAPPED;
    }

    /** A configuration of short segments and buffers for a storage in memory. */
    public LogConfig.Builder config() {
        return config(Path.of("memory"));
    }

    public LogConfig.Builder config(Path directory) {
        return LogConfig.builder(directory)
                .segmentLength(SEGMENT_LENGTH)
                .writeBufferLength(512)
                .writeMode(writeMode)
                .fileMode(fileMode);
    }

    /** A reader with a buffer that is as short. */
    public static TailerConfig.Builder reader() {
        return TailerConfig.builder().readBufferLength(512);
    }

    /** A log that has rolled so often, without a stall, after which more segments would be filled ahead. */
    public Log openWithRolls(Storage storage, int rolls) {
        Log log = Log.open(config().build(), storage);
        for (int i = 0; i < rolls; i++) {
            Await.segmentsAhead(log, 2);
            Records.appendUntilRolled(log, 1);
        }
        Await.segmentsAhead(log, 2);
        log.flush();
        return log;
    }
}
