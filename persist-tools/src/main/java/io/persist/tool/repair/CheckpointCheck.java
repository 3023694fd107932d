package io.persist.tool.repair;

import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.store.checkpoint.CheckpointFit;
import io.persist.store.checkpoint.CheckpointTable.Fit;
import io.persist.tool.select.SegmentFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Whether the checkpoints of a store are good and fit its log. */
final class CheckpointCheck {

    /**
     * A checkpoint and what is known of it.
     *
     * @param isBuiltOn whether a good one builds on it
     */
    record Checked(CheckpointFile file, Fit fit, String why, boolean isBuiltOn) {

        /** Whether opening can use it, and every node of it can be read. */
        boolean isGood() {
            return fit == Fit.GOOD && file.nodeFault().isEmpty() || isPartOfAChain();
        }

        /** Whether compaction has overtaken it, as it may, and only later checkpoints need its nodes. */
        boolean isPartOfAChain() {
            return fit == Fit.OLD
                    && isBuiltOn
                    && file.state() == CheckpointFile.State.GOOD
                    && file.nodeFault().isEmpty();
        }
    }

    /** Why the log does not go on where a checkpoint ends; {@code isGone} if that was taken away. */
    private record Misfit(String why, boolean isGone) {

        static final Misfit NONE = new Misfit("", false);
    }

    private final List<Checked> checkpoints = new ArrayList<>();
    private boolean isAnyGone;

    /**
     * Checks checkpoints that were read before the log was.
     *
     * @param files newest first
     * @param end of the log
     */
    CheckpointCheck(Storage log, List<CheckpointFile> files, long end) {
        List<SegmentHeader> segments = SegmentFiles.headers(log).toList();
        SegmentHeader first = SegmentFiles.first(log);
        CheckpointFit fit = new CheckpointFit(segments, first == null ? 0 : first.logId(), end);
        Set<Long> builtOn = new HashSet<>();
        for (CheckpointFile file : files) {
            Misfit misfit = misfit(file, log);
            CheckpointFit.Verdict verdict = fit.of(file, misfit.why());
            isAnyGone |= verdict.row().fit() == Fit.UNFIT && misfit.isGone();
            Checked checked = new Checked(file, verdict.row().fit(), verdict.why(), builtOn.contains(file.position()));
            if (checked.isGood()) {
                builtOn.add(file.predecessor());
            }
            checkpoints.add(checked);
        }
    }

    private static Misfit misfit(CheckpointFile file, Storage log) {
        if (file.state() != CheckpointFile.State.GOOD) {
            return Misfit.NONE; // which counts more
        }
        try (Tailer tailer =
                Tailer.open(log, TailerConfig.builder().anyContent().build())) {
            tailer.toPosition(file.position());
            boolean isAnother = tailer.next() && tailer.sequence() != file.sequence() + 1;
            return isAnother
                    ? misfit("its next record is " + tailer.sequence() + " in place of " + (file.sequence() + 1), false)
                    : Misfit.NONE;
        } catch (CorruptLogException damagedLog) {
            return Misfit.NONE; // which is said of the log
        } catch (PersistException | IllegalArgumentException e) {
            return misfit(e.getMessage(), e instanceof RetiredException);
        }
    }

    private static Misfit misfit(@Nullable String why, boolean isGone) {
        return new Misfit("the log does not go on where it ends: " + why, isGone);
    }

    /**
     * Whether the writer has gone on so far that one which did not fit is not there any more, or that its place in the
     * log was taken away after the segments had been listed.
     */
    boolean isOvertaken(Storage storage) throws IOException {
        List<String> names = storage.list();
        return isAnyGone
                || checkpoints.stream()
                        .anyMatch(checked -> !checked.isGood()
                                && !names.contains(checked.file().name()));
    }

    /** Whether all checkpoints are good, and fit the log or are part of one that does. */
    boolean isGood() {
        return checkpoints.stream().allMatch(Checked::isGood);
    }

    /** The names of those that opening would use and that have, or build on, a node that cannot be read. */
    Set<String> withNodeFault() {
        return checkpoints.stream()
                .map(Checked::file)
                .filter(file -> !file.nodeFault().isEmpty())
                .map(CheckpointFile::name)
                .collect(Collectors.toSet());
    }

    List<Checked> checkpoints() {
        return checkpoints;
    }
}
