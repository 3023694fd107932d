package io.persist.backup;

import io.persist.archive.ArchiveManifest;
import io.persist.archive.ArchiveReader;
import io.persist.archive.ArchiveSource;
import io.persist.archive.StorageInput;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads all of a backup and compares it with its manifest. What it reads may be anybody's work. */
final class BackupReader {

    private record Found(long length, int checksum) {}

    /** Tells one state of the files from another. */
    private interface State {
        List<String> now() throws IOException;
    }

    private static final int PIECE_LENGTH = 64 << 10;

    private final ArchiveSource source;
    private final State state;

    private BackupReader(ArchiveSource source, State state) {
        this.source = source;
        this.state = state;
    }

    /** Of the zip file {@code name} in {@code storage}, which no run changes. */
    static BackupReader ofZip(Storage storage, String name) {
        return new BackupReader(ArchiveSource.zip(storage, name), List::of);
    }

    /** Of the directory of {@code storage}. */
    static BackupReader ofDirectory(Storage storage) {
        ArchiveSource source = receiver -> {
            for (Map.Entry<String, String> file : files(storage).entrySet()) {
                try (StorageFile opened = storage.open(file.getValue(), Storage.Access.READ)) {
                    receiver.file(file.getKey(), new StorageInput(opened));
                }
            }
        };
        return new BackupReader(source, () -> BackupDirectory.state(storage));
    }

    /** The names of a backup's files, and those under which they are there: see {@link BackupDirectory}. */
    private static Map<String, String> files(Storage storage) throws IOException {
        Map<String, String> files = new TreeMap<>();
        TreeMap<String, String> there = new TreeMap<>();
        storage.list().forEach(name -> there.put(name, name));
        if (!there.containsKey(BackupDirectory.NEXT)) {
            there.keySet().stream()
                    .filter(name -> BackupFile.isName(name) || name.equals(BackupManifest.NAME))
                    .forEach(name -> files.put(name, name));
            return files;
        }
        files.put(BackupManifest.NAME, BackupDirectory.NEXT);
        byte[] next = BackupDirectory.read(storage, BackupDirectory.NEXT);
        for (BackupFile file : BackupManifest.decode(next).files()) {
            String temporary = file.name() + LogFileName.TEMPORARY_SUFFIX;
            String found = there.containsKey(temporary) ? temporary : there.get(file.name());
            if (found != null) {
                files.put(file.name(), found);
            }
        }
        return files;
    }

    /** A run brings the backup up to date whenever it likes: what does not fit together then is no damage. */
    BackupManifest read(ArchiveReader.Opener opener, ArchiveReader.Ending ending) throws IOException {
        List<String> before = state.now();
        try {
            return readAll(opener, ending);
        } catch (CorruptLogException | UnsupportedFormatException | FileNotFoundException e) {
            if (state.now().equals(before)) {
                throw e;
            }
            throw new IOException(
                    "a run has changed the backup while it was read; wait until that has ended, then try again", e);
        }
    }

    private BackupManifest readAll(ArchiveReader.Opener opener, ArchiveReader.Ending ending) throws IOException {
        Map<String, Found> found = new TreeMap<>();
        byte[][] manifest = new byte[1][];
        source.readAll((name, content) -> {
            if (name.equals(BackupManifest.NAME) && manifest[0] == null) {
                manifest[0] = content.readNBytes(ArchiveManifest.MAX_LENGTH);
            } else if (BackupFile.isName(name) && !found.containsKey(name)) {
                found.put(name, copy(content, opener.begin(name)));
                ending.end();
            } else {
                String visible = ArchiveManifest.visible(name);
                throw Backup.damaged(
                        BackupManifest.NAME, 0, "a backup has no such file, or not twice: '" + visible + "'");
            }
        });
        if (manifest[0] == null) {
            throw new UnsupportedFormatException("not a backup: there is no manifest, file=" + BackupManifest.NAME
                    + "; name what the command backup has made, a directory or FILE.zip; a log itself is no backup");
        }
        BackupManifest expected = BackupManifest.decode(manifest[0]);
        expected.files().forEach(file -> compare(file, found.remove(file.name())));
        if (!found.isEmpty()) {
            String more = String.join(", ", found.keySet());
            throw Backup.damaged(BackupManifest.NAME, 0, "the manifest does not have " + more);
        }
        return expected;
    }

    private static void compare(BackupFile file, @Nullable Found found) {
        if (found == null) {
            throw Backup.damaged(file.name(), 0, "the file is missing");
        }
        if (found.length != file.length()) {
            throw Backup.damaged(file.name(), 0, "the length should be " + file.length() + " but is " + found.length);
        }
        if (found.checksum != file.checksum()) {
            HexFormat hex = HexFormat.of();
            throw Backup.damaged(
                    file.name(),
                    0,
                    "the CRC32C should be " + hex.toHexDigits(file.checksum()) + " but is "
                            + hex.toHexDigits(found.checksum));
        }
    }

    private static Found copy(InputStream content, OutputStream out) throws IOException {
        CRC32C crc = new CRC32C();
        byte[] piece = new byte[PIECE_LENGTH];
        long length = 0;
        for (int read = content.read(piece); read >= 0; read = content.read(piece)) {
            length += read;
            crc.update(piece, 0, read);
            out.write(piece, 0, read);
        }
        return new Found(length, (int) crc.getValue());
    }
}
