package io.persist.tool.print;

import io.persist.file.Storage;
import io.persist.log.LogContent;
import io.persist.tool.select.SegmentFiles;
import java.nio.ByteBuffer;
import java.util.List;

/** Takes a record's payload apart for printing. Which decoder fits depends on what the log's records are. */
@FunctionalInterface
public interface RecordDecoder {

    /** The payload is all there is to say of a record. */
    RecordDecoder PLAIN = (payload, position) -> List.of();

    /**
     * What the record is made of; empty if its payload is all there is to print.
     *
     * @param payload from position to limit, little-endian; the decoder may move it
     * @param position where the record begins
     * @throws io.persist.error.CorruptLogException if the payload is not what it should be
     * @throws io.persist.error.UnsupportedFormatException if a newer version wrote it
     */
    List<Part> parts(ByteBuffer payload, long position);

    /** The decoder for the records of {@code log}. */
    static RecordDecoder of(Storage log) {
        return of(SegmentFiles.content(log));
    }

    /** The decoder for records of this kind. */
    static RecordDecoder of(LogContent content) {
        return switch (content) {
            case MESSAGES -> PLAIN;
            case PACKETS -> new PacketDecoder();
            case TRANSACTIONS -> new TransactionDecoder();
        };
    }
}
