package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;

/**
 * A range whose keys are removed. The position of a key's value tells whether the key is: a key whose value lies before
 * the removal is removed, a key whose value lies behind it was put since.
 *
 * <p><b>Threads:</b> any, once it is on the log; from then on it does not change.
 */
public final class RemovedRange {

    private final KeySpan span;
    private long position;

    /** The range of the entry at {@code position}. */
    public RemovedRange(KeySpan span, long position) {
        this.span = span;
        this.position = position;
    }

    /** Until now its position was that in a transaction, which has been appended at {@code payload}. */
    public void appendedAt(long payload) {
        position += payload;
    }

    /** Its keys. */
    public KeySpan span() {
        return span;
    }

    /** The position of the entry that removes it. */
    public long position() {
        return position;
    }

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    public boolean removes(KeyBuffer key, long at) {
        return at < position && span.contains(key);
    }
}
