package io.persist.store.read;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.index.node.KeyBuffer;
import io.persist.memory.LentBytes;
import io.persist.store.value.MappedSegment;
import io.persist.store.value.MappedSegments;
import io.persist.store.value.ValueReader;
import java.util.function.LongFunction;

/**
 * Reads the values that changes have replaced, wherever in the log they are.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class OldValueReader implements AutoCloseable {

    private final ValueReader values = new ValueReader();
    private final LongFunction<MappedSegment> segments;
    private final Runnable closeSegments;

    private OldValueReader(LongFunction<MappedSegment> segments, Runnable closeSegments) {
        this.segments = segments;
        this.closeSegments = closeSegments;
    }

    /** One that reads in {@code segments} of a store, which sees to it that those are dropped that are gone. */
    static OldValueReader of(MappedSegments segments) {
        return new OldValueReader(segments::at, () -> {});
    }

    /** One that has segments of its own, of the log in {@code storage}. */
    static OldValueReader alone(Storage storage) {
        RecentSegments own = new RecentSegments(storage);
        return new OldValueReader(own::at, own::close);
    }

    /**
     * The value of {@code key} whose entry is at {@code position}; lent until the next call.
     *
     * @throws RetiredException if compaction has taken it away
     * @throws io.persist.error.CorruptLogException if it is damaged
     */
    LentBytes read(KeyBuffer key, long position) {
        if (!values.enter(segments.apply(position))) {
            throw new RetiredException("the old value at position " + position
                    + " was taken away by compaction; read old values soon after the change");
        }
        return values.read(key, position);
    }

    /** Takes the last value back. */
    void takeBack() {
        values.takeBack();
    }

    /** Lets go of the segments. The last value stays: it is a copy, and another thread may be reading it. */
    @Override
    public void close() {
        try {
            values.letGo();
        } finally {
            closeSegments.run();
        }
    }
}
