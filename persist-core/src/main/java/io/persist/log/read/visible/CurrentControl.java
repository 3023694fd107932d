package io.persist.log.read.visible;

import io.persist.error.LogIOException;
import io.persist.file.BootId;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.control.ControlBlock;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterPresence;
import io.persist.log.control.WriterWatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The control block of a log that counts now, and what it says of the writer. Another control block may take the place
 * of the one before, because the log was repaired, or the file was lost. A repair says so in the old one, which counts
 * for nothing from then on; a lost one is noticed now and then.
 *
 * <p>A question about the log looks first which control block counts, and is answered by that one. Only {@link #found},
 * {@link #replacements} and {@link #isCut} do not look: they tell what the last look has found.
 *
 * <p>Whether the writer lives is looked at when this is opened, and now and then while there is nothing to read.
 *
 * <p><b>Threads:</b> one at a time.
 */
public final class CurrentControl implements AutoCloseable {

    private final Storage storage;
    private final BootId boot;
    private final WriterWatch watch;
    private final ExpectedEnd expectedEnd;
    private @Nullable ControlFile control;
    private boolean sameBoot;
    private final RepairCut cut = new RepairCut();

    /** The identity of the control block's file, 0 if it is not known. */
    private long identity;

    private int replacements;

    /** Of the log in {@code storage}; what was found of its end is forgotten when that counts no more. */
    CurrentControl(Storage storage, ExpectedEnd expectedEnd) throws IOException {
        this.storage = storage;
        this.boot = storage.bootId();
        this.watch = new WriterWatch(storage);
        this.expectedEnd = expectedEnd;
        try (Opening opening = new Opening()) {
            opening.add(this, CurrentControl::close);
            renew();
            opening.done(this);
        }
    }

    /** Looks which one counts; null if there is none. It is closed by the next look, if it counts no more. */
    @Nullable
    ControlFile current() {
        if (isSetAside()) {
            close();
            expectedEnd.forget();
            replacements++;
            try {
                renew();
            } catch (IOException e) {
                throw new LogIOException("cannot read the log: " + e.getMessage(), e);
            }
        }
        return control;
    }

    /** The one that the last look has found. */
    @Nullable
    ControlFile found() {
        return control;
    }

    /** How many that counted were replaced by others. */
    int replacements() {
        return replacements;
    }

    /** Whether a repair has taken the control block away. */
    public boolean isSetAside() {
        return cut.noticeIn(control);
    }

    /** Where a repair has cut the log. As long as it is noted, nothing can be read. */
    public RepairCut cut() {
        current();
        return cut;
    }

    /** Whether a cut by a repair is noted. */
    boolean isCut() {
        return cut.isNoted();
    }

    boolean isOfThisBoot(ControlFile file) {
        sameBoot = sameBoot || file.block().isBoot(boot);
        return sameBoot;
    }

    /** Up to where the log is known to be synced, 0 if it is not known. */
    public long synced() {
        ControlFile file = current();
        return file != null && isOfThisBoot(file) ? file.block().syncedOnThisBoot() : 0;
    }

    /**
     * The position up to which records have to be there, of any boot: the synced position of the control block; 0 if
     * there is none, and sometimes while it is being stored.
     */
    public long acknowledged() {
        ControlFile file = current();
        return file == null || isCut() ? 0 : file.block().synced();
    }

    /** As {@link Visibility#isUnrecovered} says, of the log that has this {@code file}. */
    boolean isUnrecovered(@Nullable ControlFile file) {
        if (boot.equals(BootId.UNKNOWN)) {
            return false;
        }
        if (file == null || !isOfThisBoot(file)) {
            return true;
        }
        ControlBlock block = file.block();
        if (block.state() == ControlBlock.STATE_CLOSED) {
            return !block.saysWhereItWasClosed();
        }
        boolean isOpened = block.openedEpoch() == block.holder().epoch(); // not while it is recovered
        return !isOpened || watch.isGone(block);
    }

    /** Whether it could not be seen at the last look if the writer lives. */
    boolean isUnseen() {
        return watch.isUnseen();
    }

    /** Whether pages of the log may be clean in memory and not on the device: a sync would succeed without them. */
    public boolean hasWriterFailed() {
        ControlFile file = current();
        // Whatever the boot: a container may have another boot id each time, and the kernel is the same.
        return file != null && file.block().state() == ControlBlock.STATE_FAILED;
    }

    /** Looks again for a control block, if there was none: the log may have been opened since. */
    public void refresh() throws IOException {
        if (current() == null) {
            renew();
        }
    }

    /**
     * There is nothing to read: looks now and then whether the writer and the control block are still there. Without a
     * control block nothing tells whether there is a writer: then it looks whether the log goes on.
     */
    public void idle() throws IOException {
        refresh();
        ControlFile file = control;
        if (file == null) {
            if (watch.isDue() && expectedEnd.isPassed()) {
                expectedEnd.forget();
            }
        } else if (watch.isDue(file.block())) {
            lookForAnother();
            lookAtWriter();
        }
    }

    /** Looks whether another control block has taken the place of the one that was found last. */
    void lookForAnother() throws IOException {
        long now = WriterPresence.identity(storage);
        if (now != 0 && now != identity) {
            renew();
        }
    }

    /** Looks whether the writer is there. */
    public void lookAtWriter() throws IOException {
        ControlFile file = control;
        if (file != null) {
            watch.look(file.block());
        }
    }

    /** Looks for a control block that has taken the place of the one before: a log may have begun anew. */
    void renew() throws IOException {
        long opened = WriterPresence.identity(storage); // before it is opened: if it is another one, that shows later
        try (Opening opening = new Opening()) {
            ControlFile now = ControlFile.open(storage, Storage.Access.READ, opening);
            if (now == null || now.block().isSetAside()) {
                return;
            }
            replacements += control == null || opened == identity ? 0 : 1;
            cut.noticeIn(control); // a repair may have taken it away just now
            close();
            control = opening.done(now);
            identity = opened;
            sameBoot = false;
        }
        lookAtWriter();
    }

    @Override
    public void close() {
        ControlFile left = control;
        control = null; // before: what an error leaves half closed must not be read
        if (left != null) {
            left.close();
        }
    }
}
