package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.codec.Encoder;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an encoder has written a long message to is not kept; what a short one was written to is. */
class EncodedMemoryTest {

    private static final int LONG = 3 << 20;
    private static final int SHORT = 100_000;

    @TempDir
    Path directory;

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(16 << 20).build();
    }

    /** {@code write} gives an encoder one message of any kind. */
    private static void shouldKeepOnlyAShortOne(Consumer<Encoder<String>> write) {
        AtomicInteger kept = new AtomicInteger();
        Encoder<String> look = (message, out) -> kept.set(out.array().length);
        write.accept((message, out) -> out.extend(SHORT));
        write.accept(look);
        assertThat(kept.get()).isBetween(SHORT, LONG);
        write.accept((message, out) -> out.extend(LONG));
        write.accept(look);
        assertThat(kept.get()).isLessThan(SHORT);
    }

    @Test
    void shouldNotKeepWhatALoggerHasEncoded() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            shouldKeepOnlyAShortOne(encoder -> logger.append("", encoder));
        }
    }

    @Test
    void shouldNotKeepWhatATransactionHasEncoded() {
        try (StoreLogger store = StoreLogger.open(StoreConfig.builder(config()).build());
                Transaction transaction = store.begin()) {
            shouldKeepOnlyAShortOne(encoder -> transaction.put(new byte[1], "", encoder));
        }
    }
}
