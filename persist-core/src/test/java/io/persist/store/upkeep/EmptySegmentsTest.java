package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.read.ChangeReader;
import io.persist.store.read.StoreSnapshot;
import io.persist.store.state.LiveBytes;
import io.persist.store.upkeep.EmptySegments.Empty;
import io.persist.support.CountingStorage;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Empty segments that somebody still needs, in a store that does nothing by itself. */
class EmptySegmentsTest {

    private static final int SEGMENT_LENGTH = 4096;
    private static final int SEGMENTS = 30;
    private static final int NEEDED_FROM = 3;
    private static final byte[] KEY = Texts.bytes("key");

    private final CrashableStorage storage = new CrashableStorage();
    private final CountingStorage counting = new CountingStorage(
            Interposed.after(Storage.class, Interposed.afterFiles(storage, this::fail), this::create));
    private String unreadable = "";
    private boolean isFull;
    private int attempts;
    private final Thread own = Thread.currentThread();
    private int lists;
    private SegmentChoice choice;
    private StoreEngine store;
    private EmptySegments waiting;

    /** In the first segment that a reader needs, and not behind its last record. */
    private long inside;

    @BeforeEach
    void open() {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = new StoreOpener(config, null).open(counting, storage);
        StoreCore core = store.core();
        choice = new SegmentChoice(core, base -> false);
        waiting = new EmptySegments(core, new WorkspacePool(core, store.lookups()), choice);
    }

    private void fail(String file, String call) throws IOException {
        if (file.equals(unreadable) && call.startsWith("read")) {
            throw new IOException("Input/output error");
        }
    }

    private static boolean isPlaceholder(String temporary) {
        String last = LogFileName.segment((SEGMENTS - 1L) * SEGMENT_LENGTH);
        return temporary.endsWith(LogFileName.TEMPORARY_SUFFIX) && temporary.compareTo(last) < 0;
    }

