package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.StoreConfig;
import io.persist.store.StoreStatistics;
import io.persist.store.Texts;
import io.persist.store.read.ChangeReader;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a segment of a store, and what of a removed value is left in the files then. */
class StoreRollTest {

    private static final long LENGTH = 1 << 16;
    private static final String PERSON = "person/1234/of-a-person-with-a-long-name";
    private static final String SECRET = "what is known of that person";

    private final CrashableStorage storage = new CrashableStorage();

    private static Stream<Arguments> ways() {
        return Stream.of(WriteMode.values())
                .flatMap(mode -> Stream.of(true, false).map(isDetached -> Arguments.of(mode, isDetached)));
    }

    private StoreLogger open(WriteMode mode, boolean isDetached) {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength((int) LENGTH)
                .writeMode(mode)
                .build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        return isDetached
                ? StoreLogger.open(
                        config, DetachedConfig.builder().queueDepth(1).build(), storage, storage)
                : StoreLogger.open(config, storage, storage);
    }

    private static byte[] key(int i) {
        return Texts.bytes("key/" + i);
    }

    private List<String> filesWith(String text) {
        return storage.list().stream()
                .filter(name -> content(name).contains(text))
                .toList();
    }

    /** Empty if the file has got another name since it was listed, as a new segment does, or was deleted. */
    private String content(String name) {
        try {
            return new String(storage.content(name), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException gone) {
            return "";
        }
    }

    private static void fill(StoreLogger store, int first, int valueLength) {
        for (int i = first; i < first + 100; i++) {
            store.put(key(i), new byte[valueLength]);
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void shouldGoOnInTheNextSegment(WriteMode mode, boolean isDetached) {
        try (StoreLogger store = open(mode, isDetached)) {
            long empty = store.position();
            assertThat(store.roll()).as("there is nothing to end").isEqualTo(empty);
            fill(store, 0, 10);
            Transaction open = store.begin();
            open.put(key(0), Texts.bytes("of a transaction that is open"));
            long end = store.roll();
            assertThat(end).isBetween(LENGTH, 2 * LENGTH).isEqualTo(store.position());
            assertThat(store.roll()).as("nothing was committed since").isEqualTo(end);
            assertThat(open.commit(Durability.SYNCED)).isGreaterThan(end);
            assertThat(store.logStatistics().rolls()).isEqualTo(1);
            assertThat(store.size()).isEqualTo(100);
            try (ChangeReader changes = store.changes(0)) {
                int count = 0;
                while (changes.next()) {
                    count++;
                }
                assertThat(count).isEqualTo(101);
            }
            try (ChangeReader behind = store.changes(end)) {
                assertThat(behind.next()).isTrue();
                assertThat(behind.next()).isFalse();
            }
        }
        try (StoreLogger store = open(mode, isDetached)) {
            assertThat(store.size()).isEqualTo(100);
            assertThat(Texts.text(store.get(key(0)))).isEqualTo("of a transaction that is open");
        }
        StoreLogger store = open(mode, isDetached);
        store.close();
        assertThatIllegalStateException().isThrownBy(store::roll).withMessage("store is closed");
    }

    /** Neither its value nor its key, in no segment; its value in no file. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldLeaveNothingOfARemovedKeyBelowTheEnd(WriteMode mode, boolean isDetached) {
        try (StoreLogger store = open(mode, isDetached)) {
            fill(store, 0, 100);
            store.put(Texts.bytes(PERSON), Texts.bytes("an older " + SECRET));
            store.checkpoint();
            store.put(Texts.bytes(PERSON), Texts.bytes(SECRET));
            fill(store, 100, 100);
            store.remove(Texts.bytes(PERSON), Durability.SYNCED);
            store.compact(Long.MAX_VALUE);
            assertThat(filesWith(SECRET)).as("the segment was not ended").isNotEmpty();
            store.roll();
            store.compact(Long.MAX_VALUE);
            assertThat(filesWith(SECRET)).isEmpty();
            assertThat(filesWith(PERSON))
                    .as("the record of the removal is gone, too")
                    .isEmpty();
            assertThat(store.size()).isEqualTo(200);
        }
        try (StoreLogger store = open(mode, isDetached)) {
            assertThat(store.size()).isEqualTo(200);
        }
    }

    /** Also where less is to be gained than compaction would work for, and with one call. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldEraseAValueOfAFullSegment(WriteMode mode, boolean isDetached) {
        try (StoreLogger store = open(mode, isDetached)) {
            fill(store, 0, 3000);
            store.put(Texts.bytes(PERSON), Texts.bytes(SECRET));
            fill(store, 100, 3000);
            store.checkpoint();
            store.remove(Texts.bytes(PERSON), Durability.SYNCED);
            store.roll();
            store.compact(Long.MAX_VALUE);
            assertThat(filesWith(SECRET)).as("its segment is worth no copy").isNotEmpty();
            for (int i = 0; i < 2; i++) {
                long erased = store.rewrite();
                assertThat(filesWith(SECRET)).isEmpty();
                assertThat(filesWith(PERSON))
                        .as("the record of the removal is gone, too")
                        .isEmpty();
                StoreStatistics.Compaction now = store.statistics().compaction();
                assertThat(now.waitingSegments() + now.damagedSegments() + now.unmovableSegments())
                        .isZero();
                assertThat(erased).isLessThan(store.position());
            }
            assertThat(store.size()).isEqualTo(200);
            assertThat(store.getBytes(key(150))).hasSize(3000);
        }
        try (StoreLogger store = open(mode, isDetached)) {
            assertThat(store.size()).isEqualTo(200);
            assertThat(store.compact(Long.MAX_VALUE))
                    .as("that is as it was before")
                    .isLessThan(5 * LENGTH);
        }
    }

    /** A reader of changes holds segments: what it has not read stays in them. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldKeepWhatANamedReaderHasStillToRead(WriteMode mode, boolean isDetached) {
        try (StoreLogger store = open(mode, isDetached);
                ChangeReader reader = store.changes("audit")) {
            store.put(Texts.bytes(PERSON), Texts.bytes(SECRET));
            fill(store, 0, 100);
            store.remove(Texts.bytes(PERSON), Durability.SYNCED);
            store.roll();
            store.compact(Long.MAX_VALUE);
            assertThat(store.statistics().compaction().waitingSegments()).isPositive();
            assertThat(filesWith(SECRET)).isNotEmpty();
            while (reader.next()) {
                assertThat(reader.position()).isPositive();
            }
            reader.store();
            store.compact(Long.MAX_VALUE);
            assertThat(filesWith(SECRET)).isEmpty();
        }
    }
}
