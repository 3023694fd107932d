package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.log.DetachedConfig;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** An error ends a thread of the log. Once it has ended, every call throws, and the log can be closed. */
public final class DeadThread implements Exercise {

    @Override
    public Row row() {
        return Row.DEAD_WRITER;
    }

    /** Without a mapping, the writer thread writes for itself; the error of a sync would be the syncer's. */
    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("message-file-detached"));
    }

    @Override
    public void run(Subject subject, Effort effort) throws InterruptedException {
        die(subject, "write ", "write ");
        die(subject, "fill ", "write ");
        die(subject, "make ", "create ");
        effort.tried(3);
    }

    /** The thread whose name begins with {@code name} meets an error when it begins {@code operation}. */
    private static void die(Subject subject, String name, String operation) throws InterruptedException {
        AtomicReference<Thread> dead = new AtomicReference<>();
        CrashableStorage storage = new CrashableStorage().hook((number, what) -> {
            if (what.startsWith(operation) && Thread.currentThread().getName().startsWith(name)) {
                dead.set(Thread.currentThread());
                throw new OutOfMemoryError("injected");
            }
        });
        DetachedConfig queue = DetachedConfig.builder().build();
        MessageLogger logger = MessageLogger.open(subject.config(Path.of("memory")), queue, storage);
        try {
            if (name.equals("write ")) {
                logger.append(new byte[1000]); // more than the write buffer has space for
                logger.append(new byte[1000]);
            }
            while (dead.get() == null) {
                Thread.onSpinWait();
            }
            dead.get().join();
            assertThatThrownBy(() -> logger.append(new byte[1]))
                    .as("an append after the end of " + name)
                    .isInstanceOf(LogIOException.class)
                    .hasRootCauseMessage("injected");
            assertThatThrownBy(logger::commit).isInstanceOf(LogIOException.class);
        } finally {
            close(logger);
        }
        assertThat(storage.openHandles()).as("what is open after close").isZero();
    }

    private static void close(MessageLogger logger) {
        try {
            logger.close();
        } catch (PersistException failed) {
            // As it has to.
        }
    }
}
