package io.persist.store.read;

import io.persist.error.RetiredException;
import io.persist.index.node.KeyBuffer;
import io.persist.log.read.Tailer;
import io.persist.store.state.EntryCursor;
import java.util.function.LongConsumer;

/**
 * Steps from change to change, over the ends of transactions and over moves.
 *
 * <p><b>Threads:</b> its reader's. <b>Allocation:</b> none.
 */
final class ChangeCursor {

    private final Tailer tailer;
    private final LongConsumer awaitShown;
    private final EntryCursor entries = new EntryCursor();
    private final KeyBuffer key = new KeyBuffer();
    private boolean inTransaction;
    private boolean onChange;

    /** {@code awaitShown} returns when the store's lookups find what is before a position. */
    ChangeCursor(Tailer tailer, LongConsumer awaitShown) {
        this.tailer = tailer;
        this.awaitShown = awaitShown;
    }

    /** Moves to the next change; false if none has been committed yet. */
    boolean next() {
        while (true) {
            if (inTransaction && entries.next()) {
                entries.key(key);
                onChange = true;
                return true;
            }
            inTransaction = false;
            onChange = false;
            if (!nextTransaction()) {
                return false;
            }
            enter();
        }
    }

    private boolean nextTransaction() {
        try {
            return tailer.next();
        } catch (RetiredException e) { // it advises what is right for a log of messages
            throw ChangeReaders.overtaken(tailer.nextPosition());
        }
    }

    /** Enters the transaction that the tailer is on; one of which something cannot be read is not passed. */
    private void enter() {
        boolean entered = false;
        try {
            wrap();
            if (!entries.isMove()) {
                checkEntries();
                awaitShown.accept(tailer.nextPosition());
            }
            entered = true;
        } finally {
            if (!entered) {
                tailer.toRecord(tailer.position(), tailer.sequence());
            }
        }
        inTransaction = !entries.isMove();
    }

    private void wrap() {
        entries.wrap(tailer.payloadUntilNext(), tailer.position());
    }

    /** Goes over all of them first: whoever was shown some, and is refused the others, could not go on. */
    private void checkEntries() {
        boolean isLeft = true;
        while (isLeft) {
            isLeft = entries.next();
        }
        wrap();
    }

    /** Whether there is a current change. */
    boolean isOnChange() {
        return onChange;
    }

    /** The current change; its transaction is the tailer's record. */
    EntryCursor entry() {
        return entries;
    }

    /** The key of the current change, until the next one. */
    KeyBuffer key() {
        return key;
    }
}
