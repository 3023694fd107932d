package io.persist.store.layer;

import io.persist.index.node.KeyBuffer;

/**
 * A range whose keys are removed. The position of a key's value tells whether the key is: a key whose value lies before
 * the removal is removed, a key whose value lies behind it was put since.
 *
 * @param position of the entry that removes it
 */
public record RemovedRange(KeySpan span, long position) {

    /** Whether {@code key} is removed, whose value lies at {@code at}. */
    public boolean removes(KeyBuffer key, long at) {
        return at < position && span.contains(key);
    }
}
