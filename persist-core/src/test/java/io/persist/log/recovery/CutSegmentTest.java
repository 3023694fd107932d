package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.retention.LogRetention;
import io.persist.log.segment.LogFiles;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.support.Resources;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody cuts a segment right after retention or compaction has mapped it. Whoever asked is told. */
class CutSegmentTest {

    private static final String CUT = LogFileName.segment(0);

    private final LogConfig config = WriterKind.MAPPED.config().build();
    private ScratchDirectory scratch;
    private boolean isCutting;
    private int spared; // mappings before the one after which it is cut

    @BeforeEach
    void create() throws IOException {
        scratch = ScratchDirectory.create();
    }

    @AfterEach
    void delete() throws IOException {
        assertThat(Resources.of(scratch.path())).isEqualTo(Resources.NONE);
        scratch.close();
    }

    /** The directory, where {@link #CUT} has no page any more once it was mapped. */
    private Storage storage() throws IOException {
        return Interposed.afterFiles(DirectoryStorage.open(scratch.path()), (file, call) -> {
            if (isCutting && file.equals(CUT) && call.equals("map") && spared-- == 0) {
                cut(scratch.path().resolve(CUT));
            }
        });
    }

    private static void cut(Path file) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(0);
        }
    }

    private Log written() throws IOException {
        Log log = Log.open(config, storage());
        Records.appendUntilRolled(log, 4);
        log.sync();
        isCutting = true;
        return log;
    }

    /** The JVM's words name no file, and nothing that could be done. */
    @Test
    void shouldTellWhoScansTheLogWhichFileItIsAndWhatToDo() throws IOException {
        written().close();
        spared = 1; // which looks at the header
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> new LogInspector(storage()).inspect(LogScan.Start.BEGINNING))
                .withMessageStartingWith(
                        "cannot read the log: file=" + scratch.path().resolve(CUT) + ": ")
                .withMessageContaining("; a page of a mapped file is missing: on a tmpfs, make room there");
    }

    @Test
    void shouldTellWhoPlansRetention() throws IOException {
        try (Log log = written()) {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> log.planRetention(RetentionRule.keepBytes(0)))
                    .withMessageContaining("cannot plan retention");
        }
    }

    @Test
    void shouldTellWhoVacatesTheSegment() throws IOException {
        try (Log log = written()) {
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> log.vacate(0))
                    .withMessageContaining("cannot vacate");
        }
    }

    @Test
    void shouldTellWhoRetiresSegmentsOfAClosedLog() throws IOException {
        written().close();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> new LogRetention(storage()).apply(RetentionRule.keepBytes(0)))
                .withMessageContaining("cannot plan retention");
        assertThat(LogFiles.basePositions(storage())).hasSizeGreaterThan(4);
    }
}
