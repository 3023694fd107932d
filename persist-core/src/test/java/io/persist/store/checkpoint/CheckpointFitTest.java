package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.CheckpointFile.Depth;
import io.persist.store.checkpoint.CheckpointFit.Verdict;
import io.persist.store.checkpoint.CheckpointTable.Fit;
import io.persist.store.engine.StoreOutlook;
import io.persist.store.transaction.Transaction;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For each row of the table a store: opening it does with the newest checkpoint what the row says of its file. */
class CheckpointFitTest {

    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4096).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private final CrashableStorage storage = new CrashableStorage();
    private long end;

    @BeforeEach
    void writeTwoCheckpoints() {
        try (StoreLogger store = open()) {
            put(store, "a", 2000);
            store.checkpoint();
            put(store, "b", 2000);
            store.checkpoint();
            put(store, "c", 20);
            end = store.position();
        }
    }

    private StoreLogger open() {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    private static void put(StoreLogger store, String key, int length) {
        Transaction transaction = store.begin();
        transaction.put(key.getBytes(StandardCharsets.US_ASCII), new byte[length]);
        transaction.commit();
    }

    private List<CheckpointFile> files() throws IOException {
        return CheckpointFile.list(storage, Depth.WHOLE);
    }

    private void damage(int at) throws IOException {
        String name = files().get(0).name();
        byte[] bytes = storage.content(name);
        bytes[at] ^= 1;
        storage.replace(name, bytes);
    }

    /** Gives the newest checkpoint's bytes another header and so another name. */
    private void rewrite(long logId, long position, long sequence) throws IOException {
        CheckpointFile newest = files().get(0);
        byte[] bytes = storage.content(newest.name());
        CheckpointHeader old = CheckpointHeader.decode(bytes, newest.name(), newest.position());
        byte[] header = new CheckpointHeader(
                        logId,
                        position,
                        sequence,
                        old.salt(),
                        old.createdAtMs(),
                        old.predecessor(),
                        old.predecessorSalt())
                .encode();
        System.arraycopy(header, 0, bytes, 0, header.length);
        storage.delete(newest.name());
        storage.replace(CheckpointName.of(position), bytes);
    }

    /** The newest checkpoint has this fit; opening uses it, skips it or refuses the store, as the table says of it. */
    private void assertNewestIs(Fit fit, String misfit) throws IOException {
        List<SegmentHeader> segments = LogFiles.headers(storage);
        CheckpointFile newest = files().get(0);
        Verdict verdict = new CheckpointFit(segments, segments.get(0).logId(), end).of(newest, misfit);
        assertThat(verdict.row().fit()).isEqualTo(fit);
        StoreOutlook outlook = StoreOutlook.of(storage, storage);
        Throwable refusal = catchThrowable(() -> {
            try (StoreLogger store = open()) {
                assertSame(store.recovery(), verdict, newest.name());
                assertSame(outlook.recovery(), verdict, newest.name());
            }
        });
        if (verdict.row().decision() == CheckpointTable.Decision.REFUSE) {
            assertThat(refusal).isInstanceOf(PersistException.class);
            assertThat(outlook.refusal()).isNotNull().hasMessage(refusal.getMessage());
        } else {
            assertThat(refusal).isNull();
        }
    }

    private static void assertSame(@Nullable StoreRecovery recovery, Verdict verdict, String newest) {
        assertThat(recovery).isNotNull();
        if (verdict.row().decision() == CheckpointTable.Decision.USE) {
            assertThat(recovery.checkpoint().file()).isEqualTo(newest);
            assertThat(recovery.skipped()).isEmpty();
        } else {
            assertThat(recovery.checkpoint().file()).isNotEqualTo(newest);
            assertThat(recovery.skipped()).hasSize(1);
            assertThat(recovery.skipped().get(0).why()).isEqualTo(verdict.why());
        }
    }

    @Test
    void shouldRefuseWithOneOfANewerVersion() throws IOException {
        String name = files().get(0).name();
        byte[] bytes = storage.content(name);
        bytes[CheckpointHeader.VERSION_OFFSET]++;
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CheckpointHeader.CHECKSUM_OFFSET);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(CheckpointHeader.CHECKSUM_OFFSET, (int)
                crc.getValue());
        storage.replace(name, bytes);
        assertNewestIs(Fit.NEWER, "");
    }

    @Test
    void shouldRefuseWithOneOfAnotherLog() throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(4711, newest.position(), newest.sequence());
        assertNewestIs(Fit.OTHER, "");
    }

    @Test
    void shouldRefuseWithADamagedOneOfAnotherLog() throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(4711, newest.position(), newest.sequence());
        damage(CheckpointHeader.LENGTH + 5);
        assertNewestIs(Fit.OTHER, "");
    }

    @Test
    void shouldSkipOneBehindTheEnd() throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(newest.logId(), end + 800, newest.sequence());
        assertNewestIs(Fit.BEYOND, "");
    }

    @Test
    void shouldSkipOneThatCompactionHasOvertaken() throws IOException {
        CheckpointFile newest = files().get(0);
        byte[] bytes = storage.content(newest.name());
        try (StoreLogger store = open()) {
            compactAfterOverwriting(store, "a");
        }
        assertThat(LogFiles.headers(storage).get(0).basePosition())
                .as("the log's beginning is gone")
                .isPositive();
        assertOld(newest.name(), bytes);
    }

    /** Compaction has taken records from the middle of the log: its first segment is full of a value that lives. */
    @Test
    void shouldSkipOneBeforeAVacatedSegment() throws IOException {
        for (String name : List.copyOf(storage.list())) {
            storage.delete(name);
        }
        String name;
        byte[] bytes;
        try (StoreLogger store = open()) {
            put(store, "a", 3900);
            store.checkpoint();
            name = files().get(0).name();
            bytes = storage.content(name);
            compactAfterOverwriting(store, "b");
        }
        List<SegmentHeader> segments = LogFiles.headers(storage);
        assertThat(segments.get(0).basePosition()).isZero();
        assertThat(segments.get(0).isVacated()).isFalse();
        assertThat(segments).anyMatch(SegmentHeader::isVacated);
        assertNewestIs(Fit.GOOD, "");
        assertOld(name, bytes);
    }

    private void compactAfterOverwriting(StoreLogger store, String key) throws IOException {
        for (int i = 0; i < 40; i++) {
            put(store, key, 2000);
        }
        store.compact(Long.MAX_VALUE / 2);
        end = store.position();
    }

    /** It is the only one that is left, and must not be used. */
    private void assertOld(String name, byte[] bytes) throws IOException {
        for (CheckpointFile file : files()) {
            storage.delete(file.name());
        }
        storage.replace(name, bytes);
        List<SegmentHeader> segments = LogFiles.headers(storage);
        Verdict verdict = new CheckpointFit(segments, segments.get(0).logId(), end).of(files().get(0), "");
        assertThat(verdict.row().fit()).isEqualTo(Fit.OLD);
        assertThat(catchThrowable(this::open)).hasMessageContaining("no checkpoint of the store can be used");
    }

    @Test
    void shouldSkipADamagedOne() throws IOException {
        damage(CheckpointHeader.LENGTH + 5);
        assertNewestIs(Fit.DAMAGED, "");
    }

    @Test
    void shouldSkipOneWhoseHeaderIsDamaged() throws IOException {
        damage(CheckpointHeader.LENGTH - 1);
        assertNewestIs(Fit.DAMAGED, "");
    }

    /** One that builds on the newest, which is not what it was. */
    @Test
    void shouldSkipOneWhosePredecessorIsAnother() throws IOException {
        CheckpointFile newest = files().get(0);
        CheckpointHeader header = new CheckpointHeader(
                newest.logId(), end, newest.sequence() + 1, 4712, newest.createdAtMs(), newest.position(), 4713);
        try (CheckpointWriter writer = CheckpointWriter.create(storage, header, bytes -> {})) {
            CheckpointEntries.finish(writer, List.of());
        }
        assertNewestIs(Fit.DAMAGED, "");
    }

    /** Opening reads a node only if replay needs it; as it does here, the index has only one. */
    @Test
    void shouldSkipOneWhoseNodeIsDamagedIfReplayNeedsIt() throws IOException {
        damage(CheckpointDirectory.NODES_OFFSET + 5);
        CheckpointFile newest = files().get(0);
        assertThat(newest.state()).isEqualTo(CheckpointFile.State.GOOD);
        assertThat(newest.nodeFault()).contains("wrong checksum of node");
        try (StoreLogger store = open()) {
            assertThat(store.recovery().checkpoint().file())
                    .isEqualTo(files().get(0).name());
            assertThat(store.recovery().skipped()).singleElement().satisfies(skipped -> {
                assertThat(skipped.file()).isEqualTo(newest.name());
                assertThat(skipped.why()).isEqualTo(newest.nodeFault());
            });
            assertThat(store.get("c".getBytes(StandardCharsets.US_ASCII))).isNotNull();
        }
        assertThat(storage.list()).contains(newest.name() + ".aside");
    }

    /** A checkpoint that says of a value that it lies where the log is not: who gets the value is told. */
    @Test
    void shouldUseOneWithAValueBehindTheEndUntilItIsRead() throws IOException {
        CheckpointFile newest = files().get(0);
        CheckpointHeader header = new CheckpointHeader(
                newest.logId(), newest.position(), newest.sequence(), 4712, newest.createdAtMs(), -1, 0);
        storage.delete(newest.name());
        try (CheckpointWriter writer = CheckpointWriter.create(storage, header, bytes -> {})) {
            CheckpointEntries.finish(
                    writer, List.of(CheckpointEntries.entry("b", 200, 10), CheckpointEntries.entry("d", end + 72, 10)));
        }
        assertNewestIs(Fit.GOOD, "");
        try (StoreLogger store = open()) {
            for (String key : List.of("b", "d")) {
                assertThat(catchThrowable(() -> store.get(key.getBytes(StandardCharsets.US_ASCII))))
                        .isInstanceOf(CorruptLogException.class);
            }
            assertThat(store.get("c".getBytes(StandardCharsets.US_ASCII))).isNotNull();
        }
    }

    /** The header of the newest segment, whose records come after the checkpoint. */
    @ParameterizedTest
    @ValueSource(longs = {0, 8, 56})
    void shouldSkipOneThatEndsInTheHeaderOfASegment(long offset) throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(newest.logId(), end / 4096 * 4096 + offset, newest.sequence());
        assertNewestIs(Fit.DAMAGED, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {4, -1, 1})
    void shouldSkipOneThatEndsWhereNoRecordCanBegin(long distance) throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(newest.logId(), newest.position() + distance, newest.sequence());
        assertNewestIs(Fit.DAMAGED, "");
    }

    /** It may be what is wrong: a file can claim to have more than there is memory for. Nothing is changed. */
    @Test
    void shouldNameOneForWhichThereIsNotEnoughMemory() throws IOException {
        String newest = files().get(0).name();
        AtomicInteger reads = new AtomicInteger();
        Storage poor = Interposed.afterFiles(storage, (file, call) -> {
            if (file.equals(newest) && call.equals("read") && reads.incrementAndGet() > 2) { // behind its header
                throw new OutOfMemoryError("Java heap space");
            }
        });
        assertThat(catchThrowable(() -> StoreLogger.open(CONFIG, poor, poor)))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("there is not enough memory for " + newest)
                .hasMessageContaining("give the JVM a larger one");
        assertNewestIs(Fit.GOOD, "");
    }

    @Test
    void shouldRefuseWithOneFromWhichTheLogDoesNotGoOn() throws IOException {
        CheckpointFile newest = files().get(0);
        rewrite(newest.logId(), newest.position(), newest.sequence() + 1);
        assertNewestIs(Fit.UNFIT, "another record");
    }

    @Test
    void shouldUseAGoodOne() throws IOException {
        assertNewestIs(Fit.GOOD, "");
    }
}
