package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.SegmentHeader;
import io.persist.log.LogContent;
import io.persist.store.state.SegmentBytes;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LogReplayTest {

    private static final int LENGTH = 4096;
    private static final int COUNT = 1000;

    private final SegmentBytes needed = new SegmentBytes(
            LongStream.range(0, COUNT).map(i -> i * LENGTH).toArray(),
            LongStream.range(0, COUNT).map(i -> i % 2).toArray());
    private final List<SegmentHeader> segments = new ArrayList<>();

    LogReplayTest() {
        for (int i = 0; i < COUNT; i++) {
            segments.add(new SegmentHeader((long) i * LENGTH, LENGTH, 1, 1, 1, LogContent.TRANSACTIONS, 0));
        }
    }

    @Test
    void shouldMissOnlySegmentsOfWhichSomethingIsNeeded() {
        assertThat(LogReplay.isAnyGone(needed, segments)).isFalse();
        segments.remove(2);
        assertThat(LogReplay.isAnyGone(needed, segments)).isFalse();
        segments.remove(2);
        assertThat(LogReplay.isAnyGone(needed, segments)).as("the one at 3").isTrue();
    }

    /** A log of 64 GiB may have 64,000 segments. */
    @Test
    void shouldLookAtEachSegmentOnce() {
        int[] looks = new int[1];
        List<SegmentHeader> counted = new AbstractList<>() {

            @Override
            public SegmentHeader get(int index) {
                looks[0]++;
                return segments.get(index);
            }

            @Override
            public int size() {
                return segments.size();
            }
        };
        assertThat(LogReplay.isAnyGone(needed, counted)).isFalse();
        assertThat(looks[0]).isEqualTo(COUNT);
    }
}
