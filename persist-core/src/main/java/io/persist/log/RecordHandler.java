package io.persist.log;

import java.nio.ByteBuffer;

/** Takes the records that {@link Tailer#poll} finds. */
@FunctionalInterface
public interface RecordHandler {

    /**
     * One record.
     *
     * @param position where the record's frame begins
     * @param sequence the record's number, 1 for the first of the log
     * @param payload the record from position to limit; little-endian, read-only, valid only during the call
     */
    void onRecord(long position, long sequence, ByteBuffer payload);
}
