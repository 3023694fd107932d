package io.persist.log;

import java.nio.ByteBuffer;

/** Takes the records that {@code Tailer.poll} finds. */
@FunctionalInterface
public interface RecordHandler {

    /**
     * Takes one record. If this method throws, the next {@code Tailer.poll} gives the same record again.
     *
     * @param position where the record's frame begins
     * @param sequence the record's number, 1 for the first of the log
     * @param payload the record from position to limit; little-endian, read-only. It has the record only during the
     *     call; then it is empty, or has another record. To keep a record, copy it
     */
    void onRecord(long position, long sequence, ByteBuffer payload);
}