    private Object create(String call, Object[] arguments, Object result) throws IOException {
        if (call.equals("list") && Thread.currentThread() == own) {
            lists++;
        }
        if (isFull && call.equals("create") && isPlaceholder((String) arguments[0])) {
            attempts++;
            ((StorageFile) result).close();
            throw new IOException("No space left on device");
        }
        return result;
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Segments of which nothing is needed, and one more; returns them, the newest first. */
    private List<Empty> fill() {
        LiveBytes live = store.core().state().live();
        while (live.segments() <= SEGMENTS) {
            long end = store.single().put(KEY, new byte[1000], Durability.BUFFERED);
            inside = inside == 0 && live.segments() == NEEDED_FROM + 1 ? end : inside;
        }
        List<Empty> empty = new ArrayList<>();
        store.core().lock();
        for (int i = 0; i < SEGMENTS; i++) {
            empty.add(waiting.of(i));
        }
        store.core().unlock();
        Collections.reverse(empty);
        return empty;
    }

    private long vacate() {
        return waiting.vacate(() -> false);
    }

    private void assertWaiting(int segments) {
        assertThat(waiting.count()).isEqualTo(segments);
        assertThat(waiting.bytes()).isEqualTo((long) segments * SEGMENT_LENGTH);
    }

    /** However many wait for one reader, it is asked once what it needs. */
    @Test
    void shouldLookAtOneOfThoseThatAReaderNeeds() {
        waiting.add(fill());
        assertWaiting(SEGMENTS);
        try (ChangeReader reader =
                store.changes().open(inside, TailerConfig.builder().build())) {
            assertThat(vacate()).isEqualTo((long) NEEDED_FROM * SEGMENT_LENGTH);
            assertWaiting(SEGMENTS - NEEDED_FROM);
            int before = counting.opens();
            assertThat(vacate()).isZero();
            assertThat(counting.opens() - before).isEqualTo(1);
            assertThat(reader.next()).isTrue();
        }
        assertThat(vacate()).isEqualTo((long) (SEGMENTS - NEEDED_FROM) * SEGMENT_LENGTH);
        assertWaiting(0);
        assertThat(waiting.vacated()).isEqualTo(SEGMENTS);
        assertThat(choice.damaged()).isZero();
    }

    /** There may be thousands of files, each of which a look at the directory reads. */
    @Test
    void shouldLookAtTheDirectoryLessOftenThanItTakesFirstOnesAway() {
        waiting.add(fill());
        int before = lists;
        assertThat(vacate()).isEqualTo((long) SEGMENTS * SEGMENT_LENGTH);
        assertThat(lists - before).isLessThan(SEGMENTS);
    }

    @Test
    void shouldGoOnBehindOneThatIsDamaged() {
        waiting.add(fill());
        long base = (long) NEEDED_FROM * SEGMENT_LENGTH;
        byte[] bytes = storage.content(LogFileName.segment(base));
        Arrays.fill(bytes, 0, SegmentHeader.LENGTH, (byte) -1);
        storage.replace(LogFileName.segment(base), bytes);
        assertThat(vacate()).isEqualTo((SEGMENTS - 1L) * SEGMENT_LENGTH);
        assertThat(choice.damaged()).isOne();
        assertThat(choice.lastFailure()).contains(LogFileName.segment(base));
        assertThat(waiting.has(base)).isFalse();
        assertWaiting(0);
    }

    /** The log's first one would be deleted, another one replaced. */
    @ParameterizedTest
    @ValueSource(ints = {0, NEEDED_FROM})
    void shouldGoOnBehindOneThatCannotBeRead(int number) {
        waiting.add(fill());
        unreadable = LogFileName.segment((long) number * SEGMENT_LENGTH);
        assertThat(vacate()).isEqualTo((SEGMENTS - 1L) * SEGMENT_LENGTH);
        assertWaiting(1);
        assertThat(choice.timesPutOff()).isOne();
        assertThat(choice.lastFailure()).contains(unreadable).contains("Input/output error");
        unreadable = "";
        assertThat(vacate()).as("put off").isZero();
        choice.tryAgain();
        assertThat(vacate()).isEqualTo(SEGMENT_LENGTH);
        assertWaiting(0);
        assertThat(choice.damaged()).isZero();
    }

    /** A placeholder takes some space. */
    @Test
    void shouldTryAFewOnAFullDiskAndNotAgainAndAgain() throws IOException {
        waiting.add(fill().subList(0, SEGMENTS - 1)); // the log's first one would be deleted, and then the next
        isFull = true;
        assertThat(vacate()).isZero();
        int before = attempts;
        assertThat(before).isBetween(1, 8);
        assertThat(storage.list()).noneMatch(EmptySegmentsTest::isPlaceholder);
        for (int i = 0; i < 10; i++) {
            assertThat(vacate()).isZero();
        }
        assertThat(attempts).isEqualTo(before);
        isFull = false;
        choice.tryAgain();
        assertThat(vacate()).isEqualTo((SEGMENTS - 1L) * SEGMENT_LENGTH);
        assertWaiting(0);
    }

    /** One of those that the log would begin with cannot be read, which is no matter of what was given back. */
    @Test
    void shouldGiveBackAlthoughAPlaceholderStays() {
        List<Empty> empty = fill();
        waiting.add(empty.subList(0, SEGMENTS - 1)); // all but the log's first
        assertThat(vacate()).isEqualTo((SEGMENTS - 1L) * SEGMENT_LENGTH);
        unreadable = LogFileName.segment(2 * SEGMENT_LENGTH);
        waiting.add(empty.subList(SEGMENTS - 1, SEGMENTS));
        assertThat(vacate()).isEqualTo(SEGMENT_LENGTH);
        assertWaiting(0);
        assertThat(choice.lastFailure()).contains(unreadable);
    }

    /** Something in it is needed, so that nothing of it is asked for. */
    @Test
    void shouldNotReadTheFirstOneThatStays() {
        List<Empty> empty = fill();
        waiting.add(empty.subList(0, SEGMENTS - 1));
        unreadable = LogFileName.segment(0);
        assertThat(vacate()).isEqualTo((SEGMENTS - 1L) * SEGMENT_LENGTH);
        assertWaiting(0);
        assertThat(choice.timesPutOff()).isZero();
    }

    /** What became empty before a snapshot is not of it. */
    @Test
    void shouldKeepWhatASnapshotMayNeed() {
        List<Empty> empty = fill();
        waiting.add(empty.subList(NEEDED_FROM, SEGMENTS));
        try (StoreSnapshot snapshot = store.snapshots().open()) {
            store.single().put(KEY, new byte[1], Durability.BUFFERED);
            waiting.add(fill().subList(0, NEEDED_FROM));
            assertWaiting(SEGMENTS);
            assertThat(vacate()).isEqualTo((long) (SEGMENTS - NEEDED_FROM) * SEGMENT_LENGTH);
            assertThat(snapshot.getBytes(KEY)).hasSize(1000);
            assertWaiting(NEEDED_FROM);
            assertThat(vacate()).isZero();
        }
        vacate();
        assertWaiting(0);
    }
}
