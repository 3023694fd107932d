package io.persist.log.read.visible;

import io.persist.error.LogIOException;
import io.persist.file.BootId;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.ReadScope;
import io.persist.log.WriteMode;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterPresence;
import io.persist.log.control.WriterWatch;
import io.persist.log.segment.FrameWalk;
import io.persist.log.segment.SegmentView;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says how far tailers may look. In {@link WriteMode#FILE} a writer publishes by writing, so a frame whose length can
 * be seen may not be whole yet. With {@link ReadScope#SYNCED} records that a power cut could take back are hidden too.
 * A log whose writer is known to be dead, and that no other writer has recovered, ends where recovery will end it.
 *
 * <p>It checks whether the writer lives when a tailer is opened, and now and then while there is nothing to read. As
 * long as the writer is not known to be dead, its control block counts: then a tailer may show less, but never what is
 * not there. Another control block may take the place of the one before, because the log was repaired, or the file was
 * lost. A repair says so in the old one, which counts for nothing from then on; a lost one is noticed now and then.
 */
public final class Visibility implements AutoCloseable {

    private final Storage storage;
    private final ReadScope scope;
    private final BootId boot;
    private final WriterWatch watch;
    private final ExpectedEnd expectedEnd;
    private @Nullable ControlFile control;
    private boolean sameBoot;
    private final RepairCut cut = new RepairCut();

    /** The identity of the control block's file, 0 if it is not known. */
    private long identity;

    private int replacements; // of control blocks that counted, by others
    private int replacementsAtLimit; // when the limit was found last

    /** How far tailers of the log in {@code storage} may look that see what is in {@code scope}; to be closed. */
    public Visibility(Storage storage, ReadScope scope) throws IOException {
        this.storage = storage;
        this.scope = scope;
        this.boot = storage.bootId();
        this.watch = new WriterWatch(storage);
        this.expectedEnd = new ExpectedEnd(storage);
        try (Opening opening = new Opening()) {
            opening.add(this, Visibility::close);
            renew();
            opening.done(this);
        }
    }

    /** The position that must not be passed. Pairs with {@code ControlBlock.visible(long)} and {@code synced(long)}. */
    public long limit() {
        ControlFile file = current();
        replacementsAtLimit = replacements;
        if (cut.isNoted() || file == null && scope == ReadScope.SYNCED) {
            return 0; // the tailer has to look where it is, or nothing says what is synced
        }
        if (isUnrecovered(file)) {
            ControlFile hint = scope == ReadScope.SYNCED && file != null && isOfThisBoot(file) ? file : null;
            // What is behind the synced position may be unsynced.
            long bound = hint == null ? expectedEnd().position() : hint.block().synced();
            if (current() != file) {
                return limit();
            }
            if (isUnrecovered(file)) { // else a writer was opened meanwhile, and what was found may be its own
                return bound;
            }
        }
        if (file != null && isOfThisBoot(file)) {
            long visible = file.block().visible();
            return scope == ReadScope.SYNCED ? Math.min(visible, file.block().syncedOnThisBoot()) : visible;
        }
        return scope == ReadScope.SYNCED && file != null ? file.block().synced() : Long.MAX_VALUE;
    }

    /** Where recovery will have the log end. */
    private ExpectedEnd expectedEnd() {
        try {
            if (expectedEnd.scanOnce(epoch())) {
                renew(); // a writer that begins the log anew makes another control block
            }
            return expectedEnd;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** A writer raises it before it recovers the log. */
    private long epoch() {
        ControlFile file = control;
        return file == null ? 0 : file.block().holder().epoch();
    }

    /**
     * Whether what is at {@code position} of a log that no writer has recovered should be a record, and is none. False
     * if a writer was opened meanwhile: then the scan may have met what that does, and the place is looked at again.
     *
     * @param position where a segment begins if that is missing
     */
    public boolean isDamage(long position) throws IOException {
        if (control == null) {
            expectedEnd.forget(); // nothing tells that a repair has cut it since
        }
        boolean isDamage = expectedEnd().isDamage(position);
        renew();
        return isDamage && isUnrecovered();
    }

    /**
     * Whether a dead writer may have left what is at {@code position} of a log that is said to be open: it cannot be
     * seen from here whether the writer lives, and the record was not synced. Another namespace of processes hides it,
     * or a volume that failed has torn the writer's mark.
     */
    public boolean mayBeUnrecovered(long position) {
        return watch.isUnseen() && position >= acknowledged();
    }

    /**
     * Whether the log ends at {@code position}, where there is no frame, in the segment of {@code header}: behind its
     * end a file that was used again may hold what its earlier life has left, if the volume was mounted anew.
     *
     * @param due the number of the record that is due there, 0 if that is not known
     */
    public boolean endsAt(long position, SegmentHeader header, long due) throws IOException {
        if (!header.isReused() || position < acknowledged()) {
            return false;
        }
        try (SegmentView segment = SegmentView.open(storage, header.basePosition())) {
            FrameWalk frame = segment.at(position);
            return frame != null && segment.verdict(frame, due) == FrameVerdict.EMPTY;
        } catch (FileNotFoundException retired) {
            return false;
        }
    }

    /** Whether a record that begins at {@code position} is one of the log, as far as a log has an end. */
    public boolean shows(long position) {
        return !isUnrecovered() || position < expectedEnd().position();
    }

    /**
     * Whether the record at {@code position}, which is below the {@code limit} that was found before it was looked at,
     * has to stay hidden after all: a writer was opened in between, whose control block bounds what it publishes. A
     * reader that sees the record sees that too, because the writer set its boot id before it published anything. It is
     * hidden for now if the limit came from a control block that is the log's no more.
     */
    public boolean hides(long position, long limit) {
        if (scope != ReadScope.SYNCED) {
            return false;
        }
        boolean counts = replacementsAtLimit == replacements && !isSetAside();
        return !counts || limit == Long.MAX_VALUE && position >= limit();
    }

    /** Whether a repair has taken the control block away. */
    public boolean isSetAside() {
        return cut.isNoticedIn(control);
    }

    /** Where a repair has cut the log. As long as it is noted, nothing can be read. */
    public RepairCut cut() {
        current();
        return cut;
    }

    /** The control block that counts; null if there is none. It is closed by the next call, if it counts no more. */
    private @Nullable ControlFile current() {
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

    private boolean isOfThisBoot(ControlFile file) {
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
        return file == null || cut.isNoted() ? 0 : file.block().synced();
    }

    /**
     * Whether nobody writes the log, and no writer has recovered it since the last one ended: by a power cut, or as far
     * as is known by its death. False if that cannot be known.
     */
    public boolean isUnrecovered() {
        return isUnrecovered(current());
    }

    private boolean isUnrecovered(@Nullable ControlFile file) {
        boolean isUnrecovered = !boot.equals(BootId.UNKNOWN) && isLeft(file);
        if (!isUnrecovered) {
            expectedEnd.forget(); // a writer goes on behind it, and may die with the same epoch
        }
        return isUnrecovered;
    }

    private boolean isLeft(@Nullable ControlFile file) {
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

    /** Whether pages of the log may be clean in memory and not on the device: a sync would succeed without them. */
    public boolean hasWriterFailed() {
        ControlFile file = current();
        return file != null
                && file.block().state() == ControlBlock.STATE_FAILED
                && (isOfThisBoot(file) || boot.equals(BootId.UNKNOWN));
    }

    /** Where a recent record begins, or 0: the place from which the end of the log is near. */
    public long hint() {
        if (isUnrecovered()) {
            return expectedEnd().lastPosition();
        }
        ControlFile file = current();
        return file == null ? 0 : file.block().hint();
    }

    /** Looks again for a control block, if there was none: the log may have been opened since. */
    public void refresh() throws IOException {
        if (current() == null) {
            renew();
        }
    }

    /** There is nothing to read: looks now and then whether the writer and the control block are still there. */
    public void idle() throws IOException {
        refresh();
        ControlFile file = control;
        if (file != null && watch.isDue(file.block())) {
            long now = WriterPresence.identity(storage);
            if (now != 0 && now != identity) {
                renew();
            }
            look();
        }
    }

    /** Looks whether the writer is there. */
    public void look() throws IOException {
        ControlFile file = control;
        if (file != null) {
            watch.look(file.block());
        }
    }

    /** Looks for a control block that has taken the place of the one before: a log may have begun anew. */
    public void renew() throws IOException {
        long opened = WriterPresence.identity(storage); // before it is opened: if it is another one, that shows later
        ControlFile now = ControlFile.open(storage, Storage.Access.READ);
        if (now == null) {
            return;
        }
        if (now.block().isSetAside()) {
            now.close();
            return;
        }
        replacements += control == null || opened == identity ? 0 : 1;
        cut.isNoticedIn(control); // a repair may have taken it away just now
        close();
        control = now;
        identity = opened;
        sameBoot = false;
        look();
    }

    @Override
    public void close() {
        if (control != null) {
            control.close();
            control = null;
        }
    }
}
