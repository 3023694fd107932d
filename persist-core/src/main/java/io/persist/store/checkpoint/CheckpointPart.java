package io.persist.store.checkpoint;

import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.node.Node;
import io.persist.index.node.NodeSet;
import io.persist.index.read.TreeState;
import io.persist.store.state.SegmentBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A checkpoint's file that is open. When it is opened the header, the footer and the directory are verified; a node is
 * verified when it is read.
 *
 * <p>No number in the file is believed before it is bounded by the file's length.
 *
 * <p><b>Threads:</b> any may {@link #read}; one at a time opens and closes.
 */
final class CheckpointPart implements AutoCloseable {

    private final StorageFile file;
    private final String name;
    private final CheckpointHeader header;
    private final long length;
    private final CheckpointFooter footer;
    private final ByteBuffer directory;
    private final byte[] bytes = new byte[CheckpointDirectory.NODE_LENGTH];

    /** How many chains have it. */
    private int holders = 1;

    private CheckpointPart(
            StorageFile file, CheckpointHeader header, long length, CheckpointFooter footer, byte[] directory) {
        this.file = file;
        this.name = CheckpointName.of(header.position());
        this.header = header;
        this.length = length;
        this.footer = footer;
        this.directory = ByteBuffer.wrap(directory).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads the header of the checkpoint at {@code position}.
     *
     * @throws io.persist.error.CorruptLogException if it is damaged
     * @throws io.persist.error.UnsupportedFormatException if another version wrote it
     */
    static CheckpointHeader header(Storage storage, long position) throws IOException {
        try (StorageFile file = storage.open(CheckpointName.of(position), Storage.Access.READ)) {
            return header(file, position);
        }
    }

    private static CheckpointHeader header(StorageFile file, long position) throws IOException {
        byte[] start = new byte[CheckpointHeader.LENGTH];
        int read = file.readFully(0, start, 0, start.length);
        return CheckpointHeader.decode(Arrays.copyOf(start, read), CheckpointName.of(position), position);
    }

    /** Opens the checkpoint at {@code position}; throws as {@link #header} does. */
    static CheckpointPart open(Storage storage, long position) throws IOException {
        String name = CheckpointName.of(position);
        try (Opening opening = new Opening()) {
            StorageFile file = opening.add(storage.open(name, Storage.Access.READ), StorageFile::close);
            CheckpointHeader header = header(file, position);
            long length = file.length();
            if (length < CheckpointDirectory.NODES_OFFSET + CheckpointFooter.LENGTH) {
                throw CheckpointHeader.damaged(name, length, "the checkpoint has no footer");
            }
            checkZeros(file, name);
            byte[] end = new byte[CheckpointFooter.LENGTH];
            long directoryEnd = length - end.length;
            readAll(file, name, directoryEnd, end);
            CheckpointFooter footer = CheckpointFooter.decode(end, name, length, header.salt());
            byte[] directory = new byte[Math.toIntExact(footer.directoryLength())];
            readAll(file, name, directoryEnd - directory.length, directory);
            if (CheckpointDirectory.checksum(directory, header.salt()) != footer.directoryChecksum()) {
                throw CheckpointHeader.damaged(
                        name, directoryEnd - directory.length, "wrong checksum of the checkpoint's directory");
            }
            return opening.done(new CheckpointPart(file, header, length, footer, directory));
        }
    }

    /** Between the header and the first node; so no byte of the file can change without being noticed. */
    private static void checkZeros(StorageFile file, String name) throws IOException {
        byte[] zeros = new byte[CheckpointDirectory.NODES_OFFSET - CheckpointHeader.LENGTH];
        readAll(file, name, CheckpointHeader.LENGTH, zeros);
        for (int i = 0; i < zeros.length; i++) {
            if (zeros[i] != 0) {
                throw CheckpointHeader.damaged(
                        name, CheckpointHeader.LENGTH + i, "a byte that is not 0 after the checkpoint's header");
            }
        }
    }

    private static void readAll(StorageFile file, String name, long offset, byte[] target) throws IOException {
        if (file.readFully(offset, target, 0, target.length) < target.length) {
            throw CheckpointHeader.damaged(name, offset, "the checkpoint ends too early");
        }
    }

    String name() {
        return name;
    }

    CheckpointHeader header() {
        return header;
    }

    /** The file's length in bytes. */
    long length() {
        return length;
    }

    /** How many nodes the file has. */
    int nodes() {
        return footer.nodes();
    }

    int id(int number) {
        return directory.getInt(number * CheckpointDirectory.ENTRY_LENGTH);
    }

    private int checksum(int number) {
        return directory.getInt(number * CheckpointDirectory.ENTRY_LENGTH + Integer.BYTES);
    }

    /** Is above all ids of the tree. */
    int idLimit() {
        return footer.idLimit();
    }

    TreeState tree() {
        return new TreeState(footer.root(), footer.height(), footer.keys(), footer.version());
    }

    /** The nodes of the tree. */
    NodeSet live() {
        long[] words = new long[footer.words()];
        directory
                .slice(footer.nodes() * CheckpointDirectory.ENTRY_LENGTH, words.length * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(words);
        return new NodeSet(words);
    }

    /** How much of each segment the tree's values take. */
    SegmentBytes segments() {
        long[] bases = new long[footer.segments()];
        long[] live = new long[bases.length];
        int at = Math.toIntExact(CheckpointDirectory.length(footer.nodes(), footer.words(), 0));
        for (int i = 0; i < bases.length; i++, at += CheckpointDirectory.SEGMENT_LENGTH) {
            bases[i] = directory.getLong(at);
            live[i] = directory.getLong(at + Long.BYTES);
        }
        return new SegmentBytes(bases, live);
    }

    /**
     * Puts a node at index {@code at} of {@code target}.
     *
     * @param number of the node in the directory
     * @throws io.persist.error.CorruptLogException if it is damaged
     * @throws IOException if it cannot be read, or if the last chain that had it is closed
     */
    synchronized void read(int number, ByteBuffer target, int at) throws IOException {
        if (holders == 0) {
            throw new IOException("it is closed");
        }
        long offset = CheckpointDirectory.nodeOffset(number);
        readAll(file, name, offset, bytes);
        int checksum = CheckpointDirectory.nodeChecksum(ByteBuffer.wrap(bytes), 0, header.salt(), id(number));
        if (checksum != checksum(number)) {
            throw CheckpointHeader.damaged(name, offset, "wrong checksum of node " + id(number));
        }
        target.put(at, bytes); // only what is whole
    }

    /** Reads all nodes of this file, those too that a later one has anew; throws as {@link #read} does. */
    void verify() throws IOException {
        ByteBuffer node = Node.newBuffer();
        for (int number = 0; number < nodes(); number++) {
            read(number, node, 0);
        }
    }

    /** One chain more has it, and closes it. */
    synchronized void share() {
        holders++;
    }

    /** The last chain that has it closes the file. */
    @Override
    public synchronized void close() {
        if (--holders == 0) {
            file.close();
        }
    }
}
