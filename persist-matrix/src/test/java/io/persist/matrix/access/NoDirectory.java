package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogIOException;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.NoFile;
import io.persist.support.OwnThreads;
import io.persist.support.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A file, a FIFO, a socket or a link is in the place of the directory, or above it: nothing is made of it. */
public final class NoDirectory implements Exercise {

    private static final Set<NoFile> KINDS =
            EnumSet.complementOf(EnumSet.of(NoFile.DIRECTORY, NoFile.LINK_TO_A_DIRECTORY));

    @Override
    public Row row() {
        return Row.BAD_DIRECTORY;
    }

    @Override
    public void run(Subject subject, Effort effort) throws Exception {
        for (NoFile kind : KINDS) {
            // Who opens a FIFO waits for the other end, and is found to hang.
            OwnThreads.run(() -> refused(subject, kind, effort));
        }
    }

    private static void refused(Subject subject, NoFile kind, Effort effort) throws Exception {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path there = scratch.path().resolve("there");
            Path elsewhere = Files.createDirectory(scratch.path().resolve("elsewhere"));
            Path victim = Files.write(elsewhere.resolve("victim"), new byte[Subject.SEGMENT_LENGTH]);
            Path log = scratch.path().resolve("log");
            Opening.open(subject, log).close();
            kind.replace(there, victim);
            Map<String, Object> before = NoFile.content(scratch.path());
            check(kind + " in place of the log", () -> Opening.open(subject, there));
            check(kind + " above the log", () -> Opening.open(subject, there.resolve("log")));
            check(
                    kind + " in place of what is read",
                    () -> Tailer.open(subject.config(there).directory()));
            effort.tried(3);
            if (subject.logger() == Subject.Logger.STORE) {
                check(kind + " in place of the checkpoints", () -> Opening.open(subject, log, there));
                effort.tried(1);
            }
            assertThat(NoFile.content(scratch.path())).as("after %s", kind).isEqualTo(before);
            assertThat(Files.isRegularFile(elsewhere.resolve("not-there"))).isFalse();
        } catch (IOException e) {
            throw new AssertionError(kind + ": " + e, e);
        }
    }

    private static void check(String what, ThrowingCallable open) {
        assertThatExceptionOfType(LogIOException.class).as(what).isThrownBy(open);
    }
}
