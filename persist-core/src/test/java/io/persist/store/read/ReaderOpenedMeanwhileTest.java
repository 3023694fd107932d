package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.RetiredException;
import io.persist.store.Texts;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader of changes that is opened while compaction takes a segment away which it would have to read. */
@Timeout(60)
class ReaderOpenedMeanwhileTest {

    private static final int CHANGES = 400;

    private final CrashableStorage storage = new CrashableStorage();
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();
    private final CompletableFuture<Boolean> compacted = new CompletableFuture<>();
    private final CompletableFuture<Integer> read = new CompletableFuture<>();
    private @Nullable Thread reader;

    @Test
    void shouldReadAllOrSayThatSomethingIsGone() {
        try (StoreLogger store = Texts.open(storage)) {
            long from = Texts.put(store, "first", "x");
            Texts.fill(store, 5, CHANGES);
            storage.hook((number, what) -> {
                if (reader == null && what.startsWith("rename") && what.contains(".log.tmp")) {
                    openMeanwhile(store, from);
                }
            });
            store.compact(Long.MAX_VALUE);
            assertThat(reader).as("a segment was taken away").isNotNull();
            compacted.complete(true);
            try {
                assertThat(read.join()).isEqualTo(CHANGES);
            } catch (CompletionException gone) {
                assertThat(gone).hasCauseInstanceOf(RetiredException.class);
            }
        }
    }

    /** Returns when the reader is open, or waits, or has failed. */
    private void openMeanwhile(StoreLogger store, long from) {
        Thread thread = new Thread(() -> read(store, from));
        reader = thread;
        thread.start();
        Await.until(
                "the reader is open, or waits",
                () -> open.isDone() || read.isDone() || thread.getState() == Thread.State.BLOCKED);
    }

    private void read(StoreLogger store, long from) {
        try (ChangeReader changes = store.changes(from)) {
            open.complete(true);
            compacted.join();
            int count = 0;
            while (changes.next()) {
                count++;
            }
            read.complete(count);
        } catch (RuntimeException | Error e) {
            read.completeExceptionally(e);
        }
    }
}
