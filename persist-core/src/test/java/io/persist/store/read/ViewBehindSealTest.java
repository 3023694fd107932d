package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A view is opened while the log ends behind a seal, and the transaction that made it roll comes meanwhile: a step goes
 * over both.
 */
class ViewBehindSealTest {

    private static final StoreConfig CONFIG = StoreConfig.builder(LogConfig.builder(Path.of("memory"))
                    .segmentLength(Texts.SEGMENT_LENGTH)
                    .writeMode(WriteMode.FILE)
                    .writeBufferLength(1024)
                    .build())
            .maxSpaceRatio(0)
            .build();

    /** The key of the newest transaction, which is in the write buffer. */
    private String putUntilItHasRolled(StoreLogger store, Storage storage) {
        for (int i = 0; ; i++) {
            Texts.put(store, "key-" + i, "a value that takes some space: " + i);
            long end = visibleEnd(storage);
            if (end > Texts.SEGMENT_LENGTH && end % Texts.SEGMENT_LENGTH == SegmentHeader.LENGTH) {
                return "key-" + i;
            }
        }
    }

    private long visibleEnd(Storage storage) {
        try (Tailer tailer =
                Tailer.open(storage, TailerConfig.builder().anyContent().build())) {
            tailer.toEnd();
            return tailer.nextPosition();
        }
    }

    @Test
    void shouldNotHaveMoreThanItsPositionSays() {
        int behindSeal = 0;
        for (int nth = 1; nth <= 6; nth++) {
            CrashableStorage storage = new CrashableStorage();
            try (StoreLogger store = StoreLogger.open(CONFIG, storage, storage)) {
                String newest = putUntilItHasRolled(store, storage);
                int flushed = nth;
                AtomicInteger lists = new AtomicInteger();
                Storage seen = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
                    if (call.equals("list") && lists.incrementAndGet() == flushed) {
                        store.flush();
                    }
                    return result;
                });
                try (StoreView view = StoreView.open(storage, seen)) {
                    behindSeal +=
                            checkGoesOn(store, view, newest) % Texts.SEGMENT_LENGTH == SegmentHeader.LENGTH ? 1 : 0;
                    view.catchUp();
                    assertThat(view.snapshot().get(Texts.bytes(newest))).isNotNull();
                }
            }
        }
        assertThat(behindSeal).as("views of a log that ends behind a seal").isPositive();
    }

    /** What comes behind the view's position is not in it, and nothing else; returns that position. */
    private static long checkGoesOn(StoreLogger store, StoreView view, String newest) {
        StoreSnapshot state = view.snapshot();
        store.flush(); // now it can be read, too
        try (ChangeReader changes = store.changes(state.position())) {
            boolean follows = false;
            while (changes.next()) {
                assertThat(state.get(changes.keyBytes())).isNull();
                follows = true;
            }
            assertThat(state.get(Texts.bytes(newest)) == null).isEqualTo(follows);
            return state.position();
        }
    }
}
