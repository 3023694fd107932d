package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.LogMonitor;
import io.persist.error.LogIOException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.NoFile;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Somebody has put something else in the place of a file. Nothing is opened, followed, written or made; in particular
 * nobody waits for the other end of a FIFO, which the time limit would tell.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileDirectoryTest {

    private static final String READER = "reader";
    private static final int COUNT = 200;

    @TempDir
    Path temporary;

    private Path directory;
    private Path victim;
    private LogConfig config;

    /** What uses a file, and so has to refuse what is in its place. */
    private record Use(String file, ThrowingCallable call) {}

    @BeforeEach
    void write() throws IOException {
        directory = Files.createDirectory(temporary.resolve("log"));
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        victim = Files.write(elsewhere.resolve("victim"), new byte[WriterKind.SEGMENT_LENGTH]);
        config = WriterKind.MAPPED.config(directory).build();
        try (Log log = Log.open(config);
                Tailer tailer = log.tailer(READER)) {
            Records.append(log, COUNT);
            log.commit(Durability.SYNCED);
            tailer.next();
            tailer.store();
        }
    }

    private List<Use> uses() throws IOException {
        List<Long> bases = List.copyOf(LogFiles.basePositions(io.persist.file.disk.DirectoryStorage.open(directory)));
        long tail;
        try (Log log = Log.open(config)) {
            tail = log.position() / WriterKind.SEGMENT_LENGTH * WriterKind.SEGMENT_LENGTH;
        }
        ThrowingCallable open = () -> Log.open(config).close();
        ThrowingCallable named = () -> Tailer.open(config.directory(), READER).close();
        List<Use> uses = new ArrayList<>();
        uses.add(new Use(LogFileName.LOCK, open));
        uses.add(new Use(LogFileName.CONTROL, open));
        uses.add(new Use(
                LogFileName.CONTROL, () -> Tailer.open(config.directory()).close()));
        uses.add(new Use(LogFileName.CONTROL, () -> LogMonitor.open(directory).read()));
        uses.add(new Use(LogFileName.CONTROL, () -> LogMonitor.open(directory).extent()));
        uses.add(new Use(LogFileName.segment(tail), open));
        uses.add(new Use(LogFileName.segment(bases.get(bases.size() - 1)), open)); // prepared ahead
        uses.add(new Use(LogFileName.segment(0), this::readAll));
        uses.add(new Use(LogFileName.segment(WriterKind.SEGMENT_LENGTH), this::readAll));
        uses.add(new Use(READER + LogFileName.CURSOR_SUFFIX, named));
        uses.add(new Use(READER + LogFileName.CURSOR_SUFFIX, this::plan));
        uses.add(new Use(READER + LogFileName.CURSOR_SUFFIX + LogFileName.CURSOR_LOCK_SUFFIX, named));
        uses.add(new Use(LogFileName.CURSORS_LOCK, named));
        return uses;
    }

    private void readAll() {
        try (Tailer tailer = Tailer.open(config.directory())) {
            Records.readAll(tailer);
        }
    }

    private void plan() {
        try (Log log = Log.open(config)) {
            log.retire(log.planRetention(RetentionRule.below(log.position())), Retirement.DELETE);
        }
    }

    private void checkWhole() {
        try (Log log = Log.open(config)) {
            assertThat(Records.readAll(log)).isEqualTo(COUNT);
        }
    }

    @ParameterizedTest
    @EnumSource(NoFile.class)
    void shouldOpenNothingThatIsNoFile(NoFile kind) throws IOException {
        for (Use use : uses()) {
            Path file = directory.resolve(use.file());
            Path away = temporary.resolve("away");
            Files.move(file, away);
            kind.replace(file, victim);
            Map<String, Object> before = NoFile.content(temporary);
            assertThatExceptionOfType(LogIOException.class)
                    .as(kind + " in place of " + use.file())
                    .isThrownBy(use.call())
                    .withMessageContaining("not a regular file: " + file)
                    .withMessageContaining("take it away");
            if (!use.file().equals(READER + LogFileName.CURSOR_SUFFIX)) { // a writer that was open closes
                assertThat(NoFile.content(temporary))
                        .as(kind + " in place of " + use.file())
                        .isEqualTo(before);
            }
            Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(victim).hasBinaryContent(new byte[WriterKind.SEGMENT_LENGTH]);
        checkWhole();
    }

    /** A monitor does not open it either, and tells the rest. */
    @ParameterizedTest
    @EnumSource(NoFile.class)
    void shouldTellAllElseBesideACursorThatIsNoFile(NoFile kind) throws IOException {
        Path file = directory.resolve(READER + LogFileName.CURSOR_SUFFIX);
        Path away = temporary.resolve("away");
        Files.move(file, away);
        kind.replace(file, victim);
        assertThat(LogMonitor.open(directory).read().cursors()).containsEntry(READER, 0L);
        Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(victim).hasBinaryContent(new byte[WriterKind.SEGMENT_LENGTH]);
        checkWhole();
    }

    /** It is what an interrupted run was making: the name is deleted, and what it leads to stays. */
    @ParameterizedTest
    @EnumSource(value = NoFile.class, mode = Mode.EXCLUDE, names = "DIRECTORY")
    void shouldDeleteALeftoverAndNotWhatItLeadsTo(NoFile kind) throws IOException {
        List<String> leftovers = List.of(
                LogFileName.segment(0) + LogFileName.TEMPORARY_SUFFIX,
                LogFileName.segment(0) + LogFileName.SPARE_SUFFIX,
                LogFileName.CONTROL + LogFileName.TEMPORARY_SUFFIX);
        for (String name : leftovers) {
            kind.replace(directory.resolve(name), victim);
        }
        kind.replace(directory.resolve("other.cursor.tmp"), victim);
        checkWhole();
        try (Tailer tailer = Tailer.open(config.directory(), "other")) {
            assertThat(tailer.next()).isTrue();
        }
        assertThat(NoFile.content(directory).keySet())
                .doesNotContainAnyElementsOf(leftovers)
                .doesNotContain("other.cursor.tmp");
        assertThat(victim).hasBinaryContent(new byte[WriterKind.SEGMENT_LENGTH]);
        assertThat(victim.getParent()).isDirectoryNotContaining("glob:**/not-there");
    }

    @Test
    void shouldNotDeleteADirectoryThatHasTheNameOfALeftover() throws IOException {
        String name = LogFileName.segment(0) + LogFileName.TEMPORARY_SUFFIX;
        Files.createDirectory(directory.resolve(name));
        Map<String, Object> before = NoFile.content(temporary);
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(config))
                .withMessageContaining("not a file but a directory");
        assertThat(NoFile.content(temporary)).isEqualTo(before);
    }

    /** A log may have been put into a directory that others use, such as one for temporary files. */
    @Test
    void shouldDeleteNoFileThatALogDoesNotMake() throws IOException {
        List<String> names = List.of(
                "a.tmp",
                "a.spare",
                "control.spare",
                "0.log.tmp",
                "a.cursor.cursor.tmp.tmp",
                ".cursor.tmp",
                "a.log.tmp");
        for (String name : names) {
            Files.writeString(directory.resolve(name), "mine");
        }
        checkWhole();
        Tailer.open(config.directory(), "other").close();
        assertThat(names).allSatisfy(name -> assertThat(directory.resolve(name)).hasContent("mine"));
    }

    /** That is how people put a log onto another volume. */
    @Test
    void shouldFollowALinkThatIsTheDirectory() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        try (Log log = Log.open(WriterKind.MAPPED.config(link).build())) {
            assertThat(Records.readAll(log)).isEqualTo(COUNT);
        }
    }

    @Test
    void shouldSayThatThereIsNoRightToReadOrWriteAFile() throws IOException {
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        if (isRoot) {
            System.out.println("SKIPPED HostileDirectoryTest.shouldSayThatThereIsNoRightToReadOrWriteAFile: is root");
        }
        assumeTrue(!isRoot, "root may read everything");
        for (Use use : uses()) {
            Path file = directory.resolve(use.file());
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
            Map<String, Object> before = names();
            assertThatExceptionOfType(LogIOException.class)
                    .as("no right: " + use.file())
                    .isThrownBy(use.call())
                    .withMessageContaining(file.toString())
                    .withRootCauseInstanceOf(java.nio.file.AccessDeniedException.class);
            assertThat(names()).isEqualTo(before);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        checkWhole();
    }

    private Map<String, Object> names() throws IOException {
        Map<String, Object> names = new java.util.TreeMap<>();
        try (var files = Files.list(directory)) {
            files.forEach(file -> names.put(file.toString(), ""));
        }
        return names;
    }
}
