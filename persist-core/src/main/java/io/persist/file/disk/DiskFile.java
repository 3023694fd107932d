package io.persist.file.disk;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real file. Reads, writes and syncs go through {@link RandomAccessFile}, whose calls an interrupt does not affect;
 * channels are opened for a mapping and closed after it, and kept for {@linkplain ChannelReads reads into direct
 * memory}.
 */
final class DiskFile implements StorageFile {

    private final File path;
    private final Storage.Access access;
    private final RandomAccessFile file;

    /** What tells this file from one that takes its place; null where files have nothing such, or to read. */
    private final @Nullable String key;

    private long fileOffset;
    private @Nullable WriteThroughFile dataThrough;
    private @Nullable WriteThroughFile allThrough;
    private @Nullable ChannelReads channelReads;

    /** Held to sync a range, and to close. */
    private final Object ranges = new Object();

    /** The whole file, only to sync ranges: nobody touches its pages. Guarded by {@link #ranges}. */
    private @Nullable Mapping rangeMapping;

    DiskFile(File path, Storage.Access access) throws IOException {
        this.path = path;
        this.access = access;
        if (access == Storage.Access.WRITE) {
            Opened opened = openToWrite(path, "rw");
            this.file = opened.file;
            this.key = opened.key;
        } else {
            this.file = new RandomAccessFile(path, "r");
            this.key = null;
        }
    }

    private record Opened(RandomAccessFile file, @Nullable String key) {}

    /**
     * Opens a file that is there. {@link RandomAccessFile} makes one if it was taken away since it was looked for; that
     * one is taken away again.
     *
     * @throws FileNotFoundException if there is none
     */
    private static Opened openToWrite(File path, String mode) throws IOException {
        try (RandomAccessFile held = new RandomAccessFile(path, "r")) { // so that no other file gets its key meanwhile
            String key = FileIdentity.keyOf(path.toPath());
            RandomAccessFile opened = new RandomAccessFile(path, mode);
            try {
                if (!Objects.equals(key, FileIdentity.keyOf(path.toPath()))) {
                    if (opened.length() == 0 && held.length() > 0) {
                        Files.deleteIfExists(path.toPath());
                    }
                    throw new FileNotFoundException("no such file: " + path);
                }
                return new Opened(opened, key);
            } catch (IOException e) {
                closeQuietly(opened);
                throw e;
            }
        }
    }

    @Override
    public long length() throws IOException {
        return file.length();
    }

