package io.persist.tool;

import io.persist.file.ForwardingStorage;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.support.ForwardingFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A storage whose disk cannot read some blocks of one of the files. A read that touches them fails; where the file is
 * mapped, its pages from the first bad one on are not there, and the JVM throws an error for each.
 *
 * @param from where the first of them begins, a multiple of {@link #LENGTH}
 * @param to where the last of them ends
 */
public record BadBlocks(Storage storage, String name, int from, int to) implements ForwardingStorage {

    public static final int LENGTH = 4096;

    public static final String REASON = "Input/output error";

    @Override
    public StorageFile open(String opened, Access access) throws IOException {
        StorageFile file = storage.open(opened, access);
        return opened.equals(name) ? new BadFile(file, from, to) : file;
    }

    private record BadFile(StorageFile file, int from, int to) implements ForwardingFile {

        @Override
        public int read(long offset, byte[] target, int index, int length) throws IOException {
            if (offset < Math.min(to, length()) && offset + length > from) {
                throw new IOException(REASON);
            }
            return file.read(offset, target, index, length);
        }

        @Override
        public Mapping map(int length) throws IOException {
            if (length <= from) {
                return file.map(length);
            }
            byte[] good = new byte[from];
            file.readFully(0, good, 0, from);
            Path path = Files.createTempFile("bad", ".blocks");
            try (RandomAccessFile cut = new RandomAccessFile(path.toFile(), "rw")) {
                cut.write(good);
                cut.setLength(length);
                ByteBuffer buffer = cut.getChannel().map(MapMode.READ_ONLY, 0, length);
                cut.setLength(from);
                return new Mapped(buffer.order(ByteOrder.LITTLE_ENDIAN));
            } finally {
                Files.delete(path);
            }
        }
    }

    private record Mapped(ByteBuffer buffer) implements Mapping {

        @Override
        public void force(int offset, int length) throws IOException {
            throw new IOException("for reading only");
        }

        @Override
        public void close() {
            // The garbage collector ends it.
        }
    }
}
