package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.SegmentBytes;
import io.persist.store.upkeep.SegmentChoice.Reason;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a segment is left alone for, and what follows from that. */
class SegmentChoiceTest {

    private static final int SEGMENT_LENGTH = 4096;

    private final CrashableStorage storage = new CrashableStorage();
    private StoreEngine store;
    private LiveBytes live;
    private SegmentChoice choice;

    /** Of the first segment a value is needed, of the second one none. */
    @BeforeEach
    void open() {
        LogConfig log =
                LogConfig.builder(Path.of("log")).segmentLength(SEGMENT_LENGTH).build();
        StoreConfig config =
                StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
        store = new StoreOpener(config, null).open(storage, storage);
        live = store.core().state().live();
        choice = new SegmentChoice(store.core(), base -> false);
        put("needed");
        while (live.segments() <= 2) {
            put("put again");
        }
    }

    private void put(String key) {
        store.single().put(Texts.bytes(key), new byte[1000], Durability.BUFFERED);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @CsvSource({
        "DAMAGED,   false, 1, 0, true", //
        "UNMOVABLE, false, 0, 1, true",
        "UNKNOWN,   false, 0, 0, false",
        "LASTING,   true,  1, 0, true"
    })
    void shouldLeaveASegmentAlone(Reason reason, boolean isOutForGood, int damaged, int unmovable, boolean isCounted) {
        assertThat(choice.isOut(0)).isFalse();
        for (int i = 0; i < 2; i++) {
            choice.leave(live.base(i), reason);
            assertThat(choice.isOut(i)).as("segment %d", i).isEqualTo(i == 0 || isOutForGood);
            assertThat(choice.damaged()).isEqualTo(damaged);
            assertThat(choice.unmovable()).isEqualTo(unmovable);
            assertThatCode(() -> choice.checkNoneLeft(2 * SEGMENT_LENGTH)).isInstanceOf(LogIOException.class);
            if (i == 0) {
                checkLeft(SEGMENT_LENGTH, !isCounted);
                choice.leaveNoMore(live.base(i));
                assertThat(choice.isOut(i)).isFalse();
            }
        }
    }

    private void checkLeft(long end, boolean isLeft) {
        if (isLeft) {
            assertThatCode(() -> choice.checkNoneLeft(end)).isInstanceOf(LogIOException.class);
        } else {
            choice.checkNoneLeft(end);
        }
    }

    /** As it is if a wrong checkpoint has it with too little. Who goes by that part would be told a speed below 0. */
    @Test
    void shouldNeedNoLessThanNothingOfASegment() {
        assertThat(choice.neededPart(0)).isPositive();
        SegmentBytes wrong = new SegmentBytes(new long[] {live.base(0)}, new long[] {-SEGMENT_LENGTH});
        store.core().locked(() -> live.addAll(wrong));
        assertThat(live.live(0)).isNegative();
        assertThat(choice.neededPart(0)).isZero();
    }

    /** It is tried again later, or its keys are removed before; whatever kept it is forgotten then. */
    @ParameterizedTest
    @CsvSource({"DAMAGED", "UNMOVABLE", "UNKNOWN", "LASTING"})
    void shouldPutASegmentOffBesides(Reason reason) {
        long base = live.base(0);
        choice.leave(base, reason);
        choice.putOff(base, new LogIOException("a test", null));
        assertThat(choice.isPutOff(base)).isTrue();
        assertThat(choice.hasPutOff()).isTrue();
        choice.tryAgain();
        assertThat(choice.hasPutOff()).isFalse();
        assertThat(choice.isOut(0)).as("it is still " + reason).isTrue();
        choice.leaveNoMore(base);
        assertThat(choice.isOut(0)).isFalse();
    }
}
