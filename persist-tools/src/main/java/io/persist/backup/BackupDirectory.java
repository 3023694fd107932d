package io.persist.backup;

import io.persist.archive.ArchiveManifest;
import io.persist.archive.Removal;
import io.persist.archive.StorageInput;
import io.persist.archive.StorageOutput;
import io.persist.backup.BackupFile.State;
import io.persist.backup.BackupOptions.Reading;
import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A backup in a directory, which a later run brings up to date. New files have other names until all are there and
 * synced; then the next manifest gets its name, and from there on the backup is the new one, whatever comes between:
 * who finds a next manifest reads the files under their other names, and the next run goes on to rename them.
 */
final class BackupDirectory implements BackupSink {

    /** The manifest of a backup whose files do not all have their names yet. */
    static final String NEXT = BackupManifest.NAME + ".next";

    /** The lock of the one run that may change the directory. */
    static final String LOCK = "backup.lock";

    /** What a file system has in its root, and makes again by itself. */
    private static final String ROOT = "lost+found";

    private static final String ANOTHER = "name an empty one, one to be made, or that of a backup";

    private static final int BUFFER_LENGTH = 64 << 10;

    private final Storage storage;
    private final Reading reading;
    private final WriterLock lock;
    private final @Nullable BackupManifest previous;
    private final Map<String, BackupFile> changed = new TreeMap<>();
    private int written;
    private long writtenBytes;

    /**
     * Opens the directory for a backup of {@code log}. It is empty or has a backup; what an interrupted run has begun
     * is finished. A directory of anything else stays as it is.
     *
     * @throws LogLockedException if another run is under way
     */
    BackupDirectory(Storage storage, Storage log, Reading reading) throws IOException {
        this.storage = storage;
        this.reading = reading;
        try (Opening opening = new Opening()) {
            requireABackup(log); // before anything is made or deleted there
            this.lock = opening.add(lock(), WriterLock::close);
            if (storage.list().contains(NEXT)) {
                rollForward(manifest(NEXT));
            }
            boolean isThere = storage.list().contains(BackupManifest.NAME);
            this.previous = isThere ? manifest(BackupManifest.NAME) : null;
            for (String name : storage.list()) {
                if (isTemporary(name)) {
                    storage.delete(name);
                }
            }
            opening.done(this);
        }
    }

    /** What a first run that was interrupted has left has no manifest; anything else without one is no backup. */
    private void requireABackup(Storage log) throws IOException {
        List<String> names = storage.list();
        requireNotTheLog(names, log);
        if (names.contains(NEXT) || names.contains(BackupManifest.NAME)) {
            manifest(names.contains(NEXT) ? NEXT : BackupManifest.NAME);
        } else if (!names.stream().allMatch(name -> isTemporary(name) || name.equals(LOCK) || name.equals(ROOT))) {
            throw new IOException("directory is not empty, and no backup: " + storage.description() + "; " + ANOTHER);
        }
    }

    /** Nothing is wrong with the log if this cannot be read. An archive may be all that is left of one. */
    private BackupManifest manifest(String name) throws IOException {
        byte[] bytes = read(storage, name);
        BackupManifest.checkVersion(bytes);
        if (!BackupManifest.isOne(bytes)) {
            throw new IOException("directory is no backup of this version of Persist: " + storage.description()
                    + ", its " + name + " begins with '" + BackupManifest.firstLine(bytes) + "'; " + ANOTHER);
        }
        try {
            return BackupManifest.decode(bytes);
        } catch (CorruptLogException e) {
            throw new IOException(
                    "the manifest that is there cannot be used (file=" + name + ": " + e.damage() + "); "
                            + BackupRun.ELSEWHERE,
                    e);
        } catch (UnsupportedFormatException e) {
            throw new IOException("the directory cannot be used: " + e.getMessage() + "; name another one", e);
        }
    }

    /** A backup is read as a log; it is no place for the backup of itself. */
    private void requireNotTheLog(List<String> names, Storage log) throws IOException {
        for (String name : log.list()) {
            if (names.contains(name)) {
                long identity = log.identity(name);
                if (identity != 0 && identity == storage.identity(name)) {
                    throw new IOException(
                            "the log itself is in this directory: " + storage.description() + "; name another one");
                }
            }
        }
    }

    private WriterLock lock() throws IOException {
        WriterLock taken = storage.tryLock(LOCK);
        if (taken == null) {
            throw new LogLockedException("another run backs up to this directory: directory=" + storage.description()
                    + ", file=" + LOCK + "; wait until it has ended, then try again");
        }
        return taken;
    }

