package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.segment.LogFiles;
import io.persist.store.Texts;
import io.persist.support.CopiedFiles;
import io.persist.support.DeadLog;
import io.persist.support.NewerSegments;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A later version has gone on with a store: with transactions that this one does not know, of which the headers of their
 * segments tell. Opening looks at all headers before it changes anything, although a checkpoint lies behind these
 * segments, so that nobody reads them: compaction would take them away.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class NewerStoreTest {

    private static final int REQUIRED = 1 << 7;
    private static final int NEEDED_TO_WRITE = 1 << 24;

    @Parameter
    boolean isKilled;

    private CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    /** Returns the state; a checkpoint has all of it but the last key. */
    private Map<String, String> write() {
        StoreLogger store = Texts.open(storage);
        Texts.fill(store, 50, 1000);
        store.checkpoint();
        Texts.put(store, "last", "value");
        store.sync();
        Map<String, String> state = Texts.state(store);
        if (isKilled) {
            storage = DeadLog.ofNobody(storage.afterKill());
        }
        try {
            store.close();
        } catch (PersistException | PowerCut killed) {
            assertThat(isKilled).isTrue();
        }
        return state;
    }

    /** Counts from the oldest, or from the newest if it is negative. */
    private long base(int number) throws IOException {
        List<Long> bases = List.copyOf(LogFiles.basePositions(storage));
        return bases.get(number < 0 ? bases.size() + number : number);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, -1})
    void shouldBeRefusedBeforeAnythingIsChanged(int number) throws IOException {
        write();
        long base = base(number);
        byte[] segment = storage.content(LogFileName.segment(base));
        if (number >= 0) {
            NewerSegments.makeTransaction(segment, SegmentHeader.LENGTH);
            storage.replace(LogFileName.segment(base), segment);
        }
        NewerSegments.flag(storage, base, REQUIRED);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> Texts.open(storage))
                .withMessageContaining("flags=128")
                .withMessageContaining("open it with " + NewerSegments.VERSION.orLater())
                .matches(e -> e.file().equals(LogFileName.segment(base)));
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, -1})
    void shouldOnlyBeRead(int number) throws IOException {
        Map<String, String> state = write();
        NewerSegments.flag(storage, base(number), NEEDED_TO_WRITE);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> Texts.open(storage))
                .withMessageContaining("this version of Persist may read the log and not change it")
                .withMessageEndingWith("; write it with " + NewerSegments.VERSION.orLater());
        try (StoreView view = StoreView.open(storage, storage)) {
            assertThat(view.snapshot().size()).isEqualTo(state.size());
            assertThat(Texts.text(view.snapshot().get(Texts.bytes("last")))).isEqualTo("value");
        }
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }
}
