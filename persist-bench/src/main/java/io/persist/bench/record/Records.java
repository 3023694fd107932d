package io.persist.bench.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What was written, record by record, to be compared with what is read. */
public interface Records {

    /** What a record is called. */
    String noun();

    /**
     * The index of a record that was read, from 0 on, as it says itself; below 0 if it is too short to say it. Only for
     * the records of several producers.
     */
    long index(ByteBuffer payload);

    /** How what was read differs from the record of this index, or null if it does not. */
    @Nullable
    String difference(ByteBuffer payload, long index);
}
