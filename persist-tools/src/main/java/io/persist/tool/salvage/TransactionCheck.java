package io.persist.tool.salvage;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.Frame;
import io.persist.log.LogContent;
import io.persist.memory.MissingPage;
import io.persist.store.state.EntryCursor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Whether a record that verifies in the log of a store is a transaction that this version knows: what cannot be
 * committed again is missing from what is salvaged.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class TransactionCheck {

    private final EntryCursor entries = new EntryCursor();

    /**
     * Why the record at {@code offset} of a segment cannot be committed again; empty if it can, or is of another
     * content.
     *
     * @param position of the record in the log
     * @throws InternalError if the device or the file behind the segment is gone
     */
    String fault(LogContent content, ByteBuffer segment, int offset, long position) {
        String fault = find(content, segment, offset, position);
        if (!fault.isEmpty()) {
            MissingPage.check(); // it may be what was read in place of a page
        }
        return fault;
    }

    private String find(LogContent content, ByteBuffer segment, int offset, long position) {
        if (content != LogContent.TRANSACTIONS) {
            return "";
        }
        ByteBuffer payload = segment.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        payload.limit(offset + Frame.length(segment, offset)).position(offset + Frame.HEADER_LENGTH);
        try {
            entries.wrap(payload, position);
            while (entries.next()) {
                // Each is looked at.
            }
            return "";
        } catch (CorruptLogException e) {
            return e.damage();
        } catch (UnsupportedFormatException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
