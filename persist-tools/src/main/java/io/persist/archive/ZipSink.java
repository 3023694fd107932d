package io.persist.archive;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip file, which has another name until it is whole. */
public final class ZipSink implements ArchiveSink {

    private static final int BUFFER_LENGTH = 64 << 10;

    private final Storage storage;
    private final String name;
    private final String temporary;
    private final StorageFile file;
    private final ZipOutputStream zip;
    private String current;
    private boolean isCommitted;

    public ZipSink(Storage storage, String name) throws IOException {
        this.storage = storage;
        this.name = name;
        this.temporary = name + LogFileName.TEMPORARY_SUFFIX;
        this.current = temporary;
        List<String> there = storage.list();
        if (there.contains(name)) {
            throw new IOException("file exists already: " + name + "; choose another name");
        }
        if (there.contains(temporary)) {
            throw new IOException("file exists already: " + temporary + "; a run that was killed has left it, or one is"
                    + " under way: if none is, delete it and try again");
        }
        this.file = storage.create(temporary);
        this.zip = new ZipOutputStream(new BufferedOutputStream(new StorageOutput(file), BUFFER_LENGTH));
    }

    @Override
    public OutputStream begin(String entry) throws IOException {
        zip.putNextEntry(new ZipEntry(entry));
        return zip;
    }

    @Override
    public void end() throws IOException {
        zip.closeEntry();
    }

    @Override
    public void commit() throws IOException {
        finish();
        rename();
    }

    /** The name that the file has until {@link #rename}. */
    public String temporary() {
        return temporary;
    }

    /** Ends the zip file, and syncs it: the first half of a commit. */
    public void finish() throws IOException {
        zip.close(); // ends the zip, and closes nothing of the file
        file.sync();
        file.close();
    }

    /** Gives the file its name: the second half of a commit. */
    public void rename() throws IOException {
        requireFreeName();
        storage.rename(temporary, name);
        current = name;
        storage.syncDirectory();
        isCommitted = true;
    }

    /** A rename replaces what has the name. Whatever has come since the name was found free is not ours. */
    private void requireFreeName() throws IOException {
        if (storage.list().contains(name)) {
            throw new IOException("something else has made this file meanwhile: file=" + name + ", directory="
                    + storage.description() + "; choose another name");
        }
    }

    @Override
    public void close() {
        file.close();
        if (!isCommitted) {
            Removal.of(storage, current);
        }
    }
}
