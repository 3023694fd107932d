package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSource;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one part that are wanted; each is looked for one call ahead. The last one is a copy, so that the array is
 * free when there is no more. One thread.
 */
final class PartRows implements Rows {

    private final ByteSource source;
    private final byte[] bytes;
    private final Runnable release;
    private final LongPredicate wanted;
    private int left;
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
            upcoming = find();
            return upcoming == null ? row.copy() : row;
        }
        if (!isReleased) {
            isReleased = true;
            release.run();
        }
        return null;
    }

    /** Looks whether each field is within the part before the row is made. */
    private @Nullable Row find() {
        while (left > 0) {
            left--;
            int from = source.position();
            source.skipBytes();
            source.skipBytes();
            long time = source.nextLong();
            source.nextLong();
            if (wanted.test(time)) {
                return Row.at(bytes, from);
            }
        }
        return null;
    }
}
