package io.persist.kafka;

import io.persist.error.CorruptLogException;
import io.persist.error.IndexFullException;
import io.persist.error.LogFullException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/** Says in Kafka's exceptions what went wrong with one store, and what to do about it. */
final class StoreErrors {

    private static final String RESTORE =
            ": stop the instance, delete this directory, and start it again; Kafka restores it from its changelog;"
                    + " without one its state is lost";

    private final String name;
    private final Path directory;

    StoreErrors(String name, Path directory) {
        this.name = name;
        this.directory = directory;
    }

    /** What is thrown if the store cannot be opened because of {@code cause}. */
    ProcessorStateException opening(RuntimeException cause) {
        String advice = "";
        if (cause instanceof LogLockedException) {
            advice = ": another instance has it open; give each instance a state.dir of its own, or stop the other one";
        } else if (cause instanceof UnsupportedFormatException) {
            advice = ": run the version that wrote it; or" + RESTORE.substring(1);
        } else if (cause instanceof CorruptLogException) {
            advice = RESTORE;
        } else if (cause instanceof IndexFullException) {
            advice = ": the keys of all stores of a process share the direct memory of the JVM";
        }
        return failure("cannot be opened", cause, advice);
    }

    /** What is thrown because the directory has something else, which {@code what} says. */
    ProcessorStateException foreign(@Nullable String what) {
        return new ProcessorStateException(where() + " cannot be opened: " + plain(what) + RESTORE);
    }

    /** Why Kafka has to delete the store and to restore it. */
    ProcessorStateException uncommitted() {
        return new ProcessorStateException(where() + " was not closed, and may have what Kafka has aborted; Kafka"
                + " deletes the state of the task by itself, and restores it from its changelog; without one its"
                + " state is lost");
    }

    /** What is thrown if a read fails because of {@code cause}. */
    StreamsException reading(RuntimeException cause) {
        if (cause instanceof IndexFullException) {
            return failure("has no memory for a scan", cause, ": close iterators, or raise -XX:MaxDirectMemorySize");
        }
        return cause instanceof CorruptLogException ? failure("cannot be read", cause, RESTORE) : any("read", cause);
    }

    /**
     * What is thrown if a write fails because of {@code cause}. Nothing of it is in the store; but of a batch that is
     * written in parts the first ones may be, unless a key or a value is refused.
     */
    StreamsException writing(RuntimeException cause) {
        if (cause instanceof LogFullException) {
            return failure("cannot be written", cause, ": free space on this disk, then start the instance again");
        }
        if (cause instanceof IndexFullException) {
            return failure("has too many keys for the memory", cause, "");
        }
        if (cause instanceof IllegalArgumentException) {
            return failure(
                    "refuses a key or a value",
                    cause,
                    "; a key has at most " + UserKeys.MAX_LENGTH + " bytes, and " + PersistSettings.SEGMENT_LENGTH
                            + " bounds a key with its value");
        }
        return any("written", cause);
    }

    /** What is thrown if the store is closed. */
    InvalidStateStoreException closed() {
        return new InvalidStateStoreException("Store " + name + " is currently closed");
    }

    private StreamsException any(String verb, RuntimeException cause) {
        if (cause instanceof StreamsException known) {
            return known;
        }
        if (cause instanceof IllegalStateException) {
            InvalidStateStoreException closed = closed();
            closed.initCause(cause);
            return closed;
        }
        return failure(
                "cannot be " + verb, cause, ": mend what the operating system says, then start the instance again");
    }

    private ProcessorStateException failure(String what, RuntimeException cause, String advice) {
        return new ProcessorStateException(where() + " " + what + ": " + plain(cause.getMessage()) + advice, cause);
    }

    private String where() {
        return "store " + plain(name) + " in " + plain(directory.toString());
    }

    /** Kafka's wrappers take a message for a format. */
    private static String plain(@Nullable String text) {
        return String.valueOf(text).replace("%", "%%");
    }
}
