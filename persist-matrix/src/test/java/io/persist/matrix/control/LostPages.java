package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.MessageLogger;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.memory.MissingPage;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;

/**
 * Somebody cuts the segment that a writer has mapped, after the last append and before the commit: what was appended is
 * lost, and nothing but a look at the pages tells. {@code CutUnderWriter} goes on appending, in a JVM of its own.
 */
public final class LostPages implements Exercise {

    private static final int LENGTH = 100;

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
        for (int synced = 0; synced <= 2; synced++) {
            try (ScratchDirectory scratch = ScratchDirectory.create()) {
                cutBeforeSync(subject, scratch.path(), synced);
            }
            effort.tried(1);
        }
    }

    private static void cutBeforeSync(Subject subject, Path directory, int synced) throws IOException {
        MessageLogger logger = MessageLogger.open(subject.config(directory));
        try {
            for (int i = 0; i < synced; i++) {
                logger.append(new byte[LENGTH]);
                logger.commit(Durability.SYNCED);
            }
            logger.append(new byte[LENGTH]);
            try (RandomAccessFile file =
                    new RandomAccessFile(directory.resolve(SameLength.FIRST).toFile(), "rw")) {
                file.setLength(0);
            }
            assertThatExceptionOfType(LogIOException.class)
                    .as("a commit of what is lost, after %d others", synced)
                    .isThrownBy(() -> logger.commit(Durability.SYNCED));
        } finally {
            close(logger);
        }
    }

    private static void close(MessageLogger logger) {
        try {
            logger.close();
        } catch (PersistException | InternalError lost) {
            // The log has failed; a broken build meets the missing page only here.
        } finally {
            MissingPage.dropHeld();
        }
    }
}
