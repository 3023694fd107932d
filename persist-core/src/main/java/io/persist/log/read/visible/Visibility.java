package io.persist.log.read.visible;

import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.format.FrameVerdict;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
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

    /**
     * The position that must not be passed:
     *
     * <pre>
     *   the log                                PUBLISHED       SYNCED
     *   is cut by a repair, which is noted     0               0
     *   is unrecovered, without control block  expected end    0
     *      with one of this boot               expected end    synced: what is behind it may be unsynced
     *      with one of another boot            expected end    expected end
     *   is opened, without control block       no bound        0
     *      with one of this boot               visible         the lower of visible and synced
     *      if the boot is not known            no bound        synced
     * </pre>
     *
     * <p>A tailer of a log that is cut has to look where it is. Without control block nothing says what is synced.
     * Pairs with {@code ControlBlock.visible(long)} and {@code synced(long)}.
     */
    public long limit() {
        while (true) {
            ControlFile file = control.current();
            replacementsAtLimit = control.replacements();
            if (control.isCut()) {
                return 0;
            }
            if (!isUnrecovered(file)) {
                return limitOfOpened(file);
            }
            long limit = limitOfUnrecovered(file);
            // Else a writer was opened meanwhile, and what was found may be its own.
            if (control.current() == file && isUnrecovered(file)) {
                return limit;
            }
        }
    }

    private long limitOfUnrecovered(@Nullable ControlFile file) {
        if (scope == ReadScope.PUBLISHED) {
            return expectedEnd(file).position();
        }
        if (file == null) {
            return 0;
        }
        return control.isOfThisBoot(file)
                ? file.block().synced()
                : expectedEnd(file).position();
    }

    private long limitOfOpened(@Nullable ControlFile file) {
        boolean isSynced = scope == ReadScope.SYNCED;
        if (file == null) {
            return isSynced ? 0 : Long.MAX_VALUE;
        }
        ControlBlock block = file.block();
        if (!control.isOfThisBoot(file)) {
            return isSynced ? block.synced() : Long.MAX_VALUE;
        }
        long visible = block.visible();
        return isSynced ? Math.min(visible, block.syncedOnThisBoot()) : visible;
    }

    /** Where recovery will have the log end that has this {@code file}. */
    private ExpectedEnd expectedEnd(@Nullable ControlFile file) {
        try {
            // A writer raises the epoch before it recovers the log.
            if (expectedEnd.scanOnce(file == null ? 0 : file.block().holder().epoch())) {
                control.renew(); // a writer that begins the log anew makes another control block
            }
            return expectedEnd;
        } catch (IOException e) {
            throw new LogIOException("cannot read the log: " + e.getMessage(), e);
        }
    }

    /**
     * Whether what is at {@code position} of a log that no writer has recovered should be a record, and is none. False
     * if a writer was opened meanwhile: then the scan may have met what that does, and the place is looked at again.
     *
     * @param position where a segment begins if that is missing
     */
    public boolean isDamage(long position) throws IOException {
        ControlFile file = control.found();
        if (file == null) {
            expectedEnd.forget(); // nothing tells that a repair has cut it since
        }
        boolean isDamage = expectedEnd(file).isDamage(position);
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
            return frame != null && segment.stored().verdict(frame, due) == FrameVerdict.EMPTY;
        } catch (FileNotFoundException retired) {
            return false;
        }
    }

    /** Whether a record that begins at {@code position} is one of the log, as far as a log has an end. */
    public boolean shows(long position) {
        ControlFile file = control.current();
        return !isUnrecovered(file) || position < expectedEnd(file).position();
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
        return isUnrecovered(control.current());
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
        ControlFile file = control.current();
        if (isUnrecovered(file)) {
            return expectedEnd(file).lastPosition();
        }
        return file == null ? 0 : file.block().hint();
    }

    @Override
    public void close() {
        control.close();
    }
}
