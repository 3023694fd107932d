package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.format.SegmentName;
import io.persist.log.thread.Pace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints in a directory, which may be the log's. Two are kept: if the newest one is damaged, recovery uses the
 * one before it.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #list}, {@link #open} and {@link #length}.
 */
public final class Checkpoints implements AutoCloseable {

    private static final int KEPT = 2;

    private final Storage storage;
    private final SecureRandom random = new SecureRandom();
    private @Nullable WriterLock lock;

    /** The checkpoints in {@code storage}. */
    public Checkpoints(Storage storage) {
        this.storage = storage;
    }

    /**
     * Becomes the only writer of checkpoints here, for a directory that the log's lock does not cover.
     *
     * @throws LogLockedException if another store writes them
     */
    public void lock() throws IOException {
        lock = storage.tryLock(CheckpointName.LOCK);
        if (lock == null) {
            throw new LogLockedException("checkpoint directory is in use by another store: directory="
                    + storage.description() + "; give each store one of its own, or close that store first");
        }
    }

    /**
     * Looks at the checkpoints without changing anything.
     *
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote one
     */
    public void checkFormat() throws IOException {
        for (long position : list()) {
            try {
                open(position).close();
            } catch (CorruptLogException | FileNotFoundException e) {
                // The loader says so; or the store that has it open took it away, which the lock will tell.
            }
        }
    }

    /** The positions of the checkpoints, newest first. What is in them is not looked at. */
    public List<Long> list() throws IOException {
        return storage.list().stream()
                .map(CheckpointName::position)
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** Opens the checkpoint at {@code position}, as {@link CheckpointReader#open} does. */
    CheckpointReader open(long position) throws IOException {
        return CheckpointReader.open(storage, position);
    }

    /** Bytes of the checkpoint at {@code position}. */
    long length(long position) throws IOException {
        try (StorageFile file = storage.open(CheckpointName.of(position), Storage.Access.READ)) {
            return file.length();
        }
    }

    /**
     * Begins a checkpoint; only when no other one is being written, whose leftovers it deletes.
     *
     * @param logId of the log
     * @param position where in the log replay goes on
     * @param sequence the number of the last record before it
     */
    CheckpointWriter create(long logId, long position, long sequence, Pace pace) throws IOException {
        deleteTemporaries();
        long now = System.currentTimeMillis();
        CheckpointHeader header = new CheckpointHeader(logId, position, sequence, random.nextLong(), now);
        return CheckpointWriter.create(storage, header, pace);
    }

    /**
     * Deletes all but the two newest checkpoints. A damaged one counts; the store that finds it {@linkplain #delete
     * deletes} it. After a power cut deleted ones may be back, which does no harm.
     */
    void deleteOlder() throws IOException {
        List<Long> newestFirst = list();
        for (long position : newestFirst.subList(Math.min(KEPT, newestFirst.size()), newestFirst.size())) {
            delete(position);
        }
    }

    /** Deletes the checkpoint at {@code position}, for one that is damaged or does not fit the log. */
    void delete(long position) throws IOException {
        storage.delete(CheckpointName.of(position));
    }

    /** Renames a checkpoint that is damaged, or does not fit the log, so that it is not taken for a checkpoint. */
    public void setAside(long position) throws IOException {
        String name = CheckpointName.of(position);
        storage.rename(name, name + SegmentName.ASIDE_SUFFIX);
        storage.syncDirectory();
    }

    /** Deletes what a checkpoint that was interrupted has left; only when none is being written. */
    public void deleteTemporaries() throws IOException {
        for (String name : storage.list()) {
            if (CheckpointName.isTemporary(name)) {
                storage.delete(name);
            }
        }
    }

    /** Gives the directory back, if it was locked. */
    @Override
    public void close() {
        if (lock != null) {
            lock.close();
        }
    }
}
