package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Await;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The positions that a layout foretells are those that an appender gives. */
class SegmentLayoutTest {

    private static final int LIVES = 5;
    private static final int RECORDS = 60;

    /** Each life has segments of another length, and the prepared ones of the last life come first. */
    @Test
    void shouldForetellWhereEachRecordEnds() {
        Seeds.run(75, seed -> {
            Random random = new Random(seed);
            CrashableStorage storage = new CrashableStorage();
            for (int life = 0; life < LIVES; life++) {
                live(storage, random);
            }
        });
    }

    private static void live(CrashableStorage storage, Random random) {
        WriterKind kind = WriterKind.values()[random.nextInt(2)];
        int length = 4096 * (1 + random.nextInt(4));
        try (Log log = Log.open(kind.config().segmentLength(length).build(), storage)) {
            SegmentLayout layout = log.layout();
            assertThat(layout.maxPayload()).isLessThanOrEqualTo(Frame.maxPayload(length));
            long foretold = log.position();
            int records = random.nextInt(RECORDS);
            for (int i = 0; i < records; i++) {
                int payload = random.nextInt(random.nextInt(4) == 0 ? layout.maxPayload() + 1 : 400);
                long start = foretold;
                foretold = layout.end(start, payload);
                assertThat(foretold - start == Frame.aligned(Frame.HEADER_LENGTH + payload))
                        .isEqualTo(payload <= layout.room(start));
                long stale = log.position(); // others may ask for places that are long past
                layout.end(stale, 8);
                assertThat(log.append(new byte[payload], 0, payload))
                        .as("record %d of %d bytes", i, payload)
                        .isEqualTo(foretold);
            }
            Await.until(
                    "the next life finds a segment that is prepared",
                    () -> storage.list().stream()
                            .anyMatch(name -> LogFileName.basePosition(name).orElse(0) > log.position()));
        }
    }

    @Test
    void shouldFillASegmentToTheLastByteThatTheSealLeaves() {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            SegmentLayout layout = log.layout();
            int max = layout.maxPayload();
            assertThat(max).isEqualTo(Frame.maxPayload(WriterKind.SEGMENT_LENGTH));
            long position = log.position();
            for (int payload : new int[] {max, 0, max, max - 1, 1, max - 2 * Frame.HEADER_LENGTH, 0, 0, 0, 8, 7, max}) {
                position = layout.end(position, payload);
                assertThat(log.append(new byte[payload], 0, payload)).isEqualTo(position);
            }
        }
    }
}
