package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.thread.Pace;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.checkpoint.CheckpointTrigger;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.state.LiveBytes;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A copy of all that is needed, out of segments of which less can be gained than compaction would work for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RewriteTest {

    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int SEGMENTS = 10;
    private static final Pace UNBOUNDED = bytes -> {};

    private final CrashableStorage storage = new CrashableStorage();
    private final Checkpointed checkpoints = new Checkpointed(storage);
    private StoreEngine store;
    private Compactor compactor;
    private Chores chores;

    /** Where the log ends that has to be rewritten. */
    private long end;

    /** A storage of checkpoints that opens none any more once some have been made. */
    private static final class Checkpointed implements ForwardingStorage {

        private final Storage storage;
        private int left = Integer.MAX_VALUE;

        Checkpointed(Storage storage) {
            this.storage = storage;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            if (left == 0) {
                throw new IOException("Too many open files");
            }
            return storage.open(name, access);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            storage.rename(from, to);
            left -= to.endsWith(".chk") ? 1 : 0;
        }
    }

    @BeforeEach
    void open() throws IOException {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config = StoreConfig.builder(log)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .compactionStepBytes(4 << 10)
                .build();
        store = new StoreOpener(config, null).open(storage, checkpoints);
        StoreCore core = store.core();
        CheckpointTrigger never = new CheckpointTrigger(0, 1);
        compactor = new Compactor(core, new WorkspacePool(core, store.lookups()));
        chores = new Chores(core, new Checkpointer(core, new Checkpoints(checkpoints), never, null), compactor);
        for (int i = 0; live().segments() <= SEGMENTS; i++) {
            store.single().put(Texts.bytes("key/" + i), new byte[1000], Durability.BUFFERED);
        }
        end = store.segmentEnd().roll();
    }

    @AfterEach
    void close() {
        chores.end();
        store.close();
        assertThat(storage.openHandles()).isZero();
    }

    private LiveBytes live() {
        return store.core().state().live();
    }

    private long movedBytes() {
        return store.core().read(compactor::movedBytes);
    }

    private void compact() {
        try {
            chores.compact(0, UNBOUNDED);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It has its turn in the midst of the work, and asks for nothing that is not worth a copy. */
    @Test
    void shouldLeaveNothingIfAnotherThreadCallsForCompactionMeanwhile() throws IOException {
        CompletableFuture<Void> other = new CompletableFuture<>();
        chores.compact(Compactor.ALL, bytes -> {
            if (movedBytes() > 0 && !other.isDone() && !chores.isAwaited()) {
                CompletableFuture.runAsync(this::compact).whenComplete((done, failure) -> other.complete(done));
                Await.until("the other one waits", chores::isAwaited);
            }
        });
        other.join();
        assertThat(store.core().read(() -> live().base(0)))
                .isGreaterThanOrEqualTo(end / SEGMENT_LENGTH * SEGMENT_LENGTH);
        assertThat(movedBytes()).isGreaterThan((SEGMENTS - 1L) * SEGMENT_LENGTH);
    }

    @Test
    void shouldSayIfTheStoreWasClosedBefore() {
        assertThatIllegalStateException()
                .isThrownBy(() -> chores.compact(Compactor.ALL, bytes -> {
                    if (movedBytes() > 0) {
                        chores.beginClose();
                    }
                }))
                .withMessageContaining("store is closed: it is not known whether everything was erased");
        assertThat(movedBytes()).isLessThan(SEGMENTS * SEGMENT_LENGTH / 2L);
    }

    /** Then nothing that was written by now may be touched. */
    @Test
    void shouldSayIfItDoesNotKnowWhatTheCheckpointsHave() {
        checkpoints.left = 2; // what it writes first; of the second it cannot tell that it is good
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> chores.compact(Compactor.ALL, UNBOUNDED))
                .withMessageContaining("not everything was erased: a segment is left");
        checkpoints.left = Integer.MAX_VALUE;
    }

    @Test
    void shouldSayIfASegmentIsLeft() {
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> store.core().locked(() -> compactor.choice().checkNoneLeft(end)))
                .withMessageContaining("not everything was erased: a segment is left");
        store.core().locked(() -> compactor.choice().leave(0, SegmentChoice.Reason.UNMOVABLE));
        store.core().locked(() -> compactor.choice().checkNoneLeft(SEGMENT_LENGTH)); // the statistics tell of it
    }
}
