package io.persist.log.retention;

import io.persist.cursor.CursorDirectory;
import io.persist.error.LogIOException;
import io.persist.file.FileAction;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.read.PositionSync;
import io.persist.log.read.Tailer;
import io.persist.log.read.TailerOpener;
import io.persist.log.sync.LogPositions;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The tailers that the writer of a log has opened; and retention, which leaves alone what these tailers still have to
 * read.
 */
public final class LogTailers {

    private final Storage storage;
    private final int segmentLength;
    private final long logId;
    private final TailerOpener opener;
    private final OpenTailers open = new OpenTailers();

    /** Starts without a tailer; {@code logId} is the identity of the log. */
    public LogTailers(Storage storage, int segmentLength, long logId) {
        this.storage = storage;
        this.segmentLength = segmentLength;
        this.logId = logId;
        this.opener = TailerOpener.ofWriter(storage, logId, open::remove);
    }

    /** A tailer at the start of the log. */
    public Tailer open(TailerConfig config) {
        try (Opening opening = new Opening()) {
            Tailer tailer = open.add(opening.add(opener.open(config), Tailer::close));
            tailer.toStart(); // once more: what it had found before it was added may have been taken away meanwhile
            return opening.done(tailer);
        }
    }

    /** The tailer with the cursor {@code name}; {@code sync} makes the way to sync for it. */
    public Tailer open(String name, TailerConfig config, UnaryOperator<PositionSync> sync) {
        try (Opening opening = new Opening()) {
            return opening.done(open.add(opening.add(opener.open(name, config, sync), Tailer::close)));
        }
    }

    /**
     * What {@code rule} would take away now; it changes nothing.
     *
     * @throws LogIOException if the directory cannot be read
     */
    public RetentionPlan plan(RetentionRule rule, LogPositions positions) {
        return FileAction.orFail(
                "cannot plan retention", () -> retention().plan(rule, positions.lastPosition(), positions.published()));
    }

    /** The position behind all that {@code plan} takes away; 0 if that is nothing. */
    public static long endOf(RetentionPlan plan) {
        return plan.retired().stream()
                .mapToLong(RetentionPlan.Item::endPosition)
                .max()
                .orElse(0);
    }

    /**
     * Takes away what {@code plan} says; {@code spares} is given the names of the files that can be used again, also if
     * this throws. Returns what was taken away, and what is held by now.
     */
    public RetentionPlan retire(
            RetentionPlan plan, Retirement retirement, LogPositions positions, Consumer<String> spares) {
        return FileAction.orFail(
                "cannot retire a segment", () -> retention().apply(plan, retirement, positions.lastPosition(), spares));
    }

    /** As {@code Log.vacate} says. */
    public boolean vacate(long basePosition, long synced) {
        try {
            return new PlaceholderSegment(storage, needs()).vacate(basePosition, synced);
        } catch (IOException | InternalError e) {
            throw new LogIOException(
                    "cannot vacate a segment: file=" + LogFileName.segment(basePosition) + ": " + e.getMessage(), e);
        }
    }

    private Retention retention() {
        return new Retention(storage, segmentLength, logId, needs());
    }

    private LogNeeds needs() {
        return new LogNeeds(open, new CursorDirectory(storage));
    }
}
