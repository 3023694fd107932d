package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.store.Texts;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A reader of changes that is not the store's own, while compaction takes away what it has to read: before it, where it
 * stands, and at each of its looks at the log. It says so, and skips nothing. With a name it holds all of that.
 */
class OvertakenReaderTest {

    private static final int MOST = Integer.MAX_VALUE;

    /** With it a segment is full, and so it stays, and those behind it get placeholders. */
    private static final String LARGE = "x".repeat(3860);

    private final CrashableStorage storage = new CrashableStorage();

    /** How many numbers were put, each as the value of one of a few keys. */
    private int numbers;

    private int overtakenAtOnce;
    private int overtakenLater;
    private int notOvertaken;

    private static TailerConfig reading(ReadMode mode) {
        return TailerConfig.builder().readMode(mode).build();
    }

    private ChangeReader reader(long position) {
        return ChangeReader.open(storage, position, TailerConfig.defaults());
    }

    /** Puts the next {@code count} numbers; returns the position behind the last. */
    private long put(StoreLogger store, int count) {
        long end = 0;
        for (int i = 0; i < count; i++) {
            numbers++;
            end = Texts.put(store, "key-" + numbers % 5, number(numbers));
        }
        return end;
    }

    private static String number(int number) {
        return number + ", with some text that takes space";
    }

