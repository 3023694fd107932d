package io.persist.archive;

import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import java.io.IOException;
import java.io.OutputStream;

/** Writes a new file from its start. Closing it does not close the file. */
public final class StorageOutput extends OutputStream {

    private final StorageFile file;
    private long offset;

    public StorageOutput(StorageFile file) {
        this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
        file.write(offset, source, from, length, WriteThrough.NONE);
        offset += length;
    }
}
