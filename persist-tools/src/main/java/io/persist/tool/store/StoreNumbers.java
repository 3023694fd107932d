package io.persist.tool.store;

import io.persist.StoreView;
import io.persist.file.Storage;
import io.persist.monitor.WriterState;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.CheckpointFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of a store at one moment, from its files.
 *
 * @param newest the checkpoint that the view was made from, if there was one
 * @param older the one before it, from which recovery would begin if the newest one were damaged
 * @param logBytes bytes of the log since the newest checkpoint
 */
record StoreNumbers(
        String log,
        String checkpoints,
        Now now,
        long keys,
        long liveBytes,
        long spaceBytes,
        int segments,
        int vacatedSegments,
        long indexUsedBytes,
        Optional<CheckpointFile> newest,
        Optional<CheckpointFile> older,
        long logBytes,
        StoreRecovery recovery) {

    /**
     * What is known of the writer.
     *
     * @param isWritingCheckpoint whether it is writing a checkpoint
     * @param said what it has told of itself, under the names of ARCUS; empty if it does not
     */
    record Now(WriterState writer, long pid, boolean isWritingCheckpoint, Map<String, String> said) {}

    static StoreNumbers of(Storage log, Storage checkpoints, StoreView view, List<CheckpointFile> files, Now now) {
        StoreRecovery recovery = view.recovery();
        long begin = recovery.checkpoint().position();
        return new StoreNumbers(
                log.description(),
                checkpoints.description(),
                now,
                view.snapshot().size(),
                view.liveBytes(),
                view.spaceBytes(),
                view.segments(),
                view.vacatedSegments(),
                view.indexUsedBytes(),
                files.stream()
                        .filter(file -> file.name().equals(recovery.checkpoint().file()))
                        .findFirst(),
                files.stream().filter(file -> file.position() < begin).findFirst(),
                view.snapshot().position() - begin,
                recovery);
    }

    double spaceRatio() {
        return liveBytes == 0 ? 1 : (double) spaceBytes / liveBytes;
    }

    double indexBytesPerKey() {
        return keys == 0 ? 0 : (double) indexUsedBytes / keys;
    }
}
