package io.persist.log.retention;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.WriterLock;
import io.persist.format.control.CursorSlot;
import io.persist.log.RetentionPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * From which position on the log is needed: by the tailers that its writer has opened, and by the cursors, of any
 * process.
 */
final class LogNeeds {

    /**
     * So long, and while the cursors are read before, those that were stored just then are synced, and for the segment
     * in work then, others wait for the lock of the cursors. They give up after 10 s.
     */
    private static final long LONGEST_HOLD_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final OpenTailers tailers;
    private final CursorDirectory cursors;
    private final LongSupplier clockNs;

    /** Says that the log has to stay from {@code position} on, and why. */
    record Need(long position, String why) {}

    /** Takes one segment away. */
    interface Taker {
        void take(RetentionPlan.Item item) throws IOException;
    }

    private interface CursorReader {
        CursorSlot read(String name) throws IOException;
    }

    LogNeeds(OpenTailers tailers, CursorDirectory cursors) {
        this(tailers, cursors, System::nanoTime);
    }

    /** The same with another clock. */
    LogNeeds(OpenTailers tailers, CursorDirectory cursors, LongSupplier clockNs) {
        this.tailers = tailers;
        this.cursors = cursors;
        this.clockNs = clockNs;
    }

    /** The earliest of all needs, as it is now; cursors as they are in memory. */
    Need now() throws IOException {
        return earlier(ofTailers(), ofCursors(cursors::read));
    }

    /**
     * Has {@code taker} take {@code items} away, one after the other, up to the first that is needed; returns that one
     * and all behind it, which stay.
     *
     * <p>The lock of the cursors is held for some of them at a time, and given to others in between. While it is held
     * no cursor can be made, or go back, so the cursors are read once. There may be hundreds, on a device whose sync
     * takes long: so they are synced before the lock is taken, and then only those that were stored since. A tailer of
     * this process can go back at any time, so the tailers are asked before each segment; that takes no look at a file.
     */
    List<RetentionPlan.Held> take(List<RetentionPlan.Item> items, Taker taker) throws IOException {
        List<RetentionPlan.Held> held = new ArrayList<>();
        Iterator<RetentionPlan.Item> left = items.iterator();
        if (!left.hasNext()) {
            return held;
        }
        Map<String, CursorSlot> synced = new HashMap<>();
        CursorReader reader = name -> readSynced(name, synced);
        ofCursors(reader);
        while (left.hasNext()) {
            takeSome(left, reader, taker, held);
            if (left.hasNext()) {
                cursors.letOthersGo();
            }
        }
        return held;
    }

    /** The slot of the cursor {@code name}, which survives a power cut, as those in {@code synced} do. */
    private CursorSlot readSynced(String name, Map<String, CursorSlot> synced) throws IOException {
        CursorSlot slot = cursors.read(name);
        if (!slot.equals(synced.get(name))) {
            slot = cursors.readSynced(name);
            synced.put(name, slot);
        }
        return slot;
    }

    private void takeSome(
            Iterator<RetentionPlan.Item> left, CursorReader reader, Taker taker, List<RetentionPlan.Held> held)
            throws IOException {
        WriterLock exclusive = cursors.exclusive();
        try {
            Need stored = ofCursors(reader);
            long startNs = clockNs.getAsLong(); // behind the reading: the longer that takes, the less often
            do {
                RetentionPlan.Item item = left.next();
                Need need = takeUnlessNeeded(item, stored, taker);
                if (need != null) {
                    held.add(new RetentionPlan.Held(item, need.why()));
                    left.forEachRemaining(after -> held.add(new RetentionPlan.Held(after, need.why())));
                }
            } while (left.hasNext() && clockNs.getAsLong() - startNs < LONGEST_HOLD_NS);
        } finally {
            exclusive.close();
        }
    }

    /** Returns what needs {@code item}, null if nothing does and it was taken away. */
    private @Nullable Need takeUnlessNeeded(RetentionPlan.Item item, Need stored, Taker taker) throws IOException {
        synchronized (tailers) { // none can be added meanwhile
            Need need = earlier(ofTailers(), stored);
            if (item.endPosition() > need.position()) {
                return need;
            }
            taker.take(item);
            return null;
        }
    }

    /** The first of the two if they are at the same position. */
    private static Need earlier(Need one, Need other) {
        return other.position() < one.position() ? other : one;
    }

    private Need ofTailers() {
        long read = tailers.neededPosition();
        return new Need(read, "a tailer that this log has opened reads at position " + read);
    }

    private Need ofCursors(CursorReader reader) throws IOException {
        Need lowest = new Need(Long.MAX_VALUE, "there is no cursor");
        for (String name : cursors.names()) {
            lowest = earlier(lowest, need(name, reader));
        }
        return lowest;
    }

    private static Need need(String name, CursorReader reader) throws IOException {
        try {
            CursorSlot slot = reader.read(name);
            String why = "cursor " + name + " is at position " + slot.position();
            return new Need(
                    slot.position(),
                    slot.isCutOff()
                            ? why + ", although its reader is refused since a repair or a restore has cut the log"
                            : why);
        } catch (FileNotFoundException removed) {
            return new Need(Long.MAX_VALUE, "cursor " + name + " is gone");
        } catch (CorruptLogException | UnsupportedFormatException e) {
            return new Need(
                    Long.MIN_VALUE, "cursor " + name + " cannot be read, so it may be anywhere: " + e.getMessage());
        }
    }
}
