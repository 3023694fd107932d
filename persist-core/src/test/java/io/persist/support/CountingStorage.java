package io.persist.support;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A storage on top of another one that notes what is read of segments, by files and not by mappings, and how often a
 * checkpoint is opened.
 */
public final class CountingStorage implements ForwardingStorage {

    /** A read of {@code length} bytes at {@code position} of the log. */
    public record Read(long position, int length, Thread thread) {}

    private final Storage storage;
    private final List<Read> reads = new ArrayList<>();
    private boolean fails;
    private int opens;
    private int open;
    private int checkpointOpens;

    public CountingStorage(Storage storage) {
        this.storage = storage;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    /** The reads since it was last asked; none is of a segment's header. */
    public synchronized List<Read> reads() {
        List<Read> since = List.copyOf(reads);
        reads.clear();
        return since;
    }

    /** How often a segment was opened for reading. */
    public synchronized int opens() {
        return opens;
    }

    /** How many of those are open. */
    public synchronized int open() {
        return open;
    }

    /** How often a checkpoint was opened for reading. */
    public synchronized int checkpointOpens() {
        return checkpointOpens;
    }

    /** From now on the device cannot read. */
    public synchronized void fail() {
        fails = true;
    }

    /** It can again. */
    public synchronized void mend() {
        fails = false;
    }

    private synchronized void note(long position, int length) throws IOException {
        reads.add(new Read(position, length, Thread.currentThread()));
        if (fails) {
            throw new IOException("Input/output error");
        }
    }

    private synchronized void noteCheckpoint() {
        checkpointOpens++;
    }

    private synchronized void noteOpen(int more) {
        opens += Math.max(0, more);
        open += more;
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        StorageFile file = storage.open(name, access);
        if (access == Access.READ && CheckpointName.position(name).isPresent()) {
            noteCheckpoint();
        }
        if (access == Access.WRITE || LogFileName.basePosition(name).isEmpty()) {
            return file;
        }
        noteOpen(1);
        return new Counted(file, LogFileName.basePosition(name).getAsLong());
    }

    /** Without opening the file, as a directory does it. */
    @Override
    public long length(String name) throws IOException {
        return storage.length(name);
    }

    private final class Counted implements ForwardingFile {

        private final StorageFile file;
        private final long base;

        Counted(StorageFile file, long base) {
            this.file = file;
            this.base = base;
        }

        @Override
        public StorageFile file() {
            return file;
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            if (offset > 0) {
                note(base + offset, length);
            }
            return file.read(offset, target, from, length);
        }

        @Override
        public void close() {
            noteOpen(-1);
            file.close();
        }
    }
}