    /** The reader shows the numbers from {@code next} on; returns the one after the last that is there. */
    private static int readOn(ChangeReader changes, int next) {
        int expected = next;
        while (changes.next()) {
            assertThat(Texts.text(changes.value())).isEqualTo(number(expected));
            expected++;
        }
        return expected;
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldReadOnWhereItStandsAndThrowBeforeTheGap(ReadMode mode) {
        try (StoreLogger store = Texts.open(storage)) {
            long start = Texts.put(store, "large", LARGE);
            put(store, 400);
            try (ChangeReader changes = ChangeReader.open(storage, start, reading(mode))) {
                assertThat(changes.next()).isTrue(); // so it has the segment that is taken away
                assertThat(Texts.text(changes.value())).isEqualTo(number(1));
                store.compact(MOST);
                assertThat(store.statistics().compaction().vacatedSegments()).isPositive();
                RetiredException gone = catchThrowableOfType(RetiredException.class, () -> readOn(changes, 2));
                long before = changes.nextPosition();
                assertThat(gone)
                        .hasMessage("changes are gone: position=" + before
                                + "; read the store's state by a snapshot, and the changes from its position on."
                                + " A reader with a name, or one that the store itself opens, holds what it has not"
                                + " read");
                assertThatExceptionOfType(RetiredException.class).isThrownBy(changes::next);
                assertThat(changes.nextPosition()).as("it stays").isEqualTo(before);
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldThrowIfItsSegmentWasTakenAwayBeforeItHasOpenedThat() {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, "large", LARGE);
            long inside = put(store, 10);
            put(store, 400);
            try (ChangeReader changes = reader(inside)) {
                store.compact(MOST);
                assertThatExceptionOfType(RetiredException.class)
                        .isThrownBy(changes::next)
                        .withMessageContaining("changes are gone: position=" + inside);
            }
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> reader(inside))
                    .withMessageContaining("changes are gone: position=" + inside + ", first=");
        }
    }

    /** The oldest segments are deleted, without placeholders. */
    @Test
    void shouldThrowIfTheBeginningIsGone() throws IOException {
        try (StoreLogger store = Texts.open(storage)) {
            put(store, 10);
            try (ChangeReader unopened = reader(0);
                    ChangeReader changes = reader(0)) {
                assertThat(changes.next()).isTrue();
                put(store, 400);
                store.compact(MOST);
                assertThat(storage.list()).doesNotContain(LogFileName.segment(0));
                assertThatExceptionOfType(RetiredException.class).isThrownBy(unopened::next);
                assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> readOn(changes, 2));
            }
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> reader(0))
                    .withMessageContaining("changes are gone: position=0, first=")
                    .withMessageContaining(
                            "read the store's state by a snapshot, and the changes from its position on");
        }
    }

    /** The writer compacts behind each of the reader's looks in turn, until there is none left. */
    @Test
    void shouldSkipNothingWhateverIsCompactedMeanwhile() {
        for (boolean keepsFirst : new boolean[] {true, false}) {
            for (int from : new int[] {0, 1, 120}) {
                int looks = 0;
                while (isCompactedBehindLook(looks + 1, keepsFirst, from, null)) {
                    looks++;
                }
                assertThat(looks).as("from %s", from).isGreaterThan(3);
            }
        }
        assertThat(overtakenAtOnce).isPositive();
        assertThat(overtakenLater).isPositive();
        assertThat(notOvertaken).isPositive();
    }

    /** The same of a reader that has a name, once it is open. */
    @Test
    void shouldHoldWhatItHasNotReadByItsName() {
        for (boolean keepsFirst : new boolean[] {true, false}) {
            int looks = 0;
            while (isCompactedBehindLook(looks + 1, keepsFirst, 0, "replica")) {
                looks++;
            }
            assertThat(looks).isGreaterThan(3);
        }
        assertThat(overtakenAtOnce).isZero();
        assertThat(overtakenLater).isZero();
        assertThat(notOvertaken).isPositive();
    }

    private boolean isCompactedBehindLook(int look, boolean keepsFirst, int from, String name) {
        CrashableStorage own = new CrashableStorage();
        numbers = 0;
        int[] looksLeft = {MOST};
        try (StoreLogger store = Texts.open(own)) {
            long begin = from == 0 ? 0 : put(store, from);
            if (keepsFirst) {
                Texts.put(store, "large", LARGE);
            }
            put(store, 200);
            Storage watched = Interposed.after(Storage.class, own, (call, arguments, result) -> {
                boolean isLook = call.equals("list")
                        || call.equals("open") && String.valueOf(arguments[0]).endsWith(".log");
                if (isLook && --looksLeft[0] == 0) {
                    put(store, 200);
                    store.compact(MOST);
                    put(store, 1);
                }
                return result;
            });
            looksLeft[0] = name == null ? look : MOST;
            try (ChangeReader changes = open(watched, begin, name)) {
                looksLeft[0] = name == null ? looksLeft[0] : look;
                readAll(changes, from, keepsFirst);
            } catch (RetiredException gone) {
                overtakenAtOnce++;
            }
            if (name != null) {
                assertThat(store.compact(MOST))
                        .as("held until the reader is closed and gone")
                        .isZero();
            }
        }
        return looksLeft[0] <= 0;
    }

    private static ChangeReader open(Storage watched, long begin, String name) {
        return name == null
                ? ChangeReader.open(watched, begin, TailerConfig.defaults())
                : ChangeReader.open(watched, name, TailerConfig.defaults());
    }

    private void readAll(ChangeReader changes, int from, boolean keepsFirst) {
        int expected = from + 1;
        boolean isLargeDue = keepsFirst;
        try {
            while (changes.next()) {
                if (isLargeDue
                        && expected == from + 1
                        && Texts.text(changes.key()).equals("large")) {
                    isLargeDue = false;
                    continue;
                }
                assertThat(Texts.text(changes.value())).isEqualTo(number(expected));
                expected++;
            }
            assertThat(isLargeDue).isFalse();
            assertThat(expected).isGreaterThan(200 + from);
            notOvertaken++;
        } catch (RetiredException gone) {
            overtakenLater++;
        }
    }

    /** What a consumer does that begins, or was overtaken. */
    @Test
    void shouldMissNothingBehindTheStateOfAView() {
        try (StoreLogger store = Texts.open(storage)) {
            for (int round = 0; round < 20; round++) {
                put(store, 37);
                if (round % 3 == 0) {
                    store.compact(MOST);
                }
                try (StoreView view = StoreView.open(storage, storage)) {
                    String last = Texts.text(view.snapshot().get(Texts.bytes("key-" + numbers % 5)));
                    assertThat(last).isEqualTo(number(numbers));
                    int next = numbers + 1;
                    put(store, 3);
                    try (ChangeReader changes = reader(view.snapshot().position())) {
                        assertThat(readOn(changes, next)).isEqualTo(numbers + 1);
                        put(store, 60);
                        assertThat(readOn(changes, next + 3)).isEqualTo(numbers + 1);
                    }
                }
            }
        }
    }
}
