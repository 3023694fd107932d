package io.persist.file;

/** The right to write to a directory, until closed. It ends with the process, however that ends. */
public interface WriterLock extends AutoCloseable {

    @Override
    void close();
}
