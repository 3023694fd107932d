package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.thread.Pace;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.checkpoint.CheckpointTrigger;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits for a checkpoint does not wait until a segment is empty, however slow compaction has to be. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactionMakesWayTest {

    private static final int KEYS = 5_000;
    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int INDEX_MEMORY = 1 << 20;

    /** At the least rate there is these take twelve days. */
    private static final long MANY_BYTES = 1L << 40;

    private static final BooleanSupplier NO = () -> false;
    private static final Pace UNBOUNDED = bytes -> {};

    private final CrashableStorage storage = new CrashableStorage();
    private final FaultyStorage checkpoints = new FaultyStorage(storage);
    private final Deleting log = new Deleting(storage);

    /** A storage that says once that a file is deleted. */
    private static final class Deleting implements ForwardingStorage {

        private final Storage storage;
        private Runnable atDelete = () -> {};

        Deleting(Storage storage) {
            this.storage = storage;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public void delete(String name) throws IOException {
            Runnable now = atDelete;
            atDelete = () -> {};
            now.run();
            storage.delete(name);
        }
    }

    private static StoreConfig config() {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        return StoreConfig.builder(log)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .indexMemoryBytes(INDEX_MEMORY)
                .compactionBytesPerSecond(1 << 20)
                .compactionStepBytes(4 << 10)
                .build();
    }

    private StoreEngine open() {
        return new StoreOpener(config(), null)
                .patience(new Patience(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2))
                .open(log, checkpoints);
    }

    /** One besides the store's own, which has nothing to do. */
    private Checkpointer checkpointer(StoreEngine store) throws IOException {
        CheckpointTrigger never = new CheckpointTrigger(0, 1);
        return new Checkpointer(store.core(), new Checkpoints(checkpoints), never, null);
    }

    private static Compactor compactor(StoreEngine store) {
        WorkspacePool workspaces = new WorkspacePool(store.core(), store.lookups());
        return new Compactor(store.core(), workspaces);
    }

    private static void checkpoint(Chores chores) {
        try {
            chores.checkpoint(UNBOUNDED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void put(StoreEngine store, int key) {
        store.single().put(Texts.bytes("key/" + key), new byte[8], Durability.BUFFERED);
    }

    private static void fill(StoreEngine store) {
        for (int i = 0; i < KEYS; i++) {
            put(store, i);
        }
        for (int i = 0; i < KEYS; i += 2) {
            put(store, i);
        }
        store.upkeep().compact(0); // writes two checkpoints, and moves nothing
        put(store, 0);
    }

    /** Has another thread want a checkpoint in the midst of the first segment; returns when that is written. */
    private static void interrupt(Chores chores, Checkpointer checkpointer) throws IOException {
        AtomicInteger steps = new AtomicInteger();
        Pace pace = bytes -> {
            if (steps.getAndIncrement() == 0) {
                CompletableFuture.runAsync(() -> checkpoint(chores));
                Await.until("a checkpoint waits", chores::isAwaited);
            }
        };
        assertThat(chores.emptyOne(pace, UNBOUNDED)).isTrue();
        assertThat(steps).as("it is interrupted").hasValue(1);
        Await.until("the checkpoint is there", () -> checkpointer.statistics().written() == 1);
    }

    @Test
    void shouldGoOnWithTheSegmentBehindACheckpoint() throws IOException {
        try (StoreEngine store = open()) {
            fill(store);
            Checkpointer checkpointer = checkpointer(store);
            Compactor compactor = compactor(store);
            Chores chores = new Chores(store.core(), checkpointer, compactor);
            interrupt(chores, checkpointer);
            long movedBefore = compactor.movedBytes();
            assertThat(movedBefore).isPositive();
            while (compactor.statistics().waitingSegments() == 0) {
                assertThat(chores.emptyOne(UNBOUNDED, UNBOUNDED)).isTrue();
            }
            assertThat(compactor.movedBytes())
                    .as("each once, and a half is needed")
                    .isBetween(movedBefore + 1, SEGMENT_LENGTH * 2L / 3);
            assertThat(compactor.vacate(NO)).isEqualTo(SEGMENT_LENGTH);
            assertThat(store.lookups().size()).isEqualTo(KEYS);
        }
        assertThat(storage.openHandles()).isZero();
    }

    /** As many as there are, each takes some syncs. */
    @Test
    void shouldMakeWayBetweenEmptySegments() throws IOException {
        try (StoreEngine store = open()) {
            Checkpointer checkpointer = checkpointer(store);
            Compactor compactor = compactor(store);
            Chores chores = new Chores(store.core(), checkpointer, compactor);
            leaveEmpty(store, chores);
            assertThat(compactor.findEmpty(checkpointer.fallback())).isTrue();
            int empty = compactor.statistics().waitingSegments();
            assertThat(empty).isGreaterThan(9);
            AtomicInteger asked = new AtomicInteger();
            CompletableFuture<Integer> left = new CompletableFuture<>();
            chores.vacate(() -> {
                if (asked.getAndIncrement() == 0) {
                    wantCheckpoint(chores, compactor, left);
                }
                return false;
            });
            assertThat(left.join())
                    .as("of %s, when a checkpoint has its turn", empty)
                    .isPositive();
            assertThat(compactor.statistics().vacatedSegments()).isEqualTo(empty);
        }
    }

    /** Of a thread that calls for compaction, once the first segment is away. */
    @Test
    void shouldMakeWayBetweenEmptySegmentsWhenItIsCalledFor() throws IOException {
        try (StoreEngine store = open()) {
            Compactor compactor = compactor(store);
            Chores chores = new Chores(store.core(), checkpointer(store), compactor);
            leaveEmpty(store, chores);
            CompletableFuture<Integer> left = new CompletableFuture<>();
            log.atDelete = () -> wantCheckpoint(chores, compactor, left);
            chores.compact(0, UNBOUNDED);
            assertThat(left.join()).as("when a checkpoint has its turn").isPositive();
            assertThat(compactor.statistics().waitingSegments()).isZero();
        }
    }

    /** Has another thread want a checkpoint, and returns when it waits; it tells how many segments are left then. */
    private static void wantCheckpoint(Chores chores, Compactor compactor, CompletableFuture<Integer> left) {
        CompletableFuture.runAsync(() -> {
            try {
                chores.checkpoint(bytes -> left.complete(compactor.statistics().waitingSegments()));
                left.complete(0); // it had nothing to write, since all the work was done before
            } catch (IOException | RuntimeException e) {
                left.completeExceptionally(e);
            }
        });
        Await.until("a checkpoint waits", chores::isAwaited);
    }

    /** Nothing of the first segments is needed any more, and a checkpoint has something to write. */
    private static void leaveEmpty(StoreEngine store, Chores chores) throws IOException {
        for (int i = 0; i < 4; i++) {
            for (int key = 0; key < KEYS; key++) {
                put(store, key);
            }
        }
        chores.raiseFloor(UNBOUNDED);
        put(store, 0);
    }

    @Test
    void shouldLetTheSegmentGoAtTheEnd() throws IOException {
        try (StoreEngine store = open()) {
            fill(store);
            Checkpointer checkpointer = checkpointer(store);
            Chores chores = new Chores(store.core(), checkpointer, compactor(store));
            interrupt(chores, checkpointer);
            chores.end();
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldNotPauseWhileAThreadWaits() throws IOException {
        try (StoreEngine store = open()) {
            Checkpointer checkpointer = checkpointer(store);
            Compactor compactor = compactor(store);
            Chores chores = new Chores(store.core(), checkpointer, compactor);
            Paces paces = new Paces(store.core(), checkpointer, compactor, chores);
            CompletableFuture<Integer> left = new CompletableFuture<>();
            put(store, 0);
            chores.checkpoint(bytes -> {
                if (!chores.isAwaited()) { // the first time: this thread has the turn
                    wantCheckpoint(chores, compactor, left);
                }
                paces.ofCompaction(MANY_BYTES);
            });
            left.join(); // before the store is closed
        }
    }

    /** The store's own thread wants to write a checkpoint, and cannot. */
    @Test
    void shouldNotPauseWhileTheIndexNeedsACheckpoint() throws IOException {
        checkpoints.failFrom(Verb.CREATE, 1);
        try (StoreEngine store = open()) {
            for (int i = 0; store.statistics().checkpoint().failures() == 0; i++) {
                byte[] key = new byte[100];
                new Random(i).nextBytes(key);
                if (!store.core().ask(store.core().state().index().budget()::needsImage)) {
                    store.single().put(key, new byte[1], Durability.BUFFERED);
                }
            }
            Checkpointer checkpointer = checkpointer(store);
            Compactor compactor = compactor(store);
            Chores chores = new Chores(store.core(), checkpointer, compactor);
            new Paces(store.core(), checkpointer, compactor, chores).ofCompaction(MANY_BYTES);
            checkpoints.heal();
        }
    }
}
