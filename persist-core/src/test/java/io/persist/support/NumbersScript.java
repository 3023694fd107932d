package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.file.Storage;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.testkit.CrashScript;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Numbered messages over two segments, some of which are committed. */
class NumbersScript implements CrashScript {

    private static final int MESSAGES = 9;
    private static final int LENGTH = 500;

    private final LogConfig config;
    private final UnaryOperator<Storage> disk;
    private long appended;
    private long acknowledged;

    /** A script whose lives are on what {@code disk} makes of the storage; the checks are on the storage itself. */
    NumbersScript(WriteMode mode, UnaryOperator<Storage> disk) {
        this.config = LogConfig.builder(Path.of("memory"))
                .segmentLength(4096)
                .writeMode(mode)
                .writeBufferLength(1024)
                .build();
        this.disk = disk;
    }

    LogConfig config() {
        return config;
    }

    MessageLogger open(Storage storage) {
        return MessageLogger.open(config, storage);
    }

    @Override
    public void run(Storage storage) {
        try (MessageLogger logger = open(disk.apply(storage))) {
            appended = logger.lastSequence();
            for (int i = 1; i <= MESSAGES; i++) {
                appended++;
                logger.append(Records.of(appended, LENGTH));
                if (i % 3 != 0) {
                    logger.commit(Durability.SYNCED);
                    acknowledged = appended;
                }
            }
        }
        acknowledged = appended;
    }

    @Override
    public Object check(Storage storage) {
        try (MessageLogger logger = MessageLogger.open(config, storage);
                var tailer = logger.tailer()) {
            long last = 0;
            while (tailer.next()) {
                last++;
                assertThat(tailer.sequence()).isEqualTo(last);
                byte[] bytes = new byte[tailer.payload().remaining()];
                tailer.payload().get(bytes);
                assertThat(bytes).isEqualTo(Records.of(last, LENGTH));
            }
            assertThat(last).as("the last number").isBetween(acknowledged, Math.max(acknowledged, appended));
            return last;
        }
    }

    /** The same by a writer thread. */
    static final class Detached extends NumbersScript {

        private final DetachedConfig queue =
                DetachedConfig.builder().queueDepth(4).build();

        Detached(WriteMode mode) {
            super(mode, storage -> storage);
        }

        @Override
        MessageLogger open(Storage storage) {
            return MessageLogger.open(config(), queue, storage);
        }
    }
}
