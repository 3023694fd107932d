package io.persist.backup;

import io.persist.archive.ZipSink;
import io.persist.backup.BackupFile.State;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** A backup in a zip file, of which each run makes a new one. */
final class BackupZip implements BackupSink {

    private final Storage storage;
    private final ZipSink zip;
    private int written;
    private long writtenBytes;

    BackupZip(Storage storage, String name) throws IOException {
        this.storage = storage;
        this.zip = new ZipSink(storage, name);
    }

    @Override
    public @Nullable BackupManifest previous() {
        return null;
    }

    @Override
    public @Nullable StorageFile find(BackupFile file) {
        return null;
    }

    @Override
    public boolean isWhole(BackupFile file) {
        return false;
    }

    @Override
    public boolean readsAll() {
        return true;
    }

    @Override
    public BackupFile put(String name, State state, Content content) throws IOException {
        CRC32C crc = new CRC32C();
        Counting out = new Counting(zip.begin(name));
        content.writeTo(new CheckedOutputStream(out, crc));
        zip.end();
        written++;
        writtenBytes += out.count;
        return new BackupFile(name, out.count, (int) crc.getValue(), state);
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
    public boolean isUpToDate(BackupManifest manifest) {
        return false;
    }

    @Override
    public void commit(BackupManifest manifest) throws IOException {
        zip.begin(BackupManifest.NAME).write(manifest.encode());
        zip.end();
        zip.finish();
        requireItIsReadBack(manifest);
        zip.rename();
    }

    private void requireItIsReadBack(BackupManifest manifest) throws IOException {
        @Nullable PersistException cause = null;
        try {
            if (Backup.zip(storage, zip.temporary()).verify().equals(manifest)) {
                return;
            }
        } catch (CorruptLogException | UnsupportedFormatException | LogIOException different) {
            cause = different;
        }
        throw new IOException(
                "what was written is read back differently: file=" + zip.temporary()
                        + "; look at its disk, and back up again",
                cause);
    }

    @Override
    public void close() {
        zip.close();
    }

    private static final class Counting extends OutputStream {

        private final OutputStream out;
        private long count;

        Counting(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            count++;
        }

        @Override
        public void write(byte[] source, int from, int length) throws IOException {
            out.write(source, from, length);
            count += length;
        }
    }
}
