package io.persist.index.read;

import io.persist.index.node.KeyBuffer;

/**
 * Goes through keys in order, both ways. Like a {@link java.util.ListIterator} it stands between two keys: {@link
 * #next} returns the one behind and {@link #previous} the one before, and each goes over it.
 *
 * <p><b>Threads:</b> those of what it goes through. <b>Allocation:</b> none.
 */
public interface KeyCursor {

    /** Goes before the first key. */
    void toStart();

    /** Goes behind the last key. */
    void toEnd();

    /** Goes before the first key that is not less than {@code from}, which need not be there. */
    void to(KeyBuffer from);

    /** Goes over the next key; false if there is none. */
    boolean next();

    /** Goes back over the key before; false if there is none. */
    boolean previous();

    /** The key that was gone over last. Valid until the next call, and not to be changed. */
    KeyBuffer key();

    /** Where the value of that key lies. */
    long position();

    /** The length of that value in bytes. */
    int length();
}
