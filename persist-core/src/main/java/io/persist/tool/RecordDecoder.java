package io.persist.tool;

import io.persist.file.Storage;
import java.nio.ByteBuffer;
import java.util.List;

/** Takes a record's payload apart for printing. Which decoder fits depends on what the log's records are. */
@FunctionalInterface
interface RecordDecoder {

    /** A message is nothing but its payload. */
    RecordDecoder MESSAGES = payload -> List.of();

    /**
     * What the record is made of; empty if its payload is all there is to print.
     *
     * @throws io.persist.error.CorruptLogException if the payload is not what it should be; it is printed as it is
     */
    List<Part> parts(ByteBuffer payload);

    /** The decoder for the records of {@code log}. */
    static RecordDecoder of(Storage log) {
        return MESSAGES;
    }
}
