package io.persist.tool.salvage;

import io.persist.file.Mapping;
import io.persist.file.StorageFile;
import io.persist.tool.salvage.ReadableStorage.Unreadable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A file of a {@link ReadableStorage}. */
final class ReadableFile implements StorageFile {

    private static final int CHUNK_LENGTH = 64 << 10;

    private final ReadableStorage storage;
    private final String name;
    private final StorageFile file;

    /** Up to here it is read by single blocks: each try at a bad one may take the disk seconds. */
    private long byBlocksUpTo;

    ReadableFile(ReadableStorage storage, String name, StorageFile file) {
        this.storage = storage;
        this.name = name;
        this.file = file;
    }

    @Override
    public long length() throws IOException {
        return file.length();
    }

    @Override
    public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        file.write(offset, source, from, length, through);
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) throws IOException {
        if (offset >= byBlocksUpTo && !storage.isUnreadable(name, offset, offset + length)) {
            try {
                return file.read(offset, target, from, length);
            } catch (FileNotFoundException gone) {
                throw gone;
            } catch (IOException unreadable) {
                byBlocksUpTo = offset + length;
            }
        }
        long block = offset / ReadableStorage.BLOCK_LENGTH * ReadableStorage.BLOCK_LENGTH;
        long end = Math.min(block + ReadableStorage.BLOCK_LENGTH, offset + length);
        return readBlock(block, offset, target, from, (int) (end - offset));
    }

    private int readBlock(long block, long offset, byte[] target, int from, int length) throws IOException {
        if (!storage.isUnreadable(name, offset, offset + length)) {
            try {
                return file.read(offset, target, from, length);
            } catch (IOException e) {
                long end = Math.min(block + ReadableStorage.BLOCK_LENGTH, file.length());
                storage.note(new Unreadable(name, block, end, String.valueOf(e.getMessage())));
            }
        }
        int count = (int) Math.max(0, Math.min(length, file.length() - offset));
        Arrays.fill(target, from, from + count, (byte) 0);
        return count;
    }

    /** The file itself, so that it shows what a writer appends; a copy if something of it cannot be read. */
    @Override
    public Mapping map(int length) throws IOException {
        readThrough();
        return storage.isUnreadable(name, 0, length) ? copy(length) : file.map(length);
    }

    /** Finds out what cannot be read of it, once for all who open it. */
    void readThrough() throws IOException {
        if (storage.beginReadThrough(name)) {
            byte[] chunk = new byte[CHUNK_LENGTH];
            long offset = 0;
            int count = -1;
            while (count != 0) {
                count = read(offset, chunk, 0, chunk.length);
                offset += count;
            }
        }
    }

    private Mapping copy(int length) throws IOException {
        ByteBuffer copy = ByteBuffer.allocateDirect(length).order(ByteOrder.LITTLE_ENDIAN);
        byte[] chunk = new byte[CHUNK_LENGTH];
        int offset = 0;
        while (offset < length) {
            int count = read(offset, chunk, 0, Math.min(chunk.length, length - offset));
            if (count == 0) {
                throw new IOException(
                        "file is shorter than what is to be mapped: length=" + length() + ", needed=" + length);
            }
            copy.put(offset, chunk, 0, count);
            offset += count;
        }
        return new Copied(copy);
    }

    @Override
    public void close() {
        file.close();
    }

    /** The garbage collector frees it. */
    private record Copied(ByteBuffer buffer) implements Mapping {

        @Override
        public void force(int offset, int length) throws IOException {
            throw new IOException("this is a copy, for reading only");
        }

        @Override
        public void close() {
            // There is nothing to unmap.
        }
    }
}
