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
    private final Descriptor plain;

    /** Each write of these two is synced: one system call in place of two. */
    private @Nullable Descriptor dataThrough;

    private @Nullable Descriptor allThrough;
    private @Nullable ChannelReads channelReads;

    /** Held to sync a range, and to close. */
    private final Object ranges = new Object();

    /** The whole file, only to sync ranges: nobody touches its pages. Guarded by {@link #ranges}. */
    private @Nullable Mapping rangeMapping;

    DiskFile(File path, Storage.Access access) throws IOException {
        this.path = path;
        this.access = access;
        this.plain = access == Storage.Access.WRITE
                ? openToWrite(path, "rw")
                : new Descriptor(new RandomAccessFile(path, "r"), null);
    }

    /**
     * Opens a file that is there. {@link RandomAccessFile} makes one if it was taken away since it was looked for; that
     * one is taken away again.
     *
     * @throws FileNotFoundException if there is none
     */
    private static Descriptor openToWrite(File path, String mode) throws IOException {
        try (RandomAccessFile held = new RandomAccessFile(path, "r")) { // so that no other file gets its key meanwhile
            String key = FileIdentity.keyOf(path.toPath());
            Descriptor opened = new Descriptor(new RandomAccessFile(path, mode), key);
            try {
                if (!Objects.equals(key, FileIdentity.keyOf(path.toPath()))) {
                    if (opened.file.length() == 0 && held.length() > 0) {
                        Files.deleteIfExists(path.toPath());
                    }
                    throw new FileNotFoundException("no such file: " + path);
                }
                return opened;
            } catch (IOException e) {
                opened.close();
                throw e;
            }
        }
    }

    @Override
    public long length() throws IOException {
        return plain.file.length();
    }

    @Override
    public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
        Descriptor its = descriptor(through);
        if (its == null) {
            plain.write(offset, source, from, length);
            sync();
        } else {
            its.write(offset, source, from, length);
        }
    }

    /** The one for such writes; null if the process has no more of them: then it takes two system calls. */
    private @Nullable Descriptor descriptor(WriteThrough through) throws IOException {
        return switch (through) {
            case NONE -> plain;
            case DATA -> {
                if (dataThrough == null) {
                    dataThrough = openThrough("rwd");
                }
                yield dataThrough;
            }
            case ALL -> {
                if (allThrough == null) {
                    allThrough = openThrough("rws");
                }
                yield allThrough;
            }
        };
    }

    /**
     * Opens this file once more, by its name. Another one that has the name by now is left as it is: what is meant for
     * this file must not get into that, which may be the same log's in another writer's hands.
     *
     * @return null if no more can be opened now, and the name is still this file's
     */
    private @Nullable Descriptor openThrough(String mode) throws IOException {
        Descriptor opened;
        try {
            opened = openToWrite(path, mode);
        } catch (IOException refused) {
            if (hasItsName()) {
                return null;
            }
            throw refused;
        }
        if (!Objects.equals(plain.key, opened.key)) { // the keys of two files that are open differ
            opened.close();
            throw new FileNotFoundException("file was deleted, renamed or replaced while it was open: " + path);
        }
        return opened;
    }

    @Override
    public int read(long offset, byte[] target, int from, int length) throws IOException {
        return plain.read(offset, target, from, length);
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

    @Override
    public void sync() throws IOException {
        plain.file.getFD().sync();
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
            return plain.key != null && plain.key.equals(FileIdentity.keyOf(path.toPath()));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Null if the file cannot be mapped, or another one has its name, which the mapping would be of. */
    private @Nullable Mapping mapToSync() throws IOException {
        long length = length();
        if (plain.key == null || length > Integer.MAX_VALUE) {
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
                return DiskMapping.of(channel, writable ? MapMode.READ_WRITE : MapMode.READ_ONLY, length);
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
        plain.close();
        if (dataThrough != null) {
            dataThrough.close();
        }
        if (allThrough != null) {
            allThrough.close();
        }
        if (channelReads != null) {
            channelReads.close();
        }
    }

    /** The file, opened once. */
    private static final class Descriptor {

        final RandomAccessFile file;

        /** What tells the file from one that takes its place; null where files have nothing such, or to read. */
        final @Nullable String key;

        private long at;

        Descriptor(RandomAccessFile file, @Nullable String key) {
            this.file = file;
            this.key = key;
        }

        int read(long offset, byte[] target, int from, int length) throws IOException {
            seek(offset);
            int read = Math.max(0, file.read(target, from, length));
            at = offset + read;
            return read;
        }

        void write(long offset, byte[] source, int from, int length) throws IOException {
            seek(offset);
            file.write(source, from, length);
            at = offset + length;
        }

        /** Sequential access needs no system call for it. After an error nobody knows where the file stands. */
        private void seek(long offset) throws IOException {
            if (at != offset) {
                file.seek(offset);
            }
            at = -1;
        }

        /** What it could report has been reported by the sync before it. */
        void close() {
            try {
                file.close();
            } catch (IOException ignored) {
                // Nothing of the log depends on it.
            }
        }
    }
}
