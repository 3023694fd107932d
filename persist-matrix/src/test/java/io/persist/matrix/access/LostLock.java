package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.file.disk.ProcessIdentity;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.HolderMark;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The lock of the operating system does not keep a second writer away, because a process has lost it or it does not
 * reach so far. Who comes second is refused as long as it can be seen that the first one lives. Where it cannot, the
 * first one acknowledges nothing more and changes nothing, as soon as the second one has the log.
 */
public final class LostLock implements Exercise {

    private static final int APPENDS = 20;

    @Override
    public Row row() {
        return Row.TWO_WRITERS;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Entries entries = new Entries();
            beRefused(subject, scratch.path(), entries);
            beOvertaken(subject, scratch.path(), entries);
            effort.tried(2);
        }
    }

    private static void append(Life life, Entries entries) {
        for (int i = 0; i < APPENDS; i++) {
            life.append(entries, entries.add(1));
        }
        life.commit(Durability.SYNCED);
    }

    private static void beRefused(Subject subject, Path directory, Entries entries) throws Exception {
        try (Life life = subject.open(directory)) {
            append(life, entries);
        }
        Process holder = new ProcessBuilder("sleep", "600").start();
        try {
            HolderMark.put(directory, ProcessIdentity.of(holder.pid()));
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> subject.open(directory).close())
                    .withMessageContaining("pid=" + holder.pid());
        } finally {
            holder.destroyForcibly().waitFor();
        }
        try (Life life = subject.open(directory)) {
            assertThat(life.verify(entries)).isEqualTo(entries.last());
        }
    }

    private static void beOvertaken(Subject subject, Path directory, Entries entries) throws IOException {
        Life life = subject.open(directory);
        append(life, entries);
        long safe = entries.last();
        HolderMark.put(directory, new ProcessIdentity(1, 1, 1));
        deleteTemporaries(directory);
        Map<String, Integer> before = content(directory);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(PersistException.class)
                    .as("a commit of who was overtaken")
                    .isThrownBy(() -> append(life, entries))
                    .withStackTraceContaining("another process has opened the log for writing");
        }
        assertThatExceptionOfType(PersistException.class).isThrownBy(life::close);
        assertThat(content(directory)).as("what who was overtaken has changed").isEqualTo(before);
        try (Life after = subject.open(directory)) {
            assertThat(after.verify(entries)).isGreaterThanOrEqualTo(safe);
        }
    }

    /** As the second one does: a segment that the first one was about to name gets no name any more. */
    private static void deleteTemporaries(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(LogFileName.TEMPORARY_SUFFIX)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** The log's bytes, without the counters, which nothing depends on. */
    private static Map<String, Integer> content(Path directory) throws IOException {
        Map<String, Integer> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                byte[] bytes = Files.readAllBytes(file);
                boolean isControl = name.equals(LogFileName.CONTROL);
                if (isControl || name.endsWith(".log")) {
                    content.put(name, Arrays.hashCode(isControl ? Arrays.copyOf(bytes, 512) : bytes));
                }
            }
        }
        return content;
    }
}
