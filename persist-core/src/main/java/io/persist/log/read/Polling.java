package io.persist.log.read;

import io.persist.log.RecordHandler;
import io.persist.log.thread.CallingThread;

/**
 * Hands the records of a tailer to a handler. While the handler runs it does not touch the file, so the thread that
 * closes the tailer need not wait for the handler: see {@link CallingThread}. The handler keeps its record meanwhile.
 *
 * <p><b>Threads:</b> its tailer's.
 */
final class Polling {

    private final Tailer tailer;
    private final FrameCursor cursor;
    private final TailerMoves moves;

    Polling(Tailer tailer, FrameCursor cursor, TailerMoves moves) {
        this.tailer = tailer;
        this.cursor = cursor;
        this.moves = moves;
    }

    /** As {@link Tailer#poll} says. */
    int poll(RecordHandler handler, int limit) {
        if (limit < 1) { // 0 would be taken for "nothing new", again and again
            throw new IllegalArgumentException("limit=" + limit + ", min=1");
        }
        int count = 0;
        try {
            while (count < limit && tailer.next()) {
                hand(handler);
                count++;
            }
            return count;
        } finally {
            cursor.leaveRecord();
        }
    }

    private void hand(RecordHandler handler) {
        long position = cursor.position();
        long sequence = cursor.sequence();
        long next = cursor.nextPosition();
        boolean handled = false;
        try {
            handler.onRecord(position, sequence, cursor.payload().view());
            handled = true;
        } finally {
            if (!handled && cursor.nextPosition() == next) { // else the handler has gone elsewhere
                moves.backTo(position, sequence);
            }
        }
    }
}
