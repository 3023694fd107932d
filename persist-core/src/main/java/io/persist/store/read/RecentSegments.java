package io.persist.store.read;

import io.persist.file.Storage;
import io.persist.store.value.MappedSegment;
import io.persist.store.value.MappedSegments;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The few segments that were looked into last, of a log that others write. No more than these stay mapped: here nobody
 * tells that one was taken away, and its space does not come back before it is unmapped.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> some when a segment is mapped, else none.
 */
final class RecentSegments implements AutoCloseable {

    static final int MOST = 4;

    private final MappedSegments segments;

    /** Where they begin, in the order in which they were mapped. */
    private final Queue<Long> bases = new ArrayDeque<>(MOST);

    RecentSegments(Storage storage) {
        this.segments = MappedSegments.ofOthers(storage);
    }

    /** The segment in which {@code position} lies, as {@link MappedSegments#at} has it. */
    MappedSegment at(long position) {
        MappedSegment known = segments.known(position);
        return known == null ? map(position) : known;
    }

    private MappedSegment map(long position) {
        if (bases.size() == MOST) {
            segments.drop(bases.remove());
        }
        MappedSegment segment = segments.at(position);
        bases.add(segment.basePosition());
        return segment;
    }

    @Override
    public void close() {
        segments.close();
    }
}
