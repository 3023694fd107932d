package io.persist.bench.rows;

import java.io.IOException;

/** A table of two columns, a number and a text, that one thread fills. */
public interface RowTable extends AutoCloseable {

    /** Begins a batch. */
    void begin() throws IOException;

    /**
     * Adds a row to it.
     *
     * @param number of the row, greater than the one before
     * @param text as UTF-8; to be left as it is
     */
    void insert(long number, byte[] text) throws IOException;

    /** Ends the batch, which then is as safe as the engine promises. */
    void commit() throws IOException;

    /** Ends all; what SQLite leaves in its WAL is in its file then. */
    @Override
    void close() throws IOException;
}
