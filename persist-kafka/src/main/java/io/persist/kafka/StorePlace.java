package io.persist.kafka;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.store.KeyRange;
import io.persist.store.transaction.Transaction;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a store of a task lies, and what is looked at before it is opened: whether its directory has the files of
 * another engine or values of another format, and whether writes are in it that Kafka may have aborted.
 */
final class StorePlace {

    private static final Logger LOG = LoggerFactory.getLogger(StorePlace.class);
    private static final String OLD_CHECKPOINT = ".checkpoint";

    private final String name;
    private final ValueFormat format;
    private final Path taskDirectory;
    private final TaskId task;
    private final boolean isExactlyOnce;
    private final PersistSettings settings;

    StorePlace(String name, ValueFormat format, StateStoreContext context) {
        this.name = name;
        this.format = format;
        File directory = context.stateDir();
        this.taskDirectory = directory.toPath();
        this.task = context.taskId();
        Object guarantee = context.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
        this.isExactlyOnce = StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee);
        this.settings = PersistSettings.of(context.appConfigs());
    }

    /**
     * Opens the store, or makes it.
     *
     * @throws TaskCorruptedException under exactly-once, if Kafka has to delete the state of the task, and to restore
     *     what has a changelog
     * @throws ProcessorStateException if it cannot be opened, and somebody has to do something; of a global store if it
     *     is damaged, since Kafka deletes all global state for this exception under exactly-once
     * @throws StreamsException if a global store cannot be opened for another reason
     */
    OpenStore open() {
        try {
            return openLog();
        } catch (ProcessorStateException e) {
            boolean isForKafka = !isGlobal() || e.getCause() instanceof CorruptLogException;
            throw isForKafka ? e : new StreamsException(e.getMessage(), e.getCause());
        }
    }

    private OpenStore openLog() {
        Path directory = taskDirectory.resolve(name);
        StoreErrors errors = new StoreErrors(name, directory);
        checkOtherEngine(directory, errors);
        StoreLogger log;
        try {
            log = StoreLogger.open(settings.storeIn(directory));
        } catch (CorruptLogException e) {
            throw damaged(errors.opening(e));
        } catch (RuntimeException e) {
            throw errors.opening(e);
        }
        try {
            return new OpenStore(log, header(log, errors), settings, errors, taskDirectory.resolve(OLD_CHECKPOINT));
        } catch (PersistException e) {
            log.close();
            throw errors.opening(e);
        } catch (RuntimeException | Error e) {
            log.close();
            throw e;
        }
    }

    private StoreHeader header(StoreLogger log, StoreErrors errors) {
        byte[] encoded;
        try {
            encoded = log.getBytes(StoreHeader.key());
        } catch (CorruptLogException e) {
            throw damaged(errors.opening(e));
        }
        if (encoded == null) {
            if (log.size() > 0) {
                throw errors.foreign("it is a store of Persist, but Kafka did not write it");
            }
            StoreHeader first = StoreHeader.first(format);
            log.put(StoreHeader.key(), first.encode());
            return first;
        }
        StoreHeader header;
        try {
            header = StoreHeader.decode(encoded);
        } catch (IllegalArgumentException e) {
            throw errors.foreign(e.getMessage());
        }
        if (header.format() != format) {
            throw errors.foreign("it is a " + header.format().description() + ", and the topology has a "
                    + format.description() + " of this name");
        }
        if (header.isUncommitted() && isExactlyOnce) {
            if (isGlobal()) {
                return emptied(log);
            }
            log.tune(log.tuning().withCheckpointPercent(0)); // Kafka deletes it: closing need not write a checkpoint
            throw corrupted(errors.uncommitted());
        }
        return header;
    }

    private boolean isGlobal() {
        return task.partition() < 0;
    }

    /**
     * Kafka gives the processor of a global store the records after the last commit once more, and one that counts
     * would count them twice. Without offsets it begins with the first record of the topic.
     */
    private StoreHeader emptied(StoreLogger log) {
        LOG.warn(
                "Global store {} in {} was not closed, and was written since Kafka has last committed to it;"
                        + " it is emptied, and Kafka restores it from its topic",
                name,
                taskDirectory.resolve(name));
        StoreHeader first = StoreHeader.first(format);
        try (Transaction transaction = log.begin()) {
            transaction.removeRange(KeyRange.all());
            transaction.put(StoreHeader.key(), first.encode());
            transaction.commit();
        }
        return first;
    }

    /** Kafka knows the tasks of processors alone by their numbers. */
    private RuntimeException damaged(ProcessorStateException why) {
        return isExactlyOnce && !isGlobal() ? corrupted(why) : why;
    }

    private TaskCorruptedException corrupted(ProcessorStateException why) {
        return new TaskCorruptedException(Set.of(task), why);
    }

    private void checkOtherEngine(Path directory, StoreErrors errors) {
        Path rocks = taskDirectory.resolve("rocksdb").resolve(name);
        if (Files.exists(rocks)) {
            throw new StoreErrors(name, taskDirectory)
                    .foreign("RocksDB has written the state of this store, in " + rocks);
        }
        if (Files.exists(directory.resolve("CURRENT")) || hasDirectory(directory)) {
            throw errors.foreign("it has files of RocksDB");
        }
    }

    /** Kafka keeps the segments of window stores in directories below that of the store. */
    private static boolean hasDirectory(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (var files = Files.newDirectoryStream(directory, Files::isDirectory)) {
            return files.iterator().hasNext();
        } catch (IOException e) {
            throw new ProcessorStateException("cannot list " + directory + ": " + e.getMessage(), e);
        }
    }
}
