package io.persist.archive;

import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/** The files of an archive, as they come. */
public interface ArchiveSource {

    /** Takes one file; {@code content} ends where the file does. */
    interface Receiver {
        void file(String name, InputStream content) throws IOException;
    }

    void readAll(Receiver receiver) throws IOException;

    /** What is in a zip file. Its names are whatever somebody wrote there. */
    static ArchiveSource zip(Storage storage, String name) {
        return receiver -> {
            try (StorageFile file = storage.open(name, Storage.Access.READ);
                    ZipInputStream zip = new ZipInputStream(new BufferedInputStream(new StorageInput(file)))) {
                for (ZipEntry entry = next(zip); entry != null; entry = next(zip)) {
                    read(entry.getName(), zip, receiver);
                }
            }
        };
    }

    private static void read(String name, ZipInputStream zip, Receiver receiver) throws IOException {
        try {
            receiver.file(name, zip);
        } catch (ZipException | EOFException e) {
            throw new IOException(
                    "the file " + ArchiveManifest.visible(name) + " in it is damaged: " + e.getMessage()
                            + "; take another copy of the zip file",
                    e);
        }
    }

    private static @Nullable ZipEntry next(ZipInputStream zip) throws IOException {
        try {
            return zip.getNextEntry();
        } catch (IllegalArgumentException e) {
            throw new IOException("the name of a file in it is no text", e);
        }
    }

    /** The files of a directory that can belong to an archive. */
    static ArchiveSource directory(Storage storage) {
        return receiver -> {
            for (String name : storage.list().stream().sorted().toList()) {
                if (name.equals(ArchiveManifest.NAME)
                        || LogFileName.basePosition(name).isPresent()) {
                    try (StorageFile file = storage.open(name, Storage.Access.READ)) {
                        receiver.file(name, new StorageInput(file));
                    }
                }
            }
        };
    }
}
