package io.persist.matrix.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.SegmentName;
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

    /** With earlier ones the error may come when a call has returned, and then nobody can turn it into another. */
    private static final int FIRST_WITHOUT_LATE_ERRORS = 21;

    private static final List<String> FAILURES = Runtime.version().feature() >= FIRST_WITHOUT_LATE_ERRORS
            ? List.of("LogIOException")
            : List.of("LogIOException", "InternalError");

    @Override
    public Row row() {
        return Row.READ_ERROR;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("message-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        effort.random(1, 20, 1, (random, size) -> {
            try (ScratchDirectory scratch = ScratchDirectory.create();
                    ChildJvm child = ChildJvm.start(MappingWriter.class, subject.name())) {
                for (MappingWriter.Way way : MappingWriter.Way.values()) {
                    Path log = scratch.path().resolve(way.name());
                    cut(subject, child, log, way, MappingWriter.CURRENT, random);
                }
                Path log = scratch.path().resolve("control");
                cut(subject, child, log, MappingWriter.Way.ARRAY, SegmentName.CONTROL, random);
                assertThat(child.awaitEnd()).as("the exit code").isZero();
            }
            effort.tried(MappingWriter.Way.values().length);
        });
    }

    private static void cut(
            Subject subject, ChildJvm child, Path log, MappingWriter.Way way, String what, Random random)
            throws IOException {
        // MAPPED 40 00001000.log 8192: so many entries are synced, the file's name, and where its data end
        String[] ready = answer(child.ask("write " + way + " " + log)).split(" ");
        assertThat(ready[0]).isEqualTo(MappingReader.MAPPED);
        Path file = log.resolve(what.equals(MappingWriter.CURRENT) ? ready[2] : what);
        Path kept = Files.copy(file, log.resolveSibling("kept-" + log.getFileName()));
        int pages = (int) (Long.parseLong(ready[3]) / PAGE);
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(what.equals(MappingWriter.CURRENT) ? (long) random.nextInt(pages + 2) * PAGE : 0);
        }
        String[] ended = answer(child.ask("go on")).split(" ");
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

    private static String answer(String said) {
        assertThat(said)
                .as("what the other process says; nothing if it has died")
                .isNotNull();
        return said;
    }
}
