package io.persist.archive;

import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import java.io.IOException;

/** Writes a new file from its start, which has its length after a flush. Closing it does not close the file. */
public final class StorageOutput extends BlockOutput {

    private final StorageFile file;
    private long written;

    public StorageOutput(StorageFile file) {
        this.file = file;
    }

    @Override
    void piece(long at, byte[] source, int from, int length) throws IOException {
        file.write(at, source, from, length, WriteThrough.NONE);
        written = at + length;
    }

    @Override
    public void flush() throws IOException {
        if (written < offset()) {
            piece(offset() - 1, new byte[1], 0, 1);
        }
    }
}
