package io.persist.store.checkpoint;

import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage;
import io.persist.index.node.Node;
import io.persist.index.read.TreeState;
import io.persist.log.thread.Pace;
import io.persist.store.state.SegmentBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes one checkpoint. It gets its name only when it is whole and on the device. Before that it is a temporary file,
 * and a failure leaves the older checkpoints untouched.
 *
 * <p>A checkpoint that says more than the log has would be wrong: before {@link #finish} the caller has synced the log
 * up to the header's position.
 *
 * <p><b>Threads:</b> one at a time. An interrupt harms nothing. <b>Durability:</b> when {@link #finish} returns.
 * <b>Allocation:</b> 8 bytes per node, and the directory.
 */
final class CheckpointWriter implements AutoCloseable {

    /** Synced in between, so that the sync at the end is no burst which the log's own syncs have to wait for. */
    static final int SYNC_LENGTH = 4 << 20;

    /** Nodes that are written at once. */
    static final int BATCH = 32;

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
    private final ByteBuffer batch =
            ByteBuffer.allocate(BATCH * CheckpointDirectory.NODE_LENGTH).order(ByteOrder.LITTLE_ENDIAN);

    /** Of each node its id and its checksum. */
    private ByteBuffer entries = ByteBuffer.allocate(0);

    private State state = State.OPEN;
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
     * @param pace told after each write; it may wait, and what it throws ends the checkpoint
     */
    static CheckpointWriter create(Storage storage, CheckpointHeader header, Pace pace) throws IOException {
        StorageFile file = storage.create(CheckpointName.temporary(header.position()));
        try (Opening opening = new Opening()) {
            CheckpointWriter writer =
                    opening.add(new CheckpointWriter(storage, header, file, pace), CheckpointWriter::close);
            byte[] page = new byte[CheckpointDirectory.NODES_OFFSET];
            System.arraycopy(header.encode(), 0, page, 0, CheckpointHeader.LENGTH);
            writer.write(page, page.length);
            return opening.done(writer);
        }
    }

    /**
     * Writes the nodes of an image.
     *
     * @throws IOException if they could not be written, or the pace ended the checkpoint; it can only be closed then
     * @throws io.persist.error.CorruptLogException if a node that was not in memory is damaged
     */
    void add(IndexImage image) throws IOException {
        checkOpen();
        entries = ByteBuffer.allocate(Math.multiplyExact(image.count(), CheckpointDirectory.ENTRY_LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN);
        int length = 0;
        for (int id = image.next(0); id != Node.NONE; id = image.next(id + 1)) {
            image.copy(id, batch, length);
            entries.putInt(id).putInt(CheckpointDirectory.nodeChecksum(batch, length, header.salt(), id));
            length += CheckpointDirectory.NODE_LENGTH;
            if (length == batch.capacity()) {
                write(batch.array(), length);
                length = 0;
            }
        }
        if (length > 0) {
            write(batch.array(), length);
        }
    }

    private void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("checkpoint has failed or ended, position=" + header.position()
                    + "; close it and begin another one");
        }
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
     * @param image the one that was added; it may be closed
     * @param live how much of each segment the tree's values take
     * @throws IOException if that failed. If it was the last step, the sync of the directory, the checkpoint is there
     *     and whole, but may be gone after a power cut; so the caller must not count on it
     */
    long finish(IndexImage image, SegmentBytes live) throws IOException {
        checkOpen();
        long[] words = image.nodes().words(image.idLimit());
        byte[] directory = directory(words, live);
        TreeState tree = image.state();
        CheckpointFooter footer = new CheckpointFooter(
                entries.capacity() / CheckpointDirectory.ENTRY_LENGTH,
                words.length,
                live.count(),
                tree.root(),
                tree.height(),
                image.idLimit(),
                tree.size(),
                tree.version(),
                CheckpointDirectory.checksum(directory, header.salt()));
        write(directory, directory.length);
        write(footer.encode(header.salt()), CheckpointFooter.LENGTH);
        state = State.BROKEN;
        file.sync();
        file.close();
        storage.rename(CheckpointName.temporary(header.position()), CheckpointName.of(header.position()));
        state = State.ENDED;
        storage.syncDirectory();
        return fileLength;
    }

    private byte[] directory(long[] words, SegmentBytes live) {
        long length = CheckpointDirectory.length(
                entries.capacity() / CheckpointDirectory.ENTRY_LENGTH, words.length, live.count());
        ByteBuffer directory = ByteBuffer.allocate(Math.toIntExact(length)).order(ByteOrder.LITTLE_ENDIAN);
        directory.put(entries.array());
        for (long word : words) {
            directory.putLong(word);
        }
        for (int i = 0; i < live.count(); i++) {
            directory.putLong(live.base(i)).putLong(live.bytes(i));
        }
        return directory.array();
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
