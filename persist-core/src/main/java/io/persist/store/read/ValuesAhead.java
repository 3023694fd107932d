package io.persist.store.read;

import io.persist.error.PersistException;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.store.layer.Layer;
import io.persist.store.value.MappedSegment;
import io.persist.store.value.MappedSegments;
import io.persist.store.value.ReadBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values to which a scan comes next, of those that do not seem to be in memory: they are read together, in the
 * order in which they lie on the disk, neighbours at once. First it is one value, and four times as many as before each
 * time that the scan has wanted all of them. So a scan that looks at keys only, or at a value here and there, has
 * nothing read ahead. An error of what is read ahead is left to the scan: it throws it where it comes to that.
 *
 * <p><b>Threads:</b> the scan's; others help to read. <b>Allocation:</b> some each time that values are read; the
 * memory for them, up to 2 MiB, is used again.
 */
final class ValuesAhead {

    static final int MOST_VALUES = 256;
    static final int MOST_BYTES = 1 << 20;

    /** One that is longer is read alone: nothing is to be gained. */
    static final int MOST_LENGTH = 64 << 10;

    /** What lies between two entries and is shorter is read with them: the device reads whole pages anyway. */
    static final int MOST_GAP = 4096;

    private static final int GROWTH = 4;

    private final MappedSegments segments;
    private final Supplier<RangeCursor> newCursor;
    private @Nullable RangeCursor cursor;

    /** Of the entries, in the scan's order. */
    private final long[] positions = new long[MOST_VALUES];

    private final int[] lengths = new int[MOST_VALUES];

    /** Where they are in the memory, or -1. */
    private final int[] indexes = new int[MOST_VALUES];

    /** The positions of those that are read, ascending; and which read is theirs, where it puts them. */
    private final long[] sorted = new long[MOST_VALUES];

    private final int[] sortedLengths = new int[MOST_VALUES];
    private final int[] reads = new int[MOST_VALUES];
    private final int[] sortedIndexes = new int[MOST_VALUES];
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private int window = 1;
    private int count;

    /** The scan's step of the first entry, the one that was wanted last, and how many were since the first. */
    private long first = -1;

    private long last = -1;
    private long wanted;

    /** {@code newCursor} makes one of its own over what is scanned. */
    ValuesAhead(MappedSegments segments, Supplier<RangeCursor> newCursor) {
        this.segments = segments;
        this.newCursor = newCursor;
    }

    /** The memory in which the entries are. */
    ByteBuffer memory() {
        return memory;
    }

    /** Where the entry is in the memory to which the scan has come by {@code step}; -1 if it is to be read alone. */
    int find(long step, KeyBuffer key, long position) {
        if (step != last) {
            wanted++;
            last = step;
        }
        if (step >= first + count && segments.at(position).isCold()) {
            read(step, key);
        }
        return step < first + count ? indexes[(int) (step - first)] : -1;
    }

    private void read(long step, KeyBuffer key) {
        boolean wantedAll = first >= 0 && wanted > step - first;
        window = wantedAll ? Math.min(GROWTH * window, MOST_VALUES) : 1;
        first = step;
        wanted = 1;
        count = 1;
        indexes[0] = -1;
        if (window > 1) {
            look(key);
            readSorted(sort());
        }
    }

    /** Looks up where the entries are to which the scan comes, up to a node of the index that cannot be read. */
    private void look(KeyBuffer key) {
        count = 0;
        try {
            RangeCursor at = cursor == null ? newCursor.get() : cursor;
            cursor = at;
            at.before(key);
            lookFrom(at);
        } catch (PersistException e) {
            // The scan throws it when it comes there, if it ever does.
        }
    }

    private void lookFrom(RangeCursor at) {
        int bytes = 0;
        int own = 0;
        while (count < window && own < MOST_VALUES && at.next()) {
            if (Layer.isOwn(at.position())) {
                own++;
                continue;
            }
            long length =
                    (long) TransactionLayout.ENTRY_HEADER_LENGTH + at.key().length() + at.length();
            boolean isLong = length > MOST_LENGTH;
            bytes += isLong ? 0 : (int) length;
            if (bytes > MOST_BYTES) {
                return;
            }
            positions[count] = at.position();
            lengths[count] = isLong ? 0 : (int) length;
            indexes[count] = -1;
            count++;
        }
    }

    /** Sorts those that are to be read; returns how many they are. */
    private int sort() {
        int n = 0;
        for (int i = 0; i < count; i++) {
            if (lengths[i] > 0 && isToBeRead(i)) {
                sorted[n++] = positions[i];
            }
        }
        Arrays.sort(sorted, 0, n);
        for (int i = 0; i < count; i++) {
            int rank = Arrays.binarySearch(sorted, 0, n, positions[i]);
            if (rank >= 0) {
                sortedLengths[rank] = lengths[i];
            }
        }
        return n;
    }

    private boolean isToBeRead(int i) {
        try {
            MappedSegment segment = segments.at(positions[i]);
            return positions[i] + lengths[i] <= segment.basePosition() + segment.length() && segment.isCold();
        } catch (PersistException e) { // the scan throws it when it comes there
            return false;
        }
    }

    private void readSorted(int n) {
        int used = plan(n);
        if (used > memory.capacity()) {
            int most = MOST_BYTES + MOST_VALUES * MOST_GAP;
            memory = ByteBuffer.allocate(Math.min(most, Math.max(used, 2 * memory.capacity())))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
        ReadBatch batch = new ReadBatch(segments, memory.array(), n);
        for (int from = 0; from < n; ) {
            int to = from;
            while (to < n && reads[to] == reads[from]) {
                to++;
            }
            int length = sortedIndexes[to - 1] + sortedLengths[to - 1] - sortedIndexes[from];
            batch.add(sorted[from], length, sortedIndexes[from]);
            from = to;
        }
        batch.runAll();
        for (int i = 0; i < count; i++) {
            int rank = Arrays.binarySearch(sorted, 0, n, positions[i]);
            indexes[i] = rank >= 0 && batch.isRead(reads[rank]) ? sortedIndexes[rank] : -1;
        }
    }

    /** Gives each entry its read, and its place in the memory; returns how much of that is needed. */
    private int plan(int n) {
        int used = 0;
        for (int i = 0; i < n; i++) {
            long gap = i == 0 ? 0 : sorted[i] - sorted[i - 1] - sortedLengths[i - 1];
            boolean goesOn = i > 0 && gap <= MOST_GAP && segments.at(sorted[i]).contains(sorted[i - 1]);
            reads[i] = i == 0 ? 0 : reads[i - 1] + (goesOn ? 0 : 1);
            sortedIndexes[i] = used + (goesOn ? (int) gap : 0);
            used = sortedIndexes[i] + sortedLengths[i];
        }
        return used;
    }
}
