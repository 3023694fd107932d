package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.CheckpointHeader;
import io.persist.format.CheckpointName;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a checkpoint's file says about itself. {@link CheckpointFit} decides whether it fits the log.
 *
 * @param name of the file
 * @param position where in the log replay goes on after it
 * @param bytes the file's length
 * @param state whether it can be read
 * @param fault why not, empty if it can
 * @param logId of the log that it belongs to; this and what follows is 0 if it is not known
 * @param sequence the number of the last record before the position
 * @param createdAtMs wall clock at which it was begun, ms since 1970
 * @param keys how many it has, as far as it was read
 * @param lastValue the highest position of a value, as far as it was read; -1 if there is none
 */
public record CheckpointFile(
        String name,
        long position,
        long bytes,
        State state,
        String fault,
        long logId,
        long sequence,
        long createdAtMs,
        long keys,
        long lastValue) {

    /** Whether a checkpoint can be read. */
    public enum State {
        /** What was read is good. */
        GOOD,
        DAMAGED,
        /** A newer version of the format. */
        NEWER
    }

    /** How much of each file is read. */
    public enum Depth {
        HEADER,
        /** All, which is verified. The memory that this takes does not depend on the file. */
        WHOLE
    }

    /**
     * The checkpoints in {@code storage}, newest first, without a lock and without changing anything; one that is
     * deleted meanwhile is left out.
     */
    public static List<CheckpointFile> list(Storage storage, Depth depth) throws IOException {
        Checkpoints checkpoints = new Checkpoints(storage);
        List<CheckpointFile> files = new ArrayList<>();
        for (long position : checkpoints.list()) {
            try {
                files.add(read(checkpoints, position, depth));
            } catch (FileNotFoundException deleted) {
                // There is a newer one.
            }
        }
        return files;
    }

    /** Whether the header could be read: what follows the fault is known. */
    boolean isHeaderKnown() {
        return logId != 0;
    }

    /** Whether a checkpoint is being written to {@code storage}, or was when its writer ended. */
    public static boolean isBeingMade(Storage storage) throws IOException {
        return storage.list().stream().anyMatch(CheckpointName::isTemporary);
    }

    private static CheckpointFile read(Checkpoints checkpoints, long position, Depth depth) throws IOException {
        String name = CheckpointName.of(position);
        long bytes = checkpoints.length(position);
        CheckpointHeader header = new CheckpointHeader(0, position, 0, 0, 0);
        State state = State.GOOD;
        String fault = "";
        long keys = 0;
        long lastValue = -1;
        try (CheckpointReader reader = checkpoints.open(position)) {
            header = reader.header();
            try {
                while (depth == Depth.WHOLE && reader.next()) {
                    lastValue = Math.max(lastValue, reader.position());
                }
            } finally {
                keys = reader.entries();
            }
        } catch (CorruptLogException e) {
            state = State.DAMAGED;
            fault = String.valueOf(e.getMessage());
        } catch (UnsupportedFormatException e) {
            state = State.NEWER;
            fault = String.valueOf(e.getMessage());
        }
        return new CheckpointFile(
                name,
                position,
                bytes,
                state,
                fault,
                header.logId(),
                header.sequence(),
                header.createdAtMs(),
                keys,
                lastValue);
    }
}
