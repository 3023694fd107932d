package io.persist.store.staged;

import io.persist.index.node.KeyBuffer;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a scan of an optimistic transaction has read by now: how far it has gone in its range, and how many committed
 * keys it has shown there. Together with the end of the log as the scan has it, that says which keys there were: see
 * {@code io.persist.store.transaction.ScanCheck}.
 *
 * <p><b>Threads:</b> the transaction's, but for {@link #closed}. <b>Allocation:</b> none per key; it takes the bytes of
 * the longest key that was shown.
 */
public final class ScannedRange {

    private static final int FIRST_LENGTH = 32;

    private final KeyRange range;
    private final Direction direction;

    /** What the transaction had changed in the range when the scan was opened. */
    private ChangedKeys own;

    private long end;
    private long keys;

    /** The key that was shown last, in the first bytes; none if its length is 0. */
    private byte[] last = new byte[FIRST_LENGTH];

    private int lastLength;

    /** Whether it has gone over all of its range. */
    private boolean isWhole;

    private boolean isClosed;

    /**
     * A scan of {@code range} in {@code direction} by a transaction that has changed {@code own} there; it has shown
     * nothing yet.
     */
    public ScannedRange(KeyRange range, Direction direction, ChangedKeys own) {
        this.range = range;
        this.direction = direction;
        this.own = own;
    }

    /** The scan shows what was committed up to this position of the log. */
    public void opened(long position) {
        end = position;
    }

    /** The scan is about to show a key that is committed, and that the transaction has not changed. */
    public void toCommitted(KeyBuffer key) {
        to(key);
        keys++;
    }

    /** The scan is about to show a key that the transaction has put. */
    public void toOwn(KeyBuffer key) {
        to(key);
    }

    private void to(KeyBuffer key) {
        int length = key.length();
        if (length > last.length) {
            last = new byte[Math.max(length, 2 * last.length)];
        }
        System.arraycopy(key.bytes(), 0, last, 0, length);
        lastLength = length;
    }

    /** The scan has shown all. */
    public void toEnd() {
        isWhole = true;
    }

    /** Behind which position of the log lies what the scan does not show. */
    public long end() {
        return end;
    }

    /** How many committed keys it has shown. */
    public long keys() {
        return keys;
    }

    /** The scan is closed: it shows nothing any more. Any thread. */
    public void closed() {
        isClosed = true; // if its thread sees that late, it keeps some bytes longer
    }

    /** Lets go of the changes behind what a scan that is closed has gone past. */
    public void shrink() {
        if (isClosed) {
            KeyRange passed = passed();
            own = passed == null ? ChangedKeys.NONE : own.in(passed);
        }
    }

    /**
     * Which keys it has read, whether they are there or not: from where it began to the key that was shown last, but
     * not those that the transaction had changed or removed before.
     */
    public List<KeyRange> parts() {
        KeyRange passed = passed();
        return passed == null ? List.of() : own.untouched(passed);
    }

    /** How far it has gone; null if it has not begun. */
    private @Nullable KeyRange passed() {
        if (isWhole) {
            return range;
        }
        if (lastLength == 0) {
            return null;
        }
        byte[] key = Arrays.copyOf(last, lastLength);
        return range.intersection(direction == Direction.FORWARD ? KeyRange.through(key) : KeyRange.from(key));
    }
}
