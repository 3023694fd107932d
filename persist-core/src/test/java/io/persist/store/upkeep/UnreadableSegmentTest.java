package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.checkpoint.CheckpointTrigger;
import io.persist.store.checkpoint.Checkpointer;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.Await;
import io.persist.support.Interposed;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One file cannot be read: compaction goes on with the segments that do not need it. */
class UnreadableSegmentTest {

    private static final int KEYS = 400;
    private static final String SEGMENT = LogFileName.segment(3 * Texts.SEGMENT_LENGTH);

    private final CrashableStorage storage = new CrashableStorage();
    private final Storage interposed = Interposed.afterFiles(storage, this::fail);
    private String unreadable = "";

    /** To open a store reads each header. */
    private boolean isForUpkeepAlone;

    private StoreEngine store = open(0, Patience.DEFAULT);

    /** No checkpoint is ever due but for compaction. */
    private StoreEngine open(double maxSpaceRatio, Patience patience) {
        StoreConfig config = StoreConfig.builder(Texts.config().log())
                .checkpointPercent(0)
                .maxSpaceRatio(maxSpaceRatio)
                .build();
        return new StoreOpener(config, null).patience(patience).open(interposed, interposed);
    }

    private void fail(String file, String call) throws IOException {
        boolean isUpkeep = Thread.currentThread().getName().startsWith("tend ");
        if (file.equals(unreadable) && call.startsWith("read") && (isUpkeep || !isForUpkeepAlone)) {
            throw new IOException("Input/output error");
        }
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (1000 + number));
    }

    /** In each segment of the first pass one key of eight is still needed; no segment is mapped. */
    @BeforeEach
    void fill() {
        for (int i = 0; i < 2 * KEYS; i++) {
            if (i < KEYS || i % 8 != 0) {
                store.single().put(key(i % KEYS), new byte[100], Durability.BUFFERED);
            }
        }
        store.upkeep().compact(0); // writes two checkpoints
        store.close();
        store = open(0, Patience.DEFAULT);
    }

    @AfterEach
    void close() {
        unreadable = "";
        for (int i = 0; i < KEYS; i++) {
            byte[] key = key(i);
            if (i % 8 != 0) {
                assertThat(store.single().getBytes(key)).hasSize(100);
            }
        }
        store.close();
    }

    private StoreStatistics.Compaction statistics() {
        return store.statistics().compaction();
    }

    @Test
    void shouldLeaveASegmentAloneWhoseHeaderIsDamaged() {
        byte[] segment = storage.content(SEGMENT);
        for (int i = 20; i < 24; i++) {
            segment[i] ^= -1;
        }
        storage.replace(SEGMENT, segment);
        assertThat(store.upkeep().compact(Long.MAX_VALUE)).isGreaterThan(4 * Texts.SEGMENT_LENGTH);
        assertThat(statistics().damagedSegments()).isOne();
        assertThat(statistics().lastFailure()).contains(SEGMENT);
        store.upkeep().compact(Long.MAX_VALUE);
        assertThat(statistics().damagedSegments()).isOne();
    }

    /** A checkpoint lies behind it, so that opening does not come there. */
    @Test
    void shouldLeaveASegmentAloneWithATransactionOfALaterVersion() {
        byte[] segment = storage.content(SEGMENT);
        NewerSegments.makeTransaction(segment, SegmentHeader.LENGTH);
        storage.replace(SEGMENT, segment);
        assertThat(store.upkeep().compact(Long.MAX_VALUE)).isGreaterThan(4 * Texts.SEGMENT_LENGTH);
        assertThat(statistics().damagedSegments()).isOne();
    }

    @Test
    void shouldTryASegmentAgainThatCannotBeRead() {
        unreadable = SEGMENT;
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> store.upkeep().compact(Long.MAX_VALUE))
                .withMessageContaining("Input/output error");
        long vacated = statistics().vacatedSegments();
        assertThat(vacated).isGreaterThan(4);
        assertThat(statistics().damagedSegments()).isZero();
        unreadable = "";
        store.upkeep().compact(Long.MAX_VALUE);
        assertThat(statistics().vacatedSegments()).isGreaterThan(vacated);
    }

    /** One besides the store's own, which has nothing to do. */
    private Compactor compactor() {
        return new Compactor(store.core(), new WorkspacePool(store.core(), store.lookups()));
    }

    /** Nothing is taken away: that makes files, too. */
    private static void emptyAll(Compactor compactor, long floor) throws IOException {
        boolean isLeft = true;
        while (isLeft) {
            isLeft = compactor.emptyOne(floor, SegmentChoice.MIN_GAIN, bytes -> {}, () -> false);
        }
    }

    private static void empty(Compactor compactor, long floor) throws IOException {
        while (compactor.emptyOne(floor, SegmentChoice.MIN_GAIN, bytes -> {}, () -> false)) {
            compactor.vacate(() -> false);
        }
    }

    /** Compaction needs two checkpoints to touch what was written since the last ones. */
    @Test
    void shouldGoOnInTheBackgroundAndTryAgain() {
        store.close();
        isForUpkeepAlone = true;
        unreadable = SEGMENT;
        store = open(2, new Patience(1_000_000, Long.MAX_VALUE));
        for (int i = 0; i < 10 * KEYS; i++) {
            if (i % 8 != 0) {
                store.single().put(key(i % KEYS), new byte[100], Durability.BUFFERED);
            }
        }
        Await.until("what was written is compacted too", () -> {
            StoreStatistics now = store.statistics();
            return now.checkpoint().written() >= 2 && now.spaceBytes() < 2.5 * now.liveBytes();
        });
        assertThat(statistics().lastFailure()).contains("Input/output error");
        unreadable = "";
        Await.until("it is given back too", this::isGone);
    }

    /** While keys are changed, without which nothing is due. */
    private boolean isGone() {
        store.single().put(key(1), new byte[100], Durability.BUFFERED);
        try {
            store.core().segments().at(3 * Texts.SEGMENT_LENGTH);
            return false;
        } catch (RetiredException e) {
            return true;
        }
    }

    /** Each attempt reads all that lies before what cannot be read. */
    @Test
    void shouldTryASegmentAgainMoreAndMoreSeldom() throws IOException {
        StoreCore core = store.core();
        Compactor compactor = compactor();
        SegmentChoice choice = compactor.choice();
        long floor = core.appliedEnd();
        unreadable = CheckpointName.of(new Checkpoints(storage).list().get(0));
        empty(compactor, floor);
        long segments = choice.timesPutOff();
        assertThat(segments).isPositive();
        for (int i = 0; i < 64; i++) {
            choice.tryAgain();
            empty(compactor, floor);
        }
        assertThat(choice.hasPutOff()).isTrue();
        assertThat(choice.timesPutOff() / segments).isBetween(2L, 7L);
        unreadable = "";
        empty(compactor, floor);
        assertThat(compactor.movedBytes()).as("before it is tried again").isZero();
        choice.tryAllAgain();
        empty(compactor, floor);
        assertThat(compactor.movedBytes()).isPositive();
    }

    /** In looks, between which upkeep sleeps for as long as it is told; a pause is one unit of time. */
    @Test
    void shouldSleepTwiceAsLongBeforeEachAttempt() throws IOException {
        StoreCore core = store.core();
        Compactor compactor = compactor();
        Checkpointer checkpointer = new Checkpointer(core, new Checkpoints(storage), new CheckpointTrigger(0, 1), null);
        AtomicLong now = new AtomicLong();
        Agenda agenda = new Agenda(core, checkpointer, compactor, new Patience(1, Long.MAX_VALUE), now::get);
        long floor = core.appliedEnd();
        unreadable = CheckpointName.of(new Checkpoints(storage).list().get(0));
        List<Long> attempts = new ArrayList<>();
        for (int look = 0; look < 32; look++) {
            core.locked(agenda::begin);
            long before = compactor.choice().timesPutOff();
            empty(compactor, floor);
            if (compactor.choice().timesPutOff() > before) {
                attempts.add(now.get());
            }
            now.addAndGet(core.read(agenda::pauseNs));
        }
        assertThat(attempts).containsExactly(0L, 1L, 3L, 7L, 15L, 31L);
    }

    /** As where a process has too many files open: that is no matter of any segment. */
    @Test
    void shouldPutNoSegmentOffIfNothingCanBeAppended() throws IOException {
        Compactor compactor = compactor();
        long floor = store.core().appliedEnd();
        storage.hook((count, what) -> {
            if (what.startsWith("create ")) {
                throw new IOException("Too many open files");
            }
        });
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> emptyAll(compactor, floor))
                    .withMessageContaining("cannot prepare the next segment: Too many open files");
            assertThat(compactor.choice().hasPutOff()).isFalse();
        }
        storage.hook((count, what) -> {});
        long vacated = compactor.statistics().vacatedSegments();
        empty(compactor, floor);
        assertThat(compactor.statistics().vacatedSegments()).isGreaterThan(vacated + 4);
    }

    @Test
    void shouldTryASegmentAgainForWhichANodeCannotBeRead() throws IOException {
        StoreCore core = store.core();
        Compactor compactor = compactor();
        long floor = core.appliedEnd();
        unreadable = CheckpointName.of(new Checkpoints(storage).list().get(0));
        for (int i = 0; i < 4; i++) {
            assertThat(compactor.emptyOne(floor, SegmentChoice.MIN_GAIN, bytes -> {}, () -> false))
                    .isTrue();
        }
        assertThat(compactor.statistics().lastFailure()).contains(unreadable);
        assertThat(compactor.movedBytes()).isZero();
        empty(compactor, floor);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> compactor.choice().checkPutOff(0))
                .withMessageContaining(unreadable);
        unreadable = "";
        compactor.choice().tryAgain();
        empty(compactor, floor);
        assertThat(compactor.movedBytes()).isPositive();
        assertThat(compactor.statistics().vacatedSegments()).isGreaterThan(4);
    }
}
