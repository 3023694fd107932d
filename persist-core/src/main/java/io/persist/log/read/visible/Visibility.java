package io.persist.log.read.visible;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.log.ReadScope;
import io.persist.log.WriteMode;
import io.persist.log.control.ControlFile;
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
 * <p>As long as the writer is not known to be dead, its control block counts: then a tailer may show less, but never
 * what is not there.
 */
public final class Visibility implements AutoCloseable {

    private final Storage storage;
    private final ReadScope scope;
    private final ExpectedEnd expectedEnd;
    private final CurrentControl control;
    private int replacementsAtLimit; // of control blocks, when the limit was found last

    /** How far tailers of the log in {@code storage} may look that see what is in {@code scope}; to be closed. */
    public Visibility(Storage storage, ReadScope scope) throws IOException {
        this.storage = storage;
        this.scope = scope;
        this.expectedEnd = new ExpectedEnd(storage);
        this.control = new CurrentControl(storage, expectedEnd);
    }

    /** Whether what is not synced is hidden. */
    public boolean hidesUnsynced() {
        return scope == ReadScope.SYNCED;
    }

    /** The control block that counts. */
    public CurrentControl control() {
        return control;
    }

    /** The position that must not be passed. Pairs with {@code ControlBlock.visible(long)} and {@code synced(long)}. */
    public long limit() {
        ControlFile file = control.file();
        replacementsAtLimit = control.replacements();
        if (control.isCut() || file == null && scope == ReadScope.SYNCED) {
            return 0; // the tailer has to look where it is, or nothing says what is synced
        }
        if (isUnrecovered(file)) {
            ControlFile hint = scope == ReadScope.SYNCED && file != null && control.isOfThisBoot(file) ? file : null;
            // What is behind the synced position may be unsynced.
            long bound = hint == null ? expectedEnd().position() : hint.block().synced();
            if (control.file() != file) {
                return limit();
            }
            if (isUnrecovered(file)) { // else a writer was opened meanwhile, and what was found may be its own
                return bound;
            }
        }
        if (file != null && control.isOfThisBoot(file)) {
            long visible = file.block().visible();
            return scope == ReadScope.SYNCED ? Math.min(visible, file.block().syncedOnThisBoot()) : visible;
        }
        return scope == ReadScope.SYNCED && file != null ? file.block().synced() : Long.MAX_VALUE;
    }

    /** Where recovery will have the log end. */
    private ExpectedEnd expectedEnd() {
        try {
            if (expectedEnd.scanOnce(epoch())) {
                control.renew(); // a writer that begins the log anew makes another control block
            }
            return expectedEnd;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /** A writer raises it before it recovers the log. */
    private long epoch() {
        ControlFile file = control.lastFile();
        return file == null ? 0 : file.block().holder().epoch();
    }

    /**
     * Whether what is at {@code position} of a log that no writer has recovered should be a record, and is none. False
     * if a writer was opened meanwhile: then the scan may have met what that does, and the place is looked at again.
     *
     * @param position where a segment begins if that is missing
     */
    public boolean isDamage(long position) throws IOException {
        if (control.lastFile() == null) {
            expectedEnd.forget(); // nothing tells that a repair has cut it since
        }
        boolean isDamage = expectedEnd().isDamage(position);
        control.renew();
        return isDamage && isUnrecovered();
    }

    /**
     * Whether a dead writer may have left what is at {@code position} of a log that is said to be open: it cannot be
     * seen from here whether the writer lives, and the record was not synced. Another namespace of processes hides it,
     * or a volume that failed has torn the writer's mark.
     */
    public boolean mayBeUnrecovered(long position) {
        return control.isUnseen() && position >= control.acknowledged();
    }

    /**
     * Whether the log ends at {@code position}, where there is no frame, in the segment of {@code header}: behind its
     * end a file that was used again may hold what its earlier life has left, if the volume was mounted anew.
     *
     * @param due the number of the record that is due there, 0 if that is not known
     */
    boolean endsAt(long position, SegmentHeader header, long due) throws IOException {
        if (!header.isReused() || position < control.acknowledged()) {
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
        boolean counts = replacementsAtLimit == control.replacements() && !control.isSetAside();
        return !counts || limit == Long.MAX_VALUE && position >= limit();
    }

    /**
     * Whether nobody writes the log, and no writer has recovered it since the last one ended: by a power cut, or as far
     * as is known by its death. False if that cannot be known.
     */
    public boolean isUnrecovered() {
        return isUnrecovered(control.file());
    }

    private boolean isUnrecovered(@Nullable ControlFile file) {
        boolean isUnrecovered = control.isUnrecovered(file);
        if (!isUnrecovered) {
            expectedEnd.forget(); // a writer goes on behind it, and may die with the same epoch
        }
        return isUnrecovered;
    }

    /** Where a recent record begins, or 0: the place from which the end of the log is near. */
    public long hint() {
        if (isUnrecovered()) {
            return expectedEnd().lastPosition();
        }
        ControlFile file = control.file();
        return file == null ? 0 : file.block().hint();
    }

    @Override
    public void close() {
        control.close();
    }
}
