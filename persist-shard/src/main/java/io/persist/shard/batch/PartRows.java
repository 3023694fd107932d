package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSource;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one part that are wanted; each is looked for one call ahead. The last one is a copy, so that the array is
 * free when there is no more. One thread.
 */
final class PartRows implements Rows {

    private static final int NOWHERE = -1;

    private final ByteSource source;
    private final byte[] bytes;
    private final Runnable release;
    private final LongPredicate wanted;
    private int left;

    /** Where the row lies that is made next, for which there may have been no memory. */
    private int foundAt = NOWHERE;

    private @Nullable Row upcoming;
    private boolean isReleased;

    /**
     * Rows that lie in {@code bytes}.
     *
     * @param source at the number of rows
     * @param release is told that the array is free
     * @param wanted tells by the time
     */
    PartRows(ByteSource source, byte[] bytes, Runnable release, LongPredicate wanted) {
        this.source = source;
        this.bytes = bytes;
        this.release = release;
        this.wanted = wanted;
        this.left = source.nextCount();
        this.upcoming = find();
    }

    @Override
    public @Nullable Row next() {
        Row row = upcoming;
        if (row != null) {
            Row following = find();
            Row given = following == null ? row.copy() : row; // before this goes on: the heap may have no room for it
            upcoming = following;
            return given;
        }
        if (!isReleased) {
            isReleased = true;
            release.run();
        }
        return null;
    }

    /** Looks whether each field is within the part before the row is made. */
    private @Nullable Row find() {
        while (foundAt < 0 && left > 0) {
            left--;
            int from = source.position();
            source.skipBytes();
            source.skipBytes();
            long time = source.nextLong();
            source.nextLong();
            foundAt = wanted.test(time) ? from : NOWHERE;
        }
        if (foundAt < 0) {
            return null;
        }
        Row row = Row.at(bytes, foundAt);
        foundAt = NOWHERE;
        return row;
    }
}
