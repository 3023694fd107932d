package io.persist.index.read;

import io.persist.index.node.KeyBuffer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through keys in order, both ways. Like a {@link java.util.ListIterator} it stands between two keys: {@link
 * #next} returns the one behind and {@link #previous} the one before, and each goes over it.
 *
 * <p><b>Threads:</b> those of what it goes through. <b>Allocation:</b> none.
 */
public interface KeyCursor {

    /** No number of keys: a value lay where none was expected. */
    int UNEXPECTED = -1;

    /** Goes before the first key. */
    void toStart();

    /** Goes behind the last key. */
    void toEnd();

    /** Goes before the first key that is not less than {@code from}, which need not be there. */
    void to(KeyBuffer from);

    /** Goes over the next key; false if there is none. */
    boolean next();

    /**
     * Goes over the next keys that are less than {@code end}, all if that is null, as long as {@code expected} is true
     * of where their values lie. It may go over the key behind them too, so {@link #to} has to come next.
     *
     * @return how many there were; {@link #UNEXPECTED} if it was false of one
     */
    default long countBelow(@Nullable KeyBuffer end, LongPredicate expected) {
        long count = 0;
        while (next() && (end == null || key().compareTo(end) < 0)) {
            if (!expected.test(position())) {
                return UNEXPECTED;
            }
            count++;
        }
        return count;
    }

    /** Goes back over the key before; false if there is none. */
    boolean previous();

    /** The key that was gone over last. Valid until the next call, and not to be changed. */
    KeyBuffer key();

    /** Where the value of that key lies. */
    long position();

    /** The length of that value in bytes. */
    int length();
}
