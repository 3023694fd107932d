package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Exercise;
import io.persist.matrix.Life;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;

/**
 * Somebody cuts a file that the writer of a log has mapped, the segment that it writes or the control file, while it
 * appends in every way. It gets an exception, its log takes no more, closing it returns, and its JVM lives on. Once the
 * file is what it was, all is there that was synced before.
 */
public final class CutUnderWriter implements Exercise {

    private static final int PAGE = 4096;

    /**
     * The error may come when a call has returned, and then nobody can turn it into another: of all compiled code of JDK
     * 17, and of C2's in JDK 25. The control block is told of what was done on the way, by whoever did it.
     */
    private static final List<String> FAILURES = List.of("LogIOException", "InternalError");

    @Override
    public Row row() {
        return Row.READ_ERROR;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(
                Subject.named("message-mapped-attached"),
                Subject.named("message-mapped-detached"),
                Subject.named("store-mapped-attached"),
                Subject.named("store-mapped-detached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        if (!subject.equals(subjects().get(0))) {
            runThreads(subject, effort);
            return;
        }
        effort.random(1, 20, 1, (random, size) -> {
            try (ScratchDirectory scratch = ScratchDirectory.create();
                    ChildJvm child = start(subject, scratch)) {
                for (MappingWriter.Way way : MappingWriter.Way.values()) {
                    Path log = scratch.path().resolve(way.name());
                    cut(subject, child, scratch, log, way, MappingWriter.CURRENT, random);
                }
                Path log = scratch.path().resolve("control");
                cut(subject, child, scratch, log, MappingWriter.Way.ARRAY, LogFileName.CONTROL, random);
                checkEnd(child, scratch);
            }
            effort.tried(MappingWriter.Way.values().length);
        });
    }

    /** Several threads write, the library's own among them. Each of them is told, and closing returns. */
    private static void runThreads(Subject subject, Effort effort) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create();
                ChildJvm child = start(subject, scratch)) {
            for (String what : List.of(MappingWriter.CURRENT, LogFileName.CONTROL)) {
                Path log = scratch.path().resolve(what);
                String[] ready =
                        answer(child.ask("threads all " + log), scratch).split(" ");
                Path file = log.resolve(what.equals(MappingWriter.CURRENT) ? ready[2] : what);
                Path kept = Files.copy(file, scratch.path().resolve("kept-" + what));
                truncate(file, 0);
                assertThat(answer(child.ask("go on"), scratch).split(" "))
                        .as("each thread, and closing, without " + what)
                        .allMatch(FAILURES::contains);
                Files.copy(kept, file, StandardCopyOption.REPLACE_EXISTING);
                MappingWriter.open(subject, log).close();
                effort.tried(1);
            }
            checkEnd(child, scratch);
        }
    }

    /**
     * Its code is compiled in time, however busy the machine is: compiled code goes on for a moment after it has met a
     * page that is not there, and that is when a JVM could die.
     */
    private static ChildJvm start(Subject subject, ScratchDirectory scratch) throws IOException {
        List<String> command = ChildJvm.command(MappingWriter.class, subject.name());
        command.add(1, "-Xbatch");
        return ChildJvm.runWithErrors(errors(scratch), command);
    }

    private static Path errors(ScratchDirectory scratch) {
        return scratch.path().resolve("errors");
    }

    /** Its JVM has lived on, and no thread of it has ended with an error that nobody caught. */
    private static void checkEnd(ChildJvm child, ScratchDirectory scratch) throws Exception {
        assertThat(child.awaitEnd()).as("the exit code").isZero();
        assertThat(Files.readString(errors(scratch))).doesNotContain("Exception in thread");
    }

    private static void truncate(Path file, long length) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(length);
        }
    }

    private static void cut(
            Subject subject,
            ChildJvm child,
            ScratchDirectory scratch,
            Path log,
            MappingWriter.Way way,
            String what,
            Random random)
            throws IOException {
        // MAPPED 40 00001000.log 8192: so many entries are synced, the file's name, and where its data end
        String[] ready = answer(child.ask("write " + way + " " + log), scratch).split(" ");
        assertThat(ready[0]).isEqualTo(MappingReader.MAPPED);
        Path file = log.resolve(what.equals(MappingWriter.CURRENT) ? ready[2] : what);
        Path kept = Files.copy(file, log.resolveSibling("kept-" + log.getFileName()));
        int pages = (int) (Long.parseLong(ready[3]) / PAGE);
        truncate(file, what.equals(MappingWriter.CURRENT) ? (long) random.nextInt(pages + 2) * PAGE : 0);
        String[] ended = answer(child.ask("go on"), scratch).split(" ");
        if (what.equals(MappingWriter.CURRENT)) {
            assertThat(ended[0]).as("appending and syncing, %s", way).isIn(FAILURES);
            assertThat(ended[1]).as("once more").isEqualTo("LogIOException");
            assertThat(ended[2]).as("closing").isEqualTo("LogIOException");
        }
        Files.copy(kept, file, StandardCopyOption.REPLACE_EXISTING);
        Entries entries = new Entries();
        while (entries.last() < MappingWriter.MOST_ENTRIES) {
            entries.add(1);
        }
        try (Life life = MappingWriter.open(subject, log)) {
            assertThat(life.verify(entries)).as("entries").isGreaterThanOrEqualTo(Long.parseLong(ready[1]));
        }
    }

    private static String answer(String said, ScratchDirectory scratch) throws IOException {
        assertThat(said)
                .as("what the other process says; nothing if it was killed: " + Files.readString(errors(scratch)))
                .isNotNull();
        // "# A fatal error has been detected by the Java Runtime Environment", SIGBUS
        assertThat(said).as("the other JVM has died of a signal").doesNotStartWith("#");
        return said;
    }
}
