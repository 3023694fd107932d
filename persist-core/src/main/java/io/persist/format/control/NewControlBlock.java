package io.persist.format.control;

import io.persist.format.PersistVersion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of a {@link ControlBlock} that no writer has had open yet. */
public final class NewControlBlock {

    private NewControlBlock() {}

    /** Of a log of which nothing is known: to be written to the file before that is mapped. */
    public static byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(ControlBlock.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(ControlBlock.MAGIC_OFFSET, ControlBlock.MAGIC)
                .putInt(ControlBlock.VERSION_OFFSET, ControlBlock.VERSION);
        PersistVersion.CURRENT.put(bytes, ControlBlock.WRITTEN_BY_OFFSET);
        return bytes.array();
    }

    /** Of the log {@code logId}, all of it safe up to {@code end}. */
    public static byte[] encodeSynced(long logId, long end) {
        ByteBuffer bytes = ByteBuffer.wrap(encode()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(ControlBlock.SYNCED_OFFSET, end).putLong(ControlBlock.SYNCED_OFFSET + Long.BYTES, ~end);
        return bytes.putLong(ControlBlock.LOG_ID_OFFSET, logId).array();
    }
}
