package io.persist.file;

import java.io.IOException;

/** The right to write to a directory, until closed. It ends with the process, however that ends. */
public interface WriterLock extends AutoCloseable {

    /**
     * Whether the file that was locked still has its name. Quick, without allocation: a file of the same time of change
     * may pass for it.
     */
    boolean isInPlace() throws IOException;

    @Override
    void close();
}
