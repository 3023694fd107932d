package io.persist.log.read.visible;

import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.log.read.window.SegmentReader;
import io.persist.memory.MissingPage;
import java.io.IOException;

/**
 * Tells the end of a log from damage, at a place where a reader finds no whole record.
 *
 * <p><b>Threads:</b> the reader's.
 */
public final class EndOrDamage {

    private final Visibility visibility;

    /** For places of the log that {@code visibility} shows. */
    public EndOrDamage(Visibility visibility) {
        this.visibility = visibility;
    }

    /**
     * Nothing was published at {@code offset}, which is -1 where no frame has room: damage, if it was synced.
     *
     * @return -1: the log may end at {@code position}
     */
    public int nothing(SegmentReader reader, int offset, long position) throws IOException {
        if (reader.hasBegunAnew()) {
            throw retired(position);
        }
        if (position < visibility.control().acknowledged()) {
            reader.forget(); // it may have been published since it was read
            if (offset < 0 || reader.frameLength(offset) == 0) {
                throw damaged(reader, position, "nothing where a synced record was");
            }
        }
        if (visibility.isUnrecovered()) {
            return endOfUnrecovered(reader, position, "nothing where a synced record was");
        }
        visibility.control().idle();
        return -1;
    }

    /**
     * Damage, unless a new writer has the frame still in the making, or the log may end here.
     *
     * @param due the number of the record that is due there, 0 if that is not known
     * @return the frame's index in the reader's buffer if it is whole by now, or -1: the log may end here
     */
    public int notWhole(SegmentReader reader, int offset, long position, long due) throws IOException {
        visibility.control().refresh();
        visibility.control().lookAtWriter();
        if (visibility.isUnrecovered()) {
            return endOfUnrecovered(reader, position, "no whole record");
        }
        if (position >= visibility.limit()
                || visibility.mayBeUnrecovered(position)
                || visibility.endsAt(position, reader.header(), due)) {
            return -1;
        }
        int index = reader.loadWhole(offset, reader.frameLength(offset)); // its write may have ended meanwhile
        if (index < 0) {
            throw damaged(reader, position, "no whole record");
        }
        return index;
    }

    /**
     * What a power cut has torn is there until a writer is opened, and so is what a dead one has begun. A log without a
     * writer ends for readers where recovery will have it end, and what cannot be read before that is damage.
     */
    private int endOfUnrecovered(SegmentReader reader, long position, String otherwise) throws IOException {
        if (visibility.isDamage(position)) {
            throw damaged(reader, position, otherwise);
        }
        return -1;
    }

    /** What to throw of damage at {@code position}, unless the segment was retired meanwhile. */
    public RuntimeException damaged(SegmentReader reader, long position, String what) throws IOException {
        MissingPage.check();
        return reader.isRetired() ? retired(position) : new CorruptLogException(reader.name(), position, what);
    }

    /** What to throw if the record at {@code position} is gone. */
    public static RetiredException retired(long position) {
        return new RetiredException("retention has overtaken this tailer: position=" + position
                + "; go on from the log's first record. A tailer with a name, or one that the log's writer opens, holds"
                + " what it has not read");
    }
}
