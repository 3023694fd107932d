package io.persist.log.read.visible;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.control.WriterPresence;
import io.persist.log.recovery.LogIdentity;
import io.persist.log.segment.LogFiles;
import java.io.IOException;
import java.util.NavigableSet;

/**
 * Watches whether the name of the file that a segment is read from still leads to it. A backup that was restored in
 * place of the log has other files of the same names, and the same log id: only its control block tells that it is
 * there.
 *
 * <p>A control block that was lost, and made anew, leaves the files of the segments as they are; a segment that
 * retention has taken away since says nothing.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class FileWatch {

    private static final long NONE = -1;

    private final Storage storage;
    private final CurrentControl control;

    /** Where the segment begins; {@link #NONE} if no file is read. */
    private long base = NONE;

    /** 0 if it is not known. */
    private long identity;

    /** Of the log that the segment is of. */
    private long logId;

    /** How many control blocks had been replaced when the file was looked at. */
    private int replacements;

    /** Whether it was found to be so; the files that are there now may say less of it later. */
    private boolean isReplaced;

    /** None yet, of the log in {@code storage} that {@code control} finds the control blocks of. */
    public FileWatch(Storage storage, CurrentControl control) {
        this.storage = storage;
        this.control = control;
    }

    /**
     * Goes over to the file of the segment with the header {@code next}, which is open. If another one was read before,
     * up to its end, both must be of one log.
     *
     * @param position what is to be read next, for the error
     * @throws CorruptLogException if the file before was replaced
     */
    public void goTo(SegmentHeader next, long position) throws IOException {
        // Behind the opening: if the files are replaced from here on, the next look at the control block shows it.
        long opened = WriterPresence.identity(storage, LogFileName.segment(next.basePosition()));
        checkAnew(position);
        base = next.basePosition();
        logId = next.logId();
        identity = opened;
        replacements = control.replacements();
    }

    /** What is read next has nothing to do with the file that was read. */
    public void forget() {
        base = NONE;
        isReplaced = false;
    }

    /**
     * Looks for another control block, and then whether the file is the one that its name leads to.
     *
     * @param position what is to be read next, for the error
     * @throws CorruptLogException if it is not
     */
    public void checkAnew(long position) throws IOException {
        control.lookForAnother();
        check(position);
    }

    /**
     * Looks whether the file is the one that its name leads to, if another control block was found since the last look.
     *
     * @param position what is to be read next, for the error
     * @throws CorruptLogException if it is not
     */
    public void check(long position) throws IOException {
        if (base == NONE || !isReplaced && replacements == control.replacements() || control.isCut()) {
            return;
        }
        String name = LogFileName.segment(base);
        isReplaced |= identity != 0 && isAnother(WriterPresence.identity(storage, name));
        replacements = control.replacements();
        if (isReplaced) {
            throw new CorruptLogException(name, position, "the files of the log were replaced", "open the tailer anew");
        }
    }

    /** Whether the name leads to another file, or to none in a log that may not have retired it. */
    private boolean isAnother(long now) throws IOException {
        if (now != 0) {
            return now != identity;
        }
        NavigableSet<Long> bases = LogFiles.basePositions(storage);
        return !LogIdentity.beginsBehind(storage, bases, logId, base);
    }
}