    @Override
    public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        switch (through) {
            case NONE -> {
                seek(offset);
                fileOffset = -1;
                file.write(source, from, length);
                fileOffset = offset + length;
            }
            case DATA -> {
                if (dataThrough == null) {
                    dataThrough = openThrough("rwd");
                }
                writeThrough(dataThrough, offset, source, from, length);
            }
            case ALL -> {
                if (allThrough == null) {
                    allThrough = openThrough("rws");
                }
                writeThrough(allThrough, offset, source, from, length);
            }
        }
    }

    /** With null by the descriptor that there is, in two system calls: then the process has no more of them. */
    private void writeThrough(@Nullable WriteThroughFile through, long offset, byte[] source, int from, int length)
            throws IOException {
        if (through == null) {
            write(offset, source, from, length, WriteThrough.NONE);
            sync();
        } else {
            through.write(offset, source, from, length);
        }
    }

    /**
     * Opens this file once more, by its name. Another one that has the name by now is left as it is: what is meant for
     * this file must not get into that, which may be the same log's in another writer's hands.
     *
     * @return null if no more can be opened now, and the name is still this file's
     */
    private @Nullable WriteThroughFile openThrough(String mode) throws IOException {
        Opened opened;
        try {
            opened = openToWrite(path, mode);
        } catch (IOException refused) {
            if (hasItsName()) {
                return null;
            }
            throw refused;
        }
        if (!Objects.equals(key, opened.key)) { // the keys of two files that are open differ
            closeQuietly(opened.file);
            throw new FileNotFoundException("file was deleted, renamed or replaced while it was open: " + path);
        }
        return new WriteThroughFile(opened.file);
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) throws IOException {
        seek(offset);
        fileOffset = -1;
        int read = Math.max(0, file.read(target, from, length));
        fileOffset = offset + read;
        return read;
    }

    @Override
    public int read(long offset, ByteBuffer target, int from, int length) throws IOException {
        if (target.hasArray()) {
            return StorageFile.super.read(offset, target, from, length);
        }
        ChannelReads reads = channelReads;
        if (reads == null) {
            reads = new ChannelReads(path);
            channelReads = reads;
        }
        int read = reads.read(offset, target, from, length);
        return read == ChannelReads.REFUSED ? StorageFile.super.read(offset, target, from, length) : read;
    }

    /** Sequential access needs no system call to seek. */
    private void seek(long offset) throws IOException {
        if (fileOffset != offset) {
            file.seek(offset);
        }
    }

    @Override
    public void sync() throws IOException {
        file.getFD().sync();
    }

    /** The API of Java syncs a part of a file only where it is mapped; an untouched mapping costs next to nothing. */
    @Override
    public void beginRangeSyncs() throws IOException {
        Mapping whole = mapToSync();
        synchronized (ranges) {
            rangeMapping = whole;
        }
    }

    @Override
    public void sync(long from, long to) throws IOException {
        synchronized (ranges) {
            if (rangeMapping != null && to <= rangeMapping.buffer().capacity()) {
                rangeMapping.force((int) from, (int) (to - from));
                return;
            }
        }
        sync();
    }

    /** Whether this file has its name still, as far as that can be known. Needs no descriptor. */
    private boolean hasItsName() {
        try {
            return key != null && key.equals(FileIdentity.keyOf(path.toPath()));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Null if the file cannot be mapped, or another one has its name, which the mapping would be of. */
    private @Nullable Mapping mapToSync() throws IOException {
        long length = length();
        if (key == null || length > Integer.MAX_VALUE) {
            return null;
        }
        Mapping mapping;
        try {
            mapping = map((int) length);
        } catch (IOException refused) {
            return null;
        }
        if (hasItsName()) {
            return mapping;
        }
        mapping.close();
        return null;
    }

    @Override
    public Mapping map(int length) throws IOException {
        boolean writable = access == Storage.Access.WRITE;
        OpenOption[] options = writable
                ? new OpenOption[] {StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS}
                : new OpenOption[] {StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS};
        return Interrupts.shield(() -> {
            try (FileChannel channel = FileChannel.open(path.toPath(), options)) {
                if (channel.size() < length) {
                    throw new IOException("file is shorter than what is to be mapped: length=" + channel.size()
                            + ", needed=" + length + ", file=" + path);
                }
                return new DiskMapping(
                        Unmapper.INSTANCE.map(channel, writable ? MapMode.READ_WRITE : MapMode.READ_ONLY, length));
            } catch (NoSuchFileException deletedMeanwhile) {
                throw new FileNotFoundException("no such file: " + path);
            } catch (FileSystemException e) {
                throw FileReason.told(e);
            }
        });
    }

    @Override
    public void close() {
        synchronized (ranges) {
            if (rangeMapping != null) {
                rangeMapping.close();
                rangeMapping = null;
            }
        }
        closeQuietly(file);
        if (dataThrough != null) {
            closeQuietly(dataThrough.file);
        }
        if (allThrough != null) {
            closeQuietly(allThrough.file);
        }
        if (channelReads != null) {
            channelReads.close();
        }
    }

    /** What close could report has been reported by the sync before it. */
    private static void closeQuietly(RandomAccessFile file) {
        try {
            file.close();
        } catch (IOException ignored) {
            // Nothing of the log depends on it.
        }
    }

    /** A second descriptor of the file, whose every write is synced: one system call in place of two. */
    private static final class WriteThroughFile {

        final RandomAccessFile file;
        private long fileOffset;

        WriteThroughFile(RandomAccessFile file) {
            this.file = file;
        }

        void write(long offset, byte[] source, int from, int length) throws IOException {
            if (fileOffset != offset) {
                file.seek(offset);
            }
            fileOffset = -1;
            file.write(source, from, length);
            fileOffset = offset + length;
        }
    }
}
