package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.MessageLogger;
import io.persist.archive.ArchiveManifest;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskArchiveTest {

    @TempDir
    Path directory;

    private LogConfig log(String name) {
        return LogConfig.builder(directory.resolve(name)).segmentLength(4096).build();
    }

    /** More than a segment of them, synced. */
    private static void appendRecords(MessageLogger logger) {
        for (int i = 0; i < 10; i++) {
            logger.append(new byte[1000]);
        }
        logger.commit(Durability.SYNCED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".zip"})
    void shouldGoOnWhereTheArchiveBeforeEndsWhileTheLogGoesOn(String suffix) {
        LogConfig config = log("log");
        try (MessageLogger logger = MessageLogger.open(config)) {
            appendRecords(logger);
            ArchiveManifest first =
                    DiskArchive.at(directory.resolve("first" + suffix)).pack(config);
            appendRecords(logger);
            long position = first.endPosition();
            Path path = directory.resolve("second" + suffix);
            // snippet: archive
            DiskArchive archive = DiskArchive.at(path); // a directory, or FILE.zip
            ArchiveManifest packed = archive.pack(config, position); // from where the archive before this one ends
            if (!packed.segments().isEmpty()) { // else none was sealed since then, and there is no archive
                archive.verify(); // before the log has them no more
                position = packed.endPosition();
                logger.retire(logger.planRetention(RetentionRule.below(position)), Retirement.DELETE);
            }
            // end
            assertThat(archive.verify()).isEqualTo(packed);
            assertThat(packed.segments().get(0).basePosition()).isEqualTo(first.endPosition());
            assertThat(packed.segments())
                    .allSatisfy(gone -> assertThat(config.directory().resolve(LogFileName.segment(gone.basePosition())))
                            .doesNotExist());
            assertThat(archive.restore(directory.resolve("restored"))).isEqualTo(packed);
            try (MessageLogger restored = MessageLogger.open(log("restored"))) {
                assertThat(restored.lastSequence())
                        .isEqualTo(packed.segments().get(0).firstSequence() + packed.records() - 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"archive", "archive.zip"})
    void shouldBeThereOnceASegmentIsSealed(String name) {
        DiskArchive archive = DiskArchive.at(directory.resolve(name));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            logger.append(new byte[10]);
            logger.commit(Durability.FLUSHED);
            ArchiveManifest none = archive.pack(log("log"));
            assertThat(none.segments()).isEmpty();
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(none::endPosition)
                    .withMessage("nothing was packed: look at segments() before");
            appendRecords(logger);
            assertThat(archive.pack(log("log")).endPosition()).isPositive();
            assertThatExceptionOfType(LogIOException.class)
                    .isThrownBy(() -> archive.pack(log("log")))
                    .withMessageContaining("cannot archive to " + directory.resolve(name));
        }
    }

    @Test
    void shouldMakeNoDirectoryOfWhatIsNoArchiveOrForNoLog() {
        Path target = directory.resolve("target");
        Path none = directory.resolve("none");
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> DiskArchive.at(directory).restore(target))
                .withMessageContaining("not an archive");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskArchive.at(none).restore(target))
                .withMessageContaining("cannot read the archive " + none);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> DiskArchive.at(target).pack(log("none")))
                .withMessageContaining("cannot archive to " + target)
                .withMessageContaining("none");
        assertThat(target).doesNotExist();
    }

    @Test
    void shouldRefuseAPositionThatNoLogHas() {
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            appendRecords(logger);
            DiskArchive archive = DiskArchive.at(directory.resolve("archive"));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> archive.pack(log("log"), -1))
                    .withMessageContaining("fromPosition=-1");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> archive.pack(log("log"), 1 << 20))
                    .withMessageContaining("the log ends at ");
        }
    }

    @Test
    void shouldNotRestoreOverAnything() throws IOException {
        DiskArchive archive = DiskArchive.at(directory.resolve("archive"));
        try (MessageLogger logger = MessageLogger.open(log("log"))) {
            appendRecords(logger);
            archive.pack(log("log"));
        }
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.writeString(other.resolve("file"), "text");
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> archive.restore(other))
                .withMessageContaining("other");
        assertThat(other.resolve("file")).hasContent("text");
    }
}
