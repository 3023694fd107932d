package io.persist.archive;

import java.io.IOException;
import java.io.OutputStream;

/** Where files are written that are there all together or not at all. Closing it before the commit removes them. */
interface ArchiveSink extends AutoCloseable {

    /** Begins a file; the one before has been ended. */
    OutputStream begin(String name) throws IOException;

    void end() throws IOException;

    /** Makes all files survive a power cut, under their names. The last one that was written gets its name last. */
    void commit() throws IOException;

    @Override
    void close();
}
