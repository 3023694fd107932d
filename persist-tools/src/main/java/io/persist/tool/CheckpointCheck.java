package io.persist.tool;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.Tailer;
import io.persist.log.TailerOpener;
import io.persist.store.CheckpointFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether the checkpoints of a store are good and fit its log. */
final class CheckpointCheck {

    /** What a checkpoint is to the log. */
    enum Fit {
        GOOD,
        DAMAGED,
        /** The log ends before it. */
        BEYOND,
        /** Compaction or a lost file has taken away records that come after it. */
        OLD,
        /** A newer version wrote it. */
        NEWER,
        /** It belongs to another log. */
        OTHER,
        /** The record at its position is not the one that comes after it. */
        UNFIT
    }

    record Checked(CheckpointFile file, Fit fit, String why) {}

    private final List<Checked> checkpoints = new ArrayList<>();

    /**
     * Checks checkpoints that were read before the log was.
     *
     * @param files newest first
     * @param end of the log
     */
    CheckpointCheck(Storage log, List<CheckpointFile> files, long end) {
        List<SegmentHeader> segments = SegmentFiles.headers(log).toList();
        files.forEach(file -> checkpoints.add(check(file, log, segments, end)));
    }

    private static Checked check(CheckpointFile file, Storage log, List<SegmentHeader> segments, long end) {
        switch (file.state()) {
            case DAMAGED:
                return new Checked(file, Fit.DAMAGED, file.fault());
            case NEWER:
                return new Checked(file, Fit.NEWER, file.fault());
            case GOOD:
                break;
        }
        if (segments.stream().anyMatch(segment -> segment.logId() != file.logId())) {
            return new Checked(file, Fit.OTHER, "it belongs to another log");
        }
        if (file.position() > end) {
            return new Checked(file, Fit.BEYOND, "the log ends before it, at " + end);
        }
        long gap = gapBehind(file.position(), segments);
        if (gap >= 0) {
            return new Checked(file, Fit.OLD, "it is too old: compaction has taken records after it, at " + gap);
        }
        String misfit = misfit(file, log);
        return new Checked(file, misfit.isEmpty() ? Fit.GOOD : Fit.UNFIT, misfit);
    }

    /** The base of the first segment that shows that records from {@code position} on are gone; -1 if none are. */
    private static long gapBehind(long position, List<SegmentHeader> segments) {
        if (!segments.isEmpty() && segments.get(0).basePosition() > position) {
            return segments.get(0).basePosition();
        }
        return segments.stream()
                .filter(segment -> segment.isVacated() && segment.endPosition() > position)
                .mapToLong(SegmentHeader::basePosition)
                .findFirst()
                .orElse(-1);
    }

    /** Why the log does not go on where the checkpoint ends; empty if it does. */
    private static String misfit(CheckpointFile file, Storage log) {
        LogConfig config = LogConfig.builder(Path.of(log.description())).build();
        try (Tailer tailer = TailerOpener.any(config, log).open()) {
            tailer.toPosition(file.position());
            if (tailer.next() && tailer.sequence() != file.sequence() + 1) {
                return "the log does not go on where it ends: its next record is " + tailer.sequence() + " in place of "
                        + (file.sequence() + 1);
            }
            return "";
        } catch (CorruptLogException damagedLog) {
            return ""; // which is said of the log
        } catch (PersistException | IllegalArgumentException e) {
            return "the log does not go on where it ends: " + e.getMessage();
        }
    }

    /** Whether the writer has gone on so far that one which did not fit is not there any more. */
    boolean isOvertaken(Storage storage) throws IOException {
        List<String> names = storage.list();
        return checkpoints.stream()
                .anyMatch(checked -> checked.fit() != Fit.GOOD
                        && !names.contains(checked.file().name()));
    }

    /** Whether all checkpoints are good and fit the log. */
    boolean isGood() {
        return checkpoints.stream().allMatch(checked -> checked.fit() == Fit.GOOD);
    }

    List<Checked> checkpoints() {
        return checkpoints;
    }
}
