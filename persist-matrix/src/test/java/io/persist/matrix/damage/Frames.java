package io.persist.matrix.damage;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.matrix.damage.Expected.Report;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;

/** Where in the files of a whole log its frames are, and so which bytes mean something. */
final class Frames {

    /**
     * A frame.
     *
     * @param recordsBefore how many records of the log come before it
     * @param synced up to where it says that the log was synced
     */
    record Place(String file, int offset, int length, long position, int recordsBefore, long synced) {}

    private final NavigableMap<String, byte[]> files;
    private final List<Place> places = new ArrayList<>();
    private final boolean isStore;
    private final boolean hasControl;
    private int records;

    Frames(NavigableMap<String, byte[]> files, boolean isStore) {
        this.files = files;
        this.isStore = isStore;
        this.hasControl = files.containsKey(LogFileName.CONTROL);
        files.keySet().stream()
                .filter(name -> LogFileName.basePosition(name).isPresent())
                .forEach(this::walk);
    }

    private void walk(String name) {
        ByteBuffer segment = ByteBuffer.wrap(files.get(name)).order(ByteOrder.LITTLE_ENDIAN);
        long base = LogFileName.basePosition(name).orElseThrow();
        int offset = SegmentHeader.LENGTH;
        while (offset + Frame.HEADER_LENGTH <= segment.capacity() && Frame.length(segment, offset) > 0) {
            int length = Frame.length(segment, offset);
            long position = base + offset;
            long synced = Frame.syncedPosition(segment, offset, position);
            places.add(new Place(name, offset, length, position, records, synced));
            if (Frame.type(segment, offset) == Frame.TYPE_RECORD) {
                records++;
            }
            offset += Frame.aligned(length);
        }
    }

    /** All frames, in the log's order. */
    List<Place> places() {
        return places;
    }

    /** The file in which the log ends, and where in it the next frame would be. */
    Place tail() {
        Place last = places.get(places.size() - 1);
        int offset = last.offset + Frame.aligned(last.length);
        return new Place(last.file, offset, 0, last.position + Frame.aligned(last.length), records, 0);
    }

    boolean isUsed(String name) {
        return places.stream().anyMatch(place -> place.file.equals(name));
    }

    /** What has to come of it when the file {@code name} is {@code damaged}. */
    Expected expected(String name, byte[] damaged) {
        byte[] whole = files.get(name);
        int first = Arrays.mismatch(whole, damaged);
        if (LogFileName.basePosition(name).isEmpty() || first < 0 || !isUsed(name)) {
            return new Expected(records, Report.NEVER, first, false);
        }
        int offset = last(name, damaged, first);
        if (first < SegmentHeader.LENGTH || damaged.length != whole.length) {
            return covered(records, true, offset);
        }
        for (Place place : places) {
            if (place.file.equals(name) && isChanged(place, damaged)) {
                boolean isProven = hasControl || isProven(place.position, name, damaged);
                int from = Math.max(offset, place.offset); // what was changed before it is padding
                return covered(isProven ? records : place.recordsBefore, isProven, from);
            }
        }
        int end = whole.length; // a tailer may find that what follows the last record is none
        return new Expected(records, Report.NEVER, end, false);
    }

    private Expected covered(int least, boolean isProven, int offset) {
        return new Expected(least, isProven && !isStore ? Report.ALWAYS : Report.PERHAPS, offset, isProven);
    }

    /** The last byte at which the damage may be reported: a store reads from somewhere in the midst of the log on. */
    private int last(String name, byte[] damaged, int first) {
        byte[] whole = files.get(name);
        if (!isStore || damaged.length != whole.length) {
            return first;
        }
        int last = whole.length - 1;
        while (whole[last] == damaged[last]) {
            last--;
        }
        return last;
    }

    private boolean isChanged(Place place, byte[] damaged) {
        int end = place.offset + place.length;
        return !Arrays.equals(files.get(place.file), place.offset, end, damaged, place.offset, end);
    }

    /** Whether a frame that is still whole says that what was at {@code position} was synced. */
    private boolean isProven(long position, String name, byte[] damaged) {
        return places.stream()
                .anyMatch(place -> place.synced > position && !(place.file.equals(name) && isChanged(place, damaged)));
    }
}