    static byte[] read(Storage storage, String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            return new StorageInput(file).readNBytes(ArchiveManifest.MAX_LENGTH);
        }
    }

    /** The names that are there, and which manifest it is; it is another one while a run changes the directory. */
    static List<String> state(Storage storage) throws IOException {
        List<String> state = new ArrayList<>(storage.list());
        Collections.sort(state);
        try {
            String manifest = state.contains(NEXT) ? NEXT : BackupManifest.NAME;
            state.add(new String(read(storage, manifest), StandardCharsets.UTF_8));
        } catch (FileNotFoundException gone) {
            // There is none, or a run has just given it its name: then the names are others by now.
        }
        return state;
    }

    static String temporary(String name) {
        return name + LogFileName.TEMPORARY_SUFFIX;
    }

    private static boolean isTemporary(String name) {
        String suffix = LogFileName.TEMPORARY_SUFFIX;
        String stem = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : "";
        return BackupFile.isName(stem) || stem.equals(NEXT);
    }

    @Override
    public @Nullable BackupManifest previous() {
        return previous;
    }

    @Override
    public @Nullable StorageFile find(BackupFile file) throws IOException {
        try (Opening opening = new Opening()) {
            StorageFile copy = opening.add(storage.open(file.name(), Storage.Access.READ), StorageFile::close);
            boolean isSame = copy.length() == file.length() && (!readsAll() || checksum(copy) == file.checksum());
            return isSame ? opening.done(copy) : null;
        } catch (FileNotFoundException gone) {
            return null;
        }
    }

    @Override
    public boolean isWhole(BackupFile file) throws IOException {
        try (StorageFile copy = find(file)) {
            return copy != null && (readsAll() || checksum(copy) == file.checksum());
        }
    }

    static int checksum(StorageFile file) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[BUFFER_LENGTH];
        StorageInput in = new StorageInput(file);
        for (int read = in.read(piece, 0, piece.length); read >= 0; read = in.read(piece, 0, piece.length)) {
            crc.update(piece, 0, read);
        }
        return (int) crc.getValue();
    }

    @Override
    public boolean readsAll() {
        return reading == Reading.ALL;
    }

    @Override
    public BackupFile put(String name, State state, Content content) throws IOException {
        CRC32C crc = new CRC32C();
        long length;
        try (StorageFile created = storage.create(temporary(name))) {
            changed.put(name, new BackupFile(name, 0, 0, state)); // to be removed, if this fails
            OutputStream out = new BufferedOutputStream(new StorageOutput(created), BUFFER_LENGTH);
            CheckedOutputStream checked = new CheckedOutputStream(out, crc);
            content.writeTo(checked);
            checked.flush();
            created.sync();
            length = created.length();
        }
        BackupFile file = new BackupFile(name, length, (int) crc.getValue(), state);
        BackupManifest before = previous;
        BackupFile old = before == null ? null : before.file(name).orElse(null);
        boolean isSame = old != null && old.length() == length && old.checksum() == file.checksum() && isWhole(old);
        if (isSame) {
            storage.delete(temporary(name));
            changed.remove(name);
        } else {
            changed.put(name, file);
            written++;
            writtenBytes += length;
        }
        return file;
    }

    @Override
    public int written() {
        return written;
    }

    @Override
    public long writtenBytes() {
        return writtenBytes;
    }

    @Override
    public boolean isUpToDate(BackupManifest manifest) throws IOException {
        return written == 0
                && manifest.equals(previous)
                && storage.list().stream()
                        .noneMatch(name ->
                                BackupFile.isName(name) && manifest.file(name).isEmpty());
    }

    @Override
    public void commit(BackupManifest manifest) throws IOException {
        for (BackupFile file : changed.values()) {
            try (StorageFile back = storage.open(temporary(file.name()), Storage.Access.READ)) {
                if (back.length() != file.length() || checksum(back) != file.checksum()) {
                    throw new IOException("what was written is read back differently: file=" + file.name());
                }
            }
        }
        storage.syncDirectory();
        try (StorageFile next = storage.create(temporary(NEXT))) {
            new StorageOutput(next).write(manifest.encode());
            next.sync();
        }
        changed.clear(); // from here on a next manifest may name them: the next run renames or deletes them
        storage.rename(temporary(NEXT), NEXT);
        storage.syncDirectory(); // from here on the backup is the new one, whatever comes
        rollForward(manifest);
    }

    private void rollForward(BackupManifest next) throws IOException {
        List<String> names = storage.list();
        for (BackupFile file : next.files()) {
            if (names.contains(temporary(file.name()))) {
                storage.rename(temporary(file.name()), file.name());
            }
        }
        for (String name : names) {
            if (BackupFile.isName(name) && next.file(name).isEmpty()) {
                storage.delete(name); // the log does not have it any more
            }
        }
        storage.syncDirectory();
        storage.rename(NEXT, BackupManifest.NAME);
        storage.syncDirectory();
    }

    @Override
    public void close() {
        try (lock) {
            changed.keySet().forEach(name -> Removal.of(storage, temporary(name)));
        }
    }
}
