package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of a log that is open is deleted, or another one takes its place, or a file of it is deleted: neither a
 * commit, nor an append that finds no segment, nor the end says that all is well.
 */
public final class LogTakenAway implements Exercise {

    private static final int APPENDS = 20;

    /** What is done to an open log. */
    private enum Way {
        DELETED,
        RENAMED,
        REPLACED,
        NO_LOCK,
        NO_CONTROL,
        NO_SEGMENT;

        /** Whether the next commit has to notice it, and not only the end. */
        boolean isSeenAtOnce() {
            return this == DELETED || this == RENAMED || this == NO_LOCK;
        }
    }

    @Override
    public Row row() {
        return Row.BAD_DIRECTORY;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        for (Way way : Way.values()) {
            try (ScratchDirectory scratch = ScratchDirectory.create()) {
                takeAway(subject, scratch.path(), way);
            }
            effort.tried(1);
        }
    }

    private static void append(Life life, Entries entries) {
        for (int i = 0; i < APPENDS; i++) {
            life.append(entries, entries.add(1));
        }
        life.commit(Durability.SYNCED);
    }

    private static void takeAway(Subject subject, Path scratch, Way way) throws IOException {
        Path directory = Files.createDirectory(scratch.resolve("log"));
        Entries entries = new Entries();
        Life life = subject.open(directory);
        append(life, entries);
        take(directory, scratch.resolve("elsewhere"), way);
        if (way.isSeenAtOnce()) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(PersistException.class)
                        .as("commit: %s", way)
                        .isThrownBy(() -> append(life, entries))
                        .withStackTraceContaining("file of the open log was deleted, renamed or replaced");
            }
        }
        assertThatExceptionOfType(PersistException.class)
                .as("close: %s", way)
                .isThrownBy(life::close)
                .withStackTraceContaining("file of the open log was deleted, renamed or replaced")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("are safe"));
    }

    private static void take(Path directory, Path elsewhere, Way way) throws IOException {
        switch (way) {
            case DELETED -> delete(directory);
            case RENAMED -> Files.move(directory, elsewhere);
            case REPLACED -> {
                Files.createDirectory(elsewhere);
                for (Path file : files(directory)) {
                    Path copy = elsewhere.resolve(file.getFileName());
                    copy(file, copy);
                }
                Files.move(directory, directory.resolveSibling("before"));
                Files.move(elsewhere, directory);
            }
            case NO_LOCK -> Files.delete(directory.resolve(LogFileName.LOCK));
            case NO_CONTROL -> Files.delete(directory.resolve(LogFileName.CONTROL));
            case NO_SEGMENT -> {
                for (Path file : files(directory)) {
                    if (file.getFileName().toString().endsWith(".log")) {
                        Files.deleteIfExists(file);
                    }
                }
            }
        }
    }

    /** Again and again, since threads of the log go on making files there. */
    private static void delete(Path directory) throws IOException {
        while (Files.exists(directory)) {
            for (Path file : files(directory)) {
                Files.deleteIfExists(file);
            }
            try {
                Files.delete(directory);
            } catch (DirectoryNotEmptyException e) {
                // Once more.
            }
        }
    }

    private static void copy(Path file, Path copy) throws IOException {
        try {
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        } catch (NoSuchFileException renamed) {
            // A segment was being made.
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
