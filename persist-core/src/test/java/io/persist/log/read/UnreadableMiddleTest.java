package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One segment of many cannot be read, as on a bad block: it keeps nobody from the records of the others. */
class UnreadableMiddleTest {

    private static final int LENGTH = 4096;
    private static final int RECORDS = 90;

    private final CrashableStorage storage = new CrashableStorage();

    /** In which segment each record is, the first at the first place. */
    private final List<Long> places = new ArrayList<>();

    private NavigableSet<Long> bases;

    /** A storage whose file cannot be opened {@code times} times, after it was opened {@code before} times. */
    private static final class Unreadable implements ForwardingStorage {

        private final Storage storage;
        private final String name;
        private int before;
        private int times;

        Unreadable(Storage storage, long base, int before, int times) {
            this.storage = storage;
            this.name = LogFileName.segment(base);
            this.before = before;
            this.times = times;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public StorageFile open(String opened, Access access) throws IOException {
            if (opened.equals(name) && before-- <= 0 && times > 0) {
                times--;
                throw new IOException(name + ": Input/output error");
            }
            return storage.open(opened, access);
        }
    }

    @BeforeEach
    void write() throws IOException {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(LENGTH)
                .writeMode(WriteMode.MAPPED)
                .build();
        try (Log log = Log.open(config, storage)) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] record = new byte[500];
                ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).putInt(i + 1);
                log.append(record, 0, record.length);
            }
            Await.filled(
                    "a segment is ahead",
                    () -> log.statistics().segmentsFilled() > log.statistics().rolls());
        }
        bases = LogFiles.basePositions(storage);
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            while (tailer.next()) {
                places.add(bases.floor(tailer.position()));
            }
        }
        assertThat(places).hasSize(RECORDS);
        assertThat(bases.last()).as("a segment is prepared behind the end").isGreaterThan(places.get(RECORDS - 1));
    }

    private Tailer tailer(long unreadable, int times) {
        return Tailer.open(new Unreadable(storage, unreadable, 0, times), TailerConfig.defaults());
    }

    @Test
    void shouldFindARecordByItsNumber() {
        for (long unreadable : bases) {
            for (int sequence = 1; sequence <= RECORDS; sequence++) {
                try (Tailer tailer = tailer(unreadable, Integer.MAX_VALUE)) {
                    if (places.get(sequence - 1) == unreadable) {
                        int wanted = sequence;
                        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> goTo(tailer, wanted));
                    } else {
                        goTo(tailer, sequence);
                    }
                }
            }
        }
    }

    private static void goTo(Tailer tailer, int sequence) {
        tailer.toSequence(sequence);
        assertThat(tailer.next()).isTrue();
        assertThat(tailer.sequence()).isEqualTo(sequence);
    }

    /** Needed is what has the newest, and the hint where that is, which may be in the segment before. */
    @Test
    void shouldFindTheNewest() {
        long last = places.get(RECORDS - 1);
        for (long unreadable : bases) {
            if (unreadable != last && unreadable != last - LENGTH) {
                try (Tailer tailer = tailer(unreadable, Integer.MAX_VALUE)) {
                    tailer.toLast(1);
                    assertThat(tailer.next()).isTrue();
                    assertThat(tailer.sequence()).isEqualTo(RECORDS);
                }
            }
        }
    }

    /** What it finds must not depend on an error that has gone by: so it is thrown. */
    @Test
    void shouldSayThatASegmentCouldNotBeReadInWhichTheRecordIs() {
        for (int sequence = 1; sequence <= RECORDS; sequence++) {
            int wanted = sequence;
            try (Tailer tailer = tailer(places.get(sequence - 1), 1)) {
                try {
                    goTo(tailer, wanted);
                } catch (LogIOException e) {
                    goTo(tailer, wanted);
                }
            }
        }
    }

    /**
     * Nor where a search by a condition ends: at the beginning of the log all records would come again. A build looks
     * for every fourth one.
     */
    @Test
    void shouldFindNoOtherRecordByACondition() {
        int step = Seeds.isNightly() ? 1 : 4;
        for (int sequence = 1 + (int) (Seeds.seed() % step); sequence <= RECORDS; sequence += step) {
            int wanted = sequence;
            for (long unreadable : bases) {
                for (int before = 0; before < 5; before++) {
                    try (Tailer tailer =
                            Tailer.open(new Unreadable(storage, unreadable, before, 1), TailerConfig.defaults())) {
                        tailer.toFirst(payload -> payload.getInt(payload.position()) >= wanted);
                        assertThat(tailer.next()).isTrue();
                        assertThat(tailer.sequence()).isEqualTo(wanted);
                    } catch (LogIOException e) {
                        // said at the call, or where the segment is needed
                    }
                }
            }
        }
    }
}
