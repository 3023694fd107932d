package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.store.Texts;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Interposed;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A reader of a store whose writer takes away, behind any one call of the reader to a file, all segments that there
 * were: it shows the state of one moment, or refuses, and never takes what is left for all there was.
 */
class ViewOfACompactedStoreTest {

    private static final int KEYS = 20;
    private static final byte[] LAST = Texts.bytes("last");

    private CrashableStorage storage;
    private StoreLogger store;

    /** The reader's calls until the writer goes on; beyond them nothing happens. */
    private int callsLeft;

    private void begin() {
        storage = new CrashableStorage();
        store = Texts.open(storage);
        commit("first");
        callsLeft = 0;
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private void commit(String value) {
        Texts.fill(store, KEYS, KEYS);
        Texts.put(store, "last", value);
    }

    private Storage ofReader() {
        return Interposed.afterEach(storage, call -> {
            callsLeft--;
            if (callsLeft == 0) {
                replaceAllSegments();
            }
        });
    }

    private void replaceAllSegments() {
        long end = store.position();
        while (storage.list().stream().anyMatch(name -> isBefore(name, end))) {
            commit("second");
            store.roll();
            store.checkpoint();
            store.compact(Long.MAX_VALUE);
        }
    }

    private static boolean isBefore(String name, long end) {
        return LogFileName.basePosition(name).orElse(end) < end;
    }

    private static String last(ReadStore view) {
        try (StoreSnapshot snapshot = view.snapshot()) {
            assertThat(snapshot.size()).isEqualTo(KEYS + 1);
            ByteBuffer value = snapshot.get(LAST);
            return String.valueOf(Texts.text(value));
        }
    }

    @Test
    void shouldShowTheStateOfOneMomentWhenItIsOpened() {
        boolean hasStruck = true;
        for (int calls = 1; hasStruck; calls++) {
            begin();
            callsLeft = calls;
            try (StoreLogger written = store;
                    ReadStore view = ReadStore.open(ofReader(), storage)) {
                assertThat(last(view)).as("after %d calls", calls).isIn("first", "second");
                assertThat(written.hasFailed()).isFalse();
            }
            hasStruck = callsLeft <= 0;
        }
    }

    @Test
    void shouldShowTheStateOfOneMomentWhenItGoesOn() {
        boolean hasStruck = true;
        for (int calls = 1; hasStruck; calls++) {
            begin();
            try (StoreLogger written = store;
                    ReadStore view = ReadStore.open(ofReader(), storage)) {
                commit("third");
                callsLeft = calls;
                if (view.catchUp()) { // else another view has to be opened
                    assertThat(last(view)).as("after %d calls", calls).isIn("second", "third");
                }
                assertThat(written.hasFailed()).isFalse();
            }
            hasStruck = callsLeft <= 0;
        }
    }
}
