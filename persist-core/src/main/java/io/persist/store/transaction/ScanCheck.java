package io.persist.store.transaction;

import io.persist.index.node.KeyBuffer;
import io.persist.index.read.KeyCursor;
import io.persist.store.KeyRange;
import io.persist.store.staged.ScannedRange;
import io.persist.store.state.MovedPlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Whether what scans have read is as it was: the keys that they have shown, with their values, and that there are no
 * others between these. It needs no list of them. What was committed behind a scan lies behind where the log ended for
 * the scan. If no value in its range does, each key there is one that the scan has shown, as it was. If there are as
 * many as it has shown, none of them is gone.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> some for each scan, and for each change of the transaction's own
 * that it had to go past; none for the keys.
 */
final class ScanCheck {

    /** To go to a key takes as long as to count so many. */
    static final long KEYS_PER_SEARCH = 64;

    /** So many committed keys are expected in all {@code parts}, with values that were put before {@code end}. */
    private record Scanned(List<KeyRange> parts, long keys, long end) {}

    private final List<Scanned> scans = new ArrayList<>();
    private final KeyBuffer key = new KeyBuffer();
    private long work;

    /** Of what these have read by now. */
    ScanCheck(List<ScannedRange> scanned) {
        for (ScannedRange range : scanned) {
            List<KeyRange> parts = range.parts();
            if (!parts.isEmpty()) {
                scans.add(new Scanned(parts, range.keys(), range.end()));
                work += range.keys() + KEYS_PER_SEARCH * parts.size();
            }
        }
    }

    /** How long it takes, in keys that are counted in a row. */
    long work() {
        return work;
    }

    /** All that was read. */
    List<KeyRange> parts() {
        List<KeyRange> all = new ArrayList<>();
        scans.forEach(scan -> all.addAll(scan.parts()));
        return all;
    }

    /** Whether nothing was changed, as the keys are under {@code cursor}. */
    boolean areUnchanged(KeyCursor cursor, MovedPlaces moved) {
        for (Scanned scan : scans) {
            if (!isUnchanged(scan, cursor, moved)) {
                return false;
            }
        }
        return true;
    }

    private boolean isUnchanged(Scanned scan, KeyCursor cursor, MovedPlaces moved) {
        LongPredicate wasThere = place -> place < scan.end() || moved.putBefore(place) <= scan.end();
        long left = scan.keys();
        for (KeyRange part : scan.parts()) {
            byte[] first = part.firstKey();
            byte[] limit = part.limit();
            cursor.to(key.set(first, 0, first.length));
            long count = cursor.countBelow(limit == null ? null : key.set(limit, 0, limit.length), wasThere);
            if (count == KeyCursor.UNEXPECTED) {
                return false;
            }
            left -= count;
        }
        return left == 0;
    }
}
