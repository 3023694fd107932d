package io.persist.shard.location.file;

import io.persist.file.Storage;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.disk.DirectoryStorage;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ObjectPieces;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.UUID;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects as files. An object is written beside its place, synced, and renamed into it; then the directory is synced.
 */
public final class FileBlob implements Blob {

    /** Files copy what they read and write: so much of it stays in the caches of a CPU. */
    private static final int AT_ONCE = 128 << 10;

    private final Storage storage;

    private FileBlob(Storage storage) {
        this.storage = storage;
    }

    /**
     * The blob in {@code directory}, which is made if it does not exist.
     *
     * @throws DeterminateException if it cannot be made or read
     */
    public static FileBlob open(Path directory) {
        try {
            return open(DirectoryStorage.create(directory));
        } catch (IOException failed) {
            throw new DeterminateException("directory=" + directory + ": " + failed.getMessage(), failed);
        }
    }

    /**
     * The blob in {@code storage}. What processes that do not run any more have left half written is deleted.
     *
     * @throws DeterminateException if the directory cannot be read
     */
    public static FileBlob open(Storage storage) {
        FileBlob blob = new FileBlob(storage);
        try {
            for (String file : storage.list()) {
                if (ObjectFiles.isLeftOver(file)) {
                    deleteLeftOver(file, storage);
                }
            }
        } catch (IOException failed) {
            throw blob.notDone("open", "", failed);
        }
        return blob;
    }

    private static void deleteLeftOver(String file, Storage storage) {
        try {
            storage.delete(file);
        } catch (IOException goneOrLater) {
            // another opening has deleted it, or a later one will; nobody reads it
        }
    }

    @Override
    public byte @Nullable [] get(String name) {
        try (StorageFile file = storage.open(ObjectFiles.of(name), Access.READ)) {
            long length = file.length();
            if (length > Integer.MAX_VALUE - 8) {
                throw new DamagedShardException("object=" + name + ": " + length + " bytes are more than 2 GiB", null);
            }
            byte[] bytes = new byte[(int) length];
            readFully(file, bytes, bytes.length);
            return bytes;
        } catch (FileNotFoundException none) {
            return null;
        } catch (IOException failed) {
            throw notDone("get", name, failed);
        }
    }

    @Override
    public long read(String name, byte[] target) {
        try (StorageFile file = storage.open(ObjectFiles.of(name), Access.READ)) {
            long length = file.length();
            if (length <= target.length) {
                readFully(file, target, (int) length);
            }
            return length;
        } catch (FileNotFoundException none) {
            return -1;
        } catch (IOException failed) {
            throw notDone("read", name, failed);
        }
    }

    @Override
    public boolean hasPieces() {
        return true;
    }

    @Override
    public @Nullable ObjectPieces open(String name) {
        try {
            return new FilePieces(storage.open(ObjectFiles.of(name), Access.READ), name);
        } catch (FileNotFoundException none) {
            return null;
        } catch (IOException failed) {
            throw notDone("open", name, failed);
        }
    }

    /** A file that stays open. */
    private final class FilePieces implements ObjectPieces {

        private final StorageFile file;
        private final String name;
        private final long length;

        FilePieces(StorageFile file, String name) throws IOException {
            this.file = file;
            this.name = name;
            try {
                this.length = file.length();
            } catch (IOException | RuntimeException | Error failed) {
                file.close();
                throw failed;
            }
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public int read(long from, byte[] target, int at, int count) {
            try {
                return file.readFully(from, target, at, count);
            } catch (IOException failed) {
                throw notDone("read", name, failed);
            }
        }

        @Override
        public void close() {
            file.close();
        }
    }

    static void readFully(StorageFile file, byte[] target, int length) throws IOException {
        int some;
        for (int at = 0; at < length; at += some) { // which ends at the length: beyond that may be no int
            some = Math.min(AT_ONCE, length - at);
            if (file.readFully(at, target, at, some) < some) {
                throw new IOException("the file ends before its length");
            }
        }
    }

    @Override
    public void set(String name, ByteBuffer bytes) {
        String target = ObjectFiles.of(name);
        String temporary = ObjectFiles.temporary(UUID.randomUUID());
        try (StorageFile file = storage.create(temporary)) {
            ByteBuffer inArray = Blob.inArray(bytes);
            write(file, inArray.array(), inArray.arrayOffset() + inArray.position(), inArray.remaining());
            file.sync();
        } catch (IOException failed) {
            discard(temporary, failed);
            throw notDone("set", name, failed);
        }
        try {
            storage.rename(temporary, target);
        } catch (IOException failed) { // after an I/O error it may have happened all the same
            discard(temporary, failed);
            throw unknown("set", name, failed);
        }
        sync("set", name);
    }

    static void write(StorageFile file, byte[] source, int from, int length) throws IOException {
        int some;
        for (int at = 0; at < length; at += some) { // as in readFully
            some = Math.min(AT_ONCE, length - at);
            file.write(at, source, from + at, some, WriteThrough.NONE);
        }
    }

    private void discard(String temporary, IOException reason) {
        try {
            storage.delete(temporary);
        } catch (IOException alsoFailed) {
            reason.addSuppressed(alsoFailed);
        }
    }

    @Override
    public long delete(String name) {
        long length = remove(name);
        sync("delete", name);
        return length;
    }

    /** One sync of the directory for all of them. */
    @Override
    public long deleteAll(Collection<String> names) {
        names.forEach(Blob::checkName);
        long bytes = 0;
        for (String name : names) {
            bytes += Math.max(0, remove(name));
        }
        if (!names.isEmpty()) {
            sync("delete", names.size() + " objects");
        }
        return bytes;
    }

    /** Removes the file, not yet for ever; says how long it was, or -1 if it was not there. */
    private long remove(String name) {
        String file = ObjectFiles.of(name);
        long length;
        try (StorageFile open = storage.open(file, Access.READ)) {
            length = open.length();
        } catch (FileNotFoundException none) {
            return -1;
        } catch (IOException failed) {
            throw notDone("delete", name, failed);
        }
        try {
            storage.delete(file);
            return length;
        } catch (IOException failed) {
            throw unknown("delete", name, failed);
        }
    }

    /** Also if a deletion has found nothing: an attempt before it may have failed right after it removed the file. */
    private void sync(String what, String name) {
        try {
            storage.syncDirectory();
        } catch (IOException failed) {
            throw unknown(what, name, failed);
        }
    }

    @Override
    public void list(String prefix, ObjLongConsumer<String> visitor) {
        try {
            for (String file : storage.list()) {
                String name = ObjectFiles.nameOf(file);
                if (name != null && name.startsWith(prefix)) {
                    visit(name, file, visitor);
                }
            }
        } catch (IOException failed) {
            throw notDone("list", prefix, failed);
        }
    }

    private void visit(String name, String file, ObjLongConsumer<String> visitor) throws IOException {
        long length;
        try (StorageFile open = storage.open(file, Access.READ)) {
            length = open.length();
        } catch (FileNotFoundException goneMeanwhile) {
            return;
        }
        visitor.accept(name, length);
    }

    private DeterminateException notDone(String what, String name, IOException cause) {
        return new DeterminateException(describe(what, name, cause), cause);
    }

    private IndeterminateException unknown(String what, String name, IOException cause) {
        return new IndeterminateException(describe(what, name, cause), cause);
    }

    private String describe(String what, String name, IOException cause) {
        return what + " of object=" + name + " in " + storage.description() + ": " + cause.getMessage();
    }

    @Override
    public void close() {}
}
