package io.persist.tool;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;

/** Where a store's checkpoints are: in its log's directory, or in one of their own. It opens the store for a tool. */
@FunctionalInterface
public interface StorePlace {

    /** The checkpoints are where the log is. */
    StorePlace ONE = log -> log;

    /** The storage of the checkpoints of the store whose log is {@code log}. */
    Storage checkpoints(Storage log);

    /** The checkpoints are in {@code directory}, which may also be the log's. */
    static StorePlace with(Path directory) {
        return log -> FileAction.orFail("cannot read the checkpoints", () -> {
            Storage storage = DirectoryStorage.open(directory);
            return storage.description().equals(log.description()) ? log : storage;
        });
    }

    /** The store as it is now, for reading. */
    default StoreView view(Storage log) {
        return StoreView.open(log, checkpoints(log));
    }

    /** The store for writing, which does by itself nothing but recover; its log goes on in segments as it has. */
    default StoreLogger open(Storage log) {
        int segmentLength = lastSegment(log).segmentLength();
        LogConfig config = LogConfig.builder(Path.of(log.description()))
                .segmentLength(segmentLength)
                .build();
        StoreConfig store = StoreConfig.builder(config)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        return StoreLogger.open(store, log, checkpoints(log));
    }

    private static SegmentHeader lastSegment(Storage log) {
        try {
            SegmentHeader first = LogIdentity.firstHeader(log);
            if (first == null) {
                throw new LogIOException(
                        "there is no log and no store: directory=" + log.description()
                                + "; name the directory of a store",
                        null);
            }
            LogContent content = first.content();
            if (content != LogContent.TRANSACTIONS) {
                throw new LogIOException(
                        "there is a log of " + content.plural() + " and no store: directory=" + log.description()
                                + "; name the directory of a store",
                        null);
            }
            return LogFiles.readableHeaders(log).stream()
                    .filter(segment -> segment.logId() == first.logId())
                    .reduce(first, (before, segment) -> segment);
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }
}
