package io.persist.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file's bytes as memory, little-endian. A mapping of a real file that was not closed ends when the garbage collector
 * finds that nothing refers to it, its buffer or a view of that.
 */
public interface Mapping extends AutoCloseable {

    /** The bytes; a direct buffer, not to be touched after {@link #close}. */
    ByteBuffer buffer();

    /** Makes what was stored in the range survive a power cut. */
    void force(int offset, int length) throws IOException;

    @Override
    void close();
}
