package io.persist.log.read;

import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.Records;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** The logs that tailers are tested with: in each combination of modes, with short segments and buffers. */
final class TailedLog {

    private TailedLog() {}

    /** Every {@link WriteMode} with every {@link ReadMode}. */
    static List<Arguments> modes() {
        List<Arguments> modes = new ArrayList<>();
        for (WriteMode write : WriteMode.values()) {
            for (ReadMode read : ReadMode.values()) {
                modes.add(Arguments.of(write, read));
            }
        }
        return modes;
    }

    /** A configuration for a storage in memory. */
    static LogConfig config(WriteMode writeMode) {
        return config(writeMode, Path.of("memory"), 4096);
    }

    static LogConfig config(WriteMode writeMode, Path directory, int segmentLength) {
        return LogConfig.builder(directory)
                .segmentLength(segmentLength)
                .writeBufferLength(600)
                .writeMode(writeMode)
                .build();
    }

    /** A reader with a buffer that is about as short. */
    static TailerConfig reader(ReadMode readMode) {
        return TailerConfig.builder().readBufferLength(700).readMode(readMode).build();
    }

    /** Opens the log and appends so many records, all of them flushed. */
    static Log open(LogConfig config, Storage storage, int records) {
        Log log = Log.open(config, storage);
        Records.append(log, records);
        log.flush();
        return log;
    }
}
