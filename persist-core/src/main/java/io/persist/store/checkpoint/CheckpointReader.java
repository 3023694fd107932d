package io.persist.store.checkpoint;

import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.CheckpointBlock;
import io.persist.format.CheckpointEntry;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads one checkpoint from its start to its end and verifies all of it. A block is verified before its first entry is
 * shown, so each entry that is shown is one that was written. But only the footer tells that no entry is missing: the
 * loader of a checkpoint throws everything away if {@link #next} throws before it has returned false.
 *
 * <p>No length in the file is believed before it is bounded, and the memory that is used does not depend on the file.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> a small object per block, none per entry.
 */
final class CheckpointReader implements AutoCloseable {

    private static final int BUFFER_LENGTH = 4 * CheckpointBlock.MAX_LENGTH;

    private final StorageFile file;
    private final String name;
    private final CheckpointHeader header;
    private final byte[] bytes = new byte[BUFFER_LENGTH];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

    /** Where in the file the buffer begins. */
    private long bufferOffset = CheckpointHeader.LENGTH;

    /** What is read next, as an index of the buffer; only moved over what is good, so what is bad is found again. */
    private int index;

    private int limit;
    private int blockEnd;
    private int entriesLeft;
    private boolean isFirstOfBlock;
    private boolean isAtEnd;
    private long totalBlocks;
    private long totalEntries;

    private final byte[] key = new byte[CheckpointEntry.MAX_KEY_LENGTH];
    private int keyLength;
    private long position;
    private int length;

    private CheckpointReader(StorageFile file, String name, CheckpointHeader header) {
        this.file = file;
        this.name = name;
        this.header = header;
    }

    /**
     * Opens the checkpoint at {@code position} and checks its header.
     *
     * @throws io.persist.error.CorruptLogException if it is damaged
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    static CheckpointReader open(Storage storage, long position) throws IOException {
        String name = CheckpointName.of(position);
        try (Opening opening = new Opening()) {
            StorageFile file = opening.add(storage.open(name, Storage.Access.READ), StorageFile::close);
            byte[] start = new byte[CheckpointHeader.LENGTH];
            int read = read(file, 0, start, 0);
            CheckpointHeader header = CheckpointHeader.decode(Arrays.copyOf(start, read), name, position);
            return opening.done(new CheckpointReader(file, name, header));
        }
    }

    /** Reads from {@code offset} of the file to {@code from} until the target or the file ends; returns where. */
    private static int read(StorageFile file, long offset, byte[] target, int from) throws IOException {
        int end = from;
        while (end < target.length) {
            int read = file.read(offset + end - from, target, end, target.length - end);
            if (read == 0) {
                break;
            }
            end += read;
        }
        return end;
    }

    CheckpointHeader header() {
        return header;
    }

    /**
     * Goes to the next entry; false if there is none, and then the checkpoint was whole.
     *
     * @throws io.persist.error.CorruptLogException if the file is damaged, or ends without its footer; each later call
     *     throws it again
     */
    boolean next() throws IOException {
        while (entriesLeft == 0) {
            if (isAtEnd) {
                return false;
            }
            nextBlock();
        }
        readEntry();
        return true;
    }

    private void nextBlock() throws IOException {
        require(index == blockEnd, "the block before has bytes behind its entries");
        require(fill(CheckpointBlock.HEADER_LENGTH) >= CheckpointBlock.HEADER_LENGTH, "the checkpoint has no footer");
        int blockLength = buffer.getInt(index + CheckpointBlock.LENGTH_OFFSET);
        require(
                blockLength > CheckpointBlock.HEADER_LENGTH && blockLength <= CheckpointBlock.MAX_LENGTH,
                "impossible length of a block: " + blockLength);
        require(fill(blockLength) >= blockLength, "the checkpoint ends within a block");
        int checksum = CheckpointBlock.checksum(bytes, index, blockLength, header.salt(), totalBlocks);
        require(
                buffer.getInt(index + CheckpointBlock.CHECKSUM_OFFSET) == checksum,
                "wrong checksum of block " + totalBlocks);
        int entries = buffer.getInt(index + CheckpointBlock.ENTRIES_OFFSET);
        require(entries >= 0, "impossible number of entries: " + entries);
        if (entries == 0) {
            readFooter(blockLength);
        } else {
            blockEnd = index + blockLength;
            index += CheckpointBlock.HEADER_LENGTH;
            entriesLeft = entries;
            isFirstOfBlock = true;
            totalBlocks++;
        }
    }

    private void readFooter(int footerLength) throws IOException {
        require(footerLength == CheckpointBlock.FOOTER_LENGTH, "impossible length of the footer: " + footerLength);
        long entries = buffer.getLong(index + CheckpointBlock.TOTAL_ENTRIES_OFFSET);
        long blocks = buffer.getLong(index + CheckpointBlock.TOTAL_BLOCKS_OFFSET);
        require(
                entries == totalEntries && blocks == totalBlocks,
                "the footer tells of " + entries + " entries in " + blocks + " blocks, but there are " + totalEntries
                        + " in " + totalBlocks);
        require(fill(footerLength + 1) == footerLength, "the checkpoint goes on behind its footer");
        isAtEnd = true;
    }

    /** Tries to have {@code wanted} bytes from the index on in the buffer; returns how many there are. */
    private int fill(int wanted) throws IOException {
        if (limit - index < wanted) {
            System.arraycopy(bytes, index, bytes, 0, limit - index);
            bufferOffset += index;
            limit -= index;
            index = 0;
            blockEnd = 0;
            limit = read(file, bufferOffset + limit, bytes, limit);
        }
        return limit - index;
    }

    private void readEntry() {
        int suffixIndex = index + CheckpointEntry.HEADER_LENGTH;
        require(suffixIndex <= blockEnd, "an entry goes beyond its block");
        int shared = Short.toUnsignedInt(buffer.getShort(index + CheckpointEntry.SHARED_OFFSET));
        int suffixLength = Short.toUnsignedInt(buffer.getShort(index + CheckpointEntry.SUFFIX_LENGTH_OFFSET));
        require(suffixLength <= blockEnd - suffixIndex, "a key goes beyond its block");
        require(
                shared <= (isFirstOfBlock ? 0 : keyLength) && shared + suffixLength <= CheckpointEntry.MAX_KEY_LENGTH,
                "impossible length of a key");
        require(ascends(shared, suffixIndex, suffixLength), "a key is not above the one before");
        long entryPosition = buffer.getLong(index + CheckpointEntry.POSITION_OFFSET);
        int entryLength = buffer.getInt(index + CheckpointEntry.LENGTH_OFFSET);
        require(entryPosition >= 0 && entryLength >= 0, "impossible place of a value");
        System.arraycopy(bytes, suffixIndex, key, shared, suffixLength);
        keyLength = shared + suffixLength;
        position = entryPosition;
        length = entryLength;
        index = suffixIndex + suffixLength;
        isFirstOfBlock = false;
        entriesLeft--;
        totalEntries++;
    }

    private boolean ascends(int shared, int suffixIndex, int suffixLength) {
        if (isFirstOfBlock) {
            return Arrays.compareUnsigned(key, 0, keyLength, bytes, suffixIndex, suffixIndex + suffixLength) < 0;
        }
        return suffixLength > 0 && (shared == keyLength || Byte.compareUnsigned(key[shared], bytes[suffixIndex]) < 0);
    }

    private void require(boolean isGood, String what) {
        if (!isGood) {
            throw CheckpointHeader.damaged(name, bufferOffset + index, what);
        }
    }

    /** The entry's key, in the first {@link #keyLength} bytes of an array that {@link #next} changes. */
    byte[] key() {
        return key;
    }

    int keyLength() {
        return keyLength;
    }

    /** Where in the log the entry that has the value begins. */
    long position() {
        return position;
    }

    /** The length of the entry's value. */
    int length() {
        return length;
    }

    /** How many entries there have been. */
    long entries() {
        return totalEntries;
    }

    @Override
    public void close() {
        file.close();
    }
}
