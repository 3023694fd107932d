package io.persist.matrix.access;

import io.persist.MessageLogger;
import io.persist.PacketLogger;
import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import java.nio.file.Path;

/** Opens loggers as users do: by the path of a directory, which may not be one. */
final class Opening {

    private Opening() {}

    /** The logger of {@code subject} in {@code directory}; to be closed. */
    static AutoCloseable open(Subject subject, Path directory) {
        return open(subject, directory, directory);
    }

    /** The same with a store's checkpoints elsewhere. */
    static AutoCloseable open(Subject subject, Path directory, Path checkpoints) {
        LogConfig config = subject.config(directory);
        DetachedConfig queue = DetachedConfig.builder().build();
        boolean isDetached = subject.isDetached();
        return switch (subject.logger()) {
            case MESSAGE -> isDetached ? MessageLogger.open(config, queue) : MessageLogger.open(config);
            case PACKET -> isDetached ? PacketLogger.open(config, queue) : PacketLogger.open(config);
            case STORE -> {
                StoreConfig store = StoreConfig.builder(config)
                        .checkpointDirectory(checkpoints)
                        .build();
                yield isDetached ? StoreLogger.open(store, queue) : StoreLogger.open(store);
            }
        };
    }
}
