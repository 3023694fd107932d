package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.RetentionRule;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogScan;
import io.persist.log.retention.LogRetention;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Retention has taken the log's first segments, and then a segment of another log has got in front of what is left. It
 * is where the files begin, but not where the log does.
 */
class ForeignSegmentInFrontTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int ROLLS = 5;

    /** Where the log begins when the first segments are gone. */
    private static final long BEGIN = 3 * LENGTH;

    private static final String FOREIGN = LogFileName.segment(0);

    private final CrashableStorage storage = new CrashableStorage();
    private long logId;
    private long retired;

    @BeforeEach
    void write() {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            Records.appendUntilRolled(log, 1);
            retired = log.lastPosition();
            Records.appendUntilRolled(log, ROLLS - 1);
            log.commit(Durability.SYNCED);
            logId = log.logId();
        }
    }

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).as("open handles").isZero();
    }

    private void retireAndPutAnother() {
        new LogRetention(storage).apply(RetentionRule.below(BEGIN));
        byte[] segment = new byte[LENGTH];
        byte[] header = new SegmentHeader(0, LENGTH, 1, logId + 1, 1).encode();
        System.arraycopy(header, 0, segment, 0, header.length);
        storage.replace(FOREIGN, segment);
    }

    private Tailer tailer() {
        return Tailer.open(storage, TailerConfig.defaults());
    }

    /** What is left of its own segment it reads. */
    @Test
    void shouldNotMakeRetentionLookLikeDamage() {
        try (Tailer tailer = tailer()) {
            assertThat(tailer.next()).isTrue();
            retireAndPutAnother();
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> Records.readOn(tailer, 2));
            assertThat(tailer.nextPosition()).isGreaterThanOrEqualTo(LENGTH);
        }
    }

    /** A look at the files follows when there is another control block. */
    @Test
    void shouldNotMakeRetentionLookLikeARestoredBackup() throws IOException {
        try (Tailer tailer = tailer()) {
            tailer.toPosition(retired);
            assertThat(tailer.next()).isTrue();
            storage.delete(LogFileName.CONTROL);
            Log.open(WriterKind.MAPPED.config().build(), storage).close();
            retireAndPutAnother();
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> Records.readOn(tailer, tailer.sequence() + 1));
        }
    }

    @Test
    void shouldNotHaveThePositionsOfRecordsThatAreGone() {
        retireAndPutAnother();
        try (Tailer tailer = tailer()) {
            assertThatExceptionOfType(RetiredException.class).isThrownBy(() -> tailer.toPosition(retired));
            tailer.toPosition(BEGIN + SegmentHeader.LENGTH);
            assertThat(tailer.next()).isTrue();
        }
    }

    @Test
    void shouldNotHaveTheNumbersOfRecordsThatAreGone() {
        retireAndPutAnother();
        try (Tailer tailer = tailer()) {
            tailer.toPosition(BEGIN + SegmentHeader.LENGTH);
            assertThat(tailer.next()).isTrue();
            long first = tailer.sequence();
            for (long gone : new long[] {1, first - 1}) {
                assertThatExceptionOfType(RetiredException.class)
                        .isThrownBy(() -> tailer.toSequence(gone))
                        .withMessageContaining("first=" + first);
            }
            tailer.toSequence(first);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.position()).isEqualTo(BEGIN + SegmentHeader.LENGTH);
        }
    }

    /** Retention has taken nothing that a cursor holds: whoever removed it would have all delivered again. */
    @Test
    void shouldNotMakeACursorLookRetired() throws IOException {
        String name = "billing";
        Tailer.open(storage, name, TailerConfig.defaults()).close();
        byte[] cursor = storage.content(name + ".cursor");
        storage.delete(name + ".cursor");
        retireAndPutAnother();
        storage.replace(name + ".cursor", cursor);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> Tailer.open(storage, name, TailerConfig.defaults()))
                .withMessageContaining("another log")
                .withMessageContaining("file=" + FOREIGN)
                .withMessageNotContaining("remove");
    }

    @Test
    void shouldNotBeWhereTheLogBegins() {
        retireAndPutAnother();
        assertThat(new LogInspector(storage)
                        .inspect(LogScan.Start.TRUSTED)
                        .findings()
                        .firstPosition())
                .isEqualTo(BEGIN);
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage)) {
            assertThat(log.recovery().kept().firstPosition()).isEqualTo(BEGIN);
        }
    }

    /** Its reader would be refused, and once the file is moved away its records would be gone. */
    @Test
    void shouldNotBeWhereACursorGoesBackTo() throws IOException {
        String name = "billing";
        try (Tailer tailer = Tailer.open(storage, name, TailerConfig.defaults())) {
            tailer.toEnd();
            tailer.store();
            retireAndPutAnother();
            tailer.toStart();
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(tailer::store)
                    .withMessageContaining("another log")
                    .withMessageContaining("file=" + FOREIGN);
        }
        storage.delete(FOREIGN);
        Tailer.open(storage, name, TailerConfig.defaults()).close();
    }
}
