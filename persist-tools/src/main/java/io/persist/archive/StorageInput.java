package io.persist.archive;

import io.persist.file.StorageFile;
import java.io.IOException;
import java.io.InputStream;

/** Reads a file from its start. Closing it does not close the file. */
public final class StorageInput extends InputStream {

    private final StorageFile file;
    private long offset;

    public StorageInput(StorageFile file) {
        this.file = file;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 1 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int read = file.read(offset, target, from, length);
        offset += read;
        return read == 0 ? -1 : read;
    }
}
