package io.persist.store.checkpoint;

import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.CheckpointBlock;
import io.persist.format.CheckpointEntry;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import io.persist.log.thread.Pace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes one checkpoint. It gets its name only when it is whole and on the device. Before that it is a temporary file,
 * and a failure leaves the older checkpoints untouched.
 *
 * <p>A checkpoint must not refer to anything that the log may lose: before {@link #finish} the caller has to sync the
 * log up to the header's position and to the end of each value.
 *
 * <p><b>Threads:</b> one at a time. An interrupt does no harm. <b>Durability:</b> the checkpoint survives a power cut
 * when {@link #finish} returns. <b>Allocation:</b> none per entry.
 */
final class CheckpointWriter implements AutoCloseable {

    /** Synced in between, so that the sync at the end is no burst which the log's own syncs have to wait for. */
    static final int SYNC_LENGTH = 4 << 20;

    private enum State {
        OPEN,
        /** Something is being written, or was and failed. */
        BROKEN,
        /** It has its name, or was discarded. */
        ENDED
    }

    private final Storage storage;
    private final CheckpointHeader header;
    private final StorageFile file;
    private final Pace pace;
    private final ByteBuffer block =
            ByteBuffer.allocate(CheckpointBlock.MAX_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final byte[] lastKey = new byte[CheckpointEntry.MAX_KEY_LENGTH];

    private State state = State.OPEN;
    private int lastKeyLength;
    private int index = CheckpointBlock.HEADER_LENGTH;
    private int entriesInBlock;
    private long totalEntries;
    private long totalBlocks;
    private long fileLength;
    private int unsyncedLength;

    private CheckpointWriter(Storage storage, CheckpointHeader header, StorageFile file, Pace pace) {
        this.storage = storage;
        this.header = header;
        this.file = file;
        this.pace = pace;
    }

    /**
     * Begins a checkpoint. One at the same position is replaced when this one is finished.
     *
     * @param pace told after each block; it may wait, and what it throws ends the checkpoint
     */
    static CheckpointWriter create(Storage storage, CheckpointHeader header, Pace pace) throws IOException {
        StorageFile file = storage.create(CheckpointName.temporary(header.position()));
        try (Opening opening = new Opening()) {
            CheckpointWriter writer =
                    opening.add(new CheckpointWriter(storage, header, file, pace), CheckpointWriter::close);
            writer.write(header.encode(), CheckpointHeader.LENGTH);
            return opening.done(writer);
        }
    }

    /**
     * Adds a key and where its value is.
     *
     * @param key 1 to 1024 bytes; compared as unsigned bytes it is above the one that was added before it
     * @param position of the entry in the log that has the value
     * @param length of the value
     * @throws IOException if a block could not be written, or the pace ended the checkpoint; it can only be closed then
     */
    void add(byte[] key, int keyLength, long position, int length) throws IOException {
        checkOpen();
        checkEntry(key, keyLength, position, length);
        int shared = CheckpointEntry.shared(lastKey, lastKeyLength, key, keyLength);
        checkAscending(key, keyLength, shared);
        if (index + CheckpointEntry.HEADER_LENGTH + keyLength - shared > CheckpointBlock.MAX_LENGTH) {
            writeBlock();
        }
        int used = entriesInBlock == 0 ? 0 : shared;
        index = CheckpointEntry.put(block, index, key, keyLength, used, position, length);
        entriesInBlock++;
        System.arraycopy(key, shared, lastKey, shared, keyLength - shared);
        lastKeyLength = keyLength;
    }

    private static void checkEntry(byte[] key, int keyLength, long position, int length) {
        if (keyLength < 1 || keyLength > CheckpointEntry.MAX_KEY_LENGTH || keyLength > key.length) {
            throw new IllegalArgumentException("keyLength=" + keyLength + " is not 1 to "
                    + CheckpointEntry.MAX_KEY_LENGTH + ", or above " + key.length + ", the length of the array");
        }
        if (position < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "position=" + position + " and length=" + length + " must not be negative");
        }
    }

    private void checkAscending(byte[] key, int keyLength, int shared) {
        boolean ascends = shared < keyLength
                && (shared == lastKeyLength || Byte.compareUnsigned(lastKey[shared], key[shared]) < 0);
        if (!ascends) {
            throw new IllegalArgumentException("entry=" + (totalEntries + entriesInBlock + 1)
                    + " has a key that is not above the one before; add them in ascending order");
        }
    }

    private void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("checkpoint has failed or ended, position=" + header.position()
                    + "; close it and begin another one");
        }
    }

    private void writeBlock() throws IOException {
        CheckpointBlock.putHeader(block, index, entriesInBlock, header.salt(), totalBlocks);
        write(block.array(), index);
        totalEntries += entriesInBlock;
        totalBlocks++;
        index = CheckpointBlock.HEADER_LENGTH;
        entriesInBlock = 0;
    }

    private void write(byte[] bytes, int length) throws IOException {
        state = State.BROKEN; // until all of it is done
        file.write(fileLength, bytes, 0, length, WriteThrough.NONE);
        fileLength += length;
        unsyncedLength += length;
        if (unsyncedLength >= SYNC_LENGTH) {
            file.sync();
            unsyncedLength = 0;
        }
        pace.spend(length);
        state = State.OPEN;
    }

    /**
     * Makes what was added a checkpoint; returns its length in bytes when it is durable.
     *
     * @throws IOException if that failed. If it was the last step, the sync of the directory, the checkpoint is there
     *     and whole, but may be gone after a power cut; so the caller must not count on it
     */
    long finish() throws IOException {
        checkOpen();
        if (entriesInBlock > 0) {
            writeBlock();
        }
        CheckpointBlock.putFooter(block, totalEntries, totalBlocks, header.salt());
        write(block.array(), CheckpointBlock.FOOTER_LENGTH);
        state = State.BROKEN;
        file.sync();
        file.close();
        storage.rename(CheckpointName.temporary(header.position()), CheckpointName.of(header.position()));
        state = State.ENDED;
        storage.syncDirectory();
        return fileLength;
    }

    /** Discards a checkpoint that was not finished. */
    @Override
    public void close() {
        file.close();
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        try {
            storage.delete(CheckpointName.temporary(header.position()));
        } catch (IOException ignored) {
            // It is worthless as it is, and the next checkpoint or the next opening takes it away.
        }
    }
}
