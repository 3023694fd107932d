package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.Notices;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.file.disk.ShellWord;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.node.NodeSource;
import io.persist.log.thread.Pace;
import io.persist.store.checkpoint.CheckpointChain.DamageListener;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints in a directory, which may be the log's. One that has all nodes and those that build on it are a
 * chain. Two chains are kept: should something in the newer one be damaged, the log still goes on from the end of the
 * one before it.
 *
 * <p><b>Threads:</b> one at a time, but for {@link #list}, {@link #header}, {@link #open}, {@link #length}, {@link
 * #setAside} and {@link #trySetAside}.
 */
public final class Checkpoints implements AutoCloseable {

    private final Storage storage;
    private final SecureRandom random = new SecureRandom();
    private @Nullable WriterLock lock;

    /** The checkpoints in {@code storage}. */
    public Checkpoints(Storage storage) {
        this.storage = storage;
    }

    /**
     * Becomes the only writer of checkpoints here.
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
     * @throws UnsupportedFormatException if a newer version wrote one
     */
    public void checkFormat() throws IOException {
        for (long position : list()) {
            try {
                header(position);
            } catch (CorruptLogException | FileNotFoundException e) {
                // The loader says so; or the store that has it open took it away, which the lock will tell.
            }
        }
    }

    /** Where they are, for people. */
    String description() {
        return storage.description();
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

    /** The header of the checkpoint at {@code position}; throws as {@link CheckpointPart#header} does. */
    CheckpointHeader header(long position) throws IOException {
        return CheckpointPart.header(storage, position);
    }

    /** Opens the checkpoint at {@code position} and those that it builds on, as {@link CheckpointChain#open} does. */
    CheckpointChain open(long position, DamageListener listener) throws IOException {
        return CheckpointChain.open(storage, position, listener);
    }

    /** The same; files that {@code former} has open already are not opened again. Both have to be closed. */
    CheckpointChain open(long position, DamageListener listener, NodeSource former) throws IOException {
        CheckpointChain chain = former instanceof CheckpointChain before ? before.with(storage, position) : null;
        return chain != null ? chain : open(position, listener);
    }

    /** Bytes of the file of the checkpoint at {@code position}. */
    long length(long position) throws IOException {
        try (StorageFile file = storage.open(CheckpointName.of(position), Storage.Access.READ)) {
            return file.length();
        }
    }

    /** Bytes of the files of all of them. */
    long bytes() throws IOException {
        long bytes = 0;
        for (long position : list()) {
            bytes += length(position);
        }
        return bytes;
    }

    /**
     * The header of a new checkpoint.
     *
     * @param logId of the log
     * @param position where in the log replay goes on
     * @param sequence the number of the last record before it
     * @param chain on which it builds; null if it has all nodes
     */
    CheckpointHeader header(long logId, long position, long sequence, @Nullable ChainSummary chain) {
        return new CheckpointHeader(
                logId,
                position,
                sequence,
                random.nextLong(),
                System.currentTimeMillis(),
                chain == null ? CheckpointHeader.NONE : chain.header().position(),
                chain == null ? 0 : chain.header().salt());
    }

    /** Begins a checkpoint; only when no other one is being written, whose leftovers it deletes. */
    CheckpointWriter create(CheckpointHeader header, Pace pace) throws IOException {
        deleteTemporaries();
        return CheckpointWriter.create(storage, header, pace);
    }

    /**
     * Deletes what lies below two chains: the newest one, and that of the {@link #fallback}. Between them there may be
     * checkpoints that nobody counts on, since the directory could not be synced behind them; they go later. After a
     * power cut some may be back, which does no harm. Those of other logs than {@code logId} are left alone.
     */
    void deleteOlder(long logId) throws IOException {
        Chains chains = Chains.ofLog(this, logId);
        long fallback = chains.fallback();
        if (fallback == 0) {
            return;
        }
        long keep = Math.min(chains.begin(fallback), chains.begin(chains.newest()));
        for (long position : chains.positions()) {
            if (position < keep) {
                delete(position);
            }
        }
    }

    /**
     * The position of the newest checkpoint of the log {@code logId} that has a good header, lacks nothing that it
     * builds on, and shares nothing with the newest chain, 0 if there is none: should something of the newest chain be
     * damaged, replay begins there.
     */
    long fallback(long logId) throws IOException {
        return Chains.ofLog(this, logId).fallback();
    }

    /** Whether the checkpoint at {@code position} is there, and all that it builds on, as far as their headers tell. */
    boolean isWhole(long position) throws IOException {
        return Chains.of(this).isWhole(position);
    }

    /** The command that moves the checkpoints in {@code from} to another directory, as a shell takes it. */
    public static String moving(Storage from, String to) {
        return "mv " + ShellWord.of(from.description()) + "/" + CheckpointName.PREFIX + "*" + CheckpointName.SUFFIX
                + " " + to;
    }

    /**
     * The command that moves the checkpoints in {@code other} here; empty if none of them fits that is not here too. A
     * restored backup has them beside the log, as has what compacted the store by hand and was not told of this place.
     */
    String moveFrom(Storage other, CheckpointFit fit) throws IOException {
        Checkpoints there = new Checkpoints(other);
        List<Long> here = list();
        for (long position : there.list()) {
            CheckpointHeader header = here.contains(position) ? null : there.headerIfGood(position);
            if (header != null && fit.ofHeader(position, header.logId()).isUsed()) {
                return moving(other, ShellWord.of(storage.description()));
            }
        }
        return "";
    }

    /** The header if it can be read; null also if the file was set aside since it was listed. */
    @Nullable
    CheckpointHeader headerIfGood(long position) throws IOException {
        try {
            return header(position);
        } catch (CorruptLogException | UnsupportedFormatException | FileNotFoundException e) {
            return null;
        }
    }

    /** Deletes the checkpoint at {@code position}, for one that is damaged or does not fit the log. */
    void delete(long position) throws IOException {
        storage.delete(CheckpointName.of(position));
    }

    /**
     * Gives a checkpoint that is damaged, or does not fit the log, a name that no checkpoint has. False if another
     * thread that found it out has done it.
     */
    public boolean setAside(long position) throws IOException {
        String name = CheckpointName.of(position);
        boolean isThere = storage.list().contains(name);
        if (isThere) {
            storage.rename(name, name + LogFileName.ASIDE_SUFFIX);
            storage.syncDirectory();
        }
        return isThere;
    }

    /** The same as far as it is possible: one that is found out to be damaged is not to be found again. */
    public void trySetAside(long position) {
        try {
            if (setAside(position)) {
                Notices.setAside(storage.description(), CheckpointName.of(position) + LogFileName.ASIDE_SUFFIX);
            }
        } catch (IOException e) {
            // Whoever opens the store next finds it out again.
        }
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
