package io.persist.log.read.visible;

import io.persist.error.CorruptLogException;
import io.persist.file.Storage;
import io.persist.log.control.WriterPresence;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The file that a segment is read from, and whether its name still leads to it. A backup that was restored in place of
 * the log has other files of the same names, and the same log id: only its control block tells that it is there.
 *
 * <p>A control block that was lost, and made anew, leaves the files of the segments as they are; a segment that was
 * taken away says nothing.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class SegmentFile {

    private final Storage storage;
    private final CurrentControl control;

    /** Null if no file is read. */
    private @Nullable String name;

    /** 0 if it is not known. */
    private long identity;

    /** How many control blocks had been replaced when the file was looked at. */
    private int replacements;

    /** None yet, of the log in {@code storage} that {@code control} finds the control blocks of. */
    public SegmentFile(Storage storage, CurrentControl control) {
        this.storage = storage;
        this.control = control;
    }

    /**
     * Goes over to the file {@code next}, which is open. If another one was read before, up to its end, both must be of
     * one log.
     *
     * @param position what is to be read next, for the error
     * @throws CorruptLogException if the file before was replaced
     */
    public void goTo(String next, long position) throws IOException {
        // Behind the opening: if the files are replaced from here on, the next look at the control block shows it.
        long opened = WriterPresence.identity(storage, next);
        checkAnew(position);
        name = next;
        identity = opened;
        replacements = control.replacements();
    }

    /** What is read next has nothing to do with the file that was read. */
    public void forget() {
        name = null;
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
        if (name == null || replacements == control.replacements() || control.isCut()) {
            return;
        }
        long now = WriterPresence.identity(storage, name);
        if (identity != 0 && now != 0 && now != identity) {
            throw new CorruptLogException(name, position, "the files of the log were replaced", "open the tailer anew");
        }
        replacements = control.replacements();
    }
}
