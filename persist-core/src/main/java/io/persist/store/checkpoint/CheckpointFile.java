package io.persist.store.checkpoint;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
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
 * @param predecessor the position of the one on which it builds, -1 if it has all nodes
 * @param keys how many there are; 0 if that was not read
 * @param nodeFault what is wrong with one of its nodes, empty if nothing is known to be: opening does not find out
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
        long predecessor,
        long keys,
        String nodeFault) {

    /** Whether a checkpoint can be read. */
    public enum State {
        /** Header, footer and directory are good, and those of all on which it builds. */
        GOOD,
        DAMAGED,
        /** A newer version of the format. */
        NEWER
    }

    /** How much of each file is read. */
    public enum Depth {
        HEADER,
        /** All, which is verified, and those on which it builds. */
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

    /**
     * What is wrong with the file of the checkpoint at {@code position}, of which every byte is read once, and none of
     * those on which it builds; empty if nothing is, or if a newer version wrote it.
     */
    public static String fault(Storage storage, long position) throws IOException {
        try (CheckpointPart part = CheckpointPart.open(storage, position)) {
            part.verify();
            return "";
        } catch (CorruptLogException e) {
            return String.valueOf(e.getMessage());
        } catch (UnsupportedFormatException newer) {
            return ""; // which opening says
        }
    }

    /**
     * What is wrong with the tree of the checkpoint at {@code position}, of which every node is read, also of the files
     * on which it builds; empty if nothing is, or if a newer version wrote one of them.
     */
    public static String treeFault(Storage storage, long position) throws IOException {
        try (CheckpointChain chain = CheckpointChain.open(storage, position, damaged -> {})) {
            return findNodeFault(chain);
        } catch (CorruptLogException e) {
            return String.valueOf(e.getMessage());
        } catch (UnsupportedFormatException newer) {
            return ""; // which opening says
        }
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
        CheckpointHeader header = new CheckpointHeader(0, position, 0, 0, 0, CheckpointHeader.NONE, 0);
        State state = State.GOOD;
        String fault = "";
        String nodeFault = "";
        long keys = 0;
        long bytes = checkpoints.length(position);
        try {
            header = checkpoints.header(position);
            if (depth == Depth.WHOLE) {
                try (CheckpointChain chain = checkpoints.open(position, damaged -> {})) {
                    keys = chain.tree().size();
                    nodeFault = findNodeFault(chain);
                }
            }
        } catch (CorruptLogException e) {
            state = State.DAMAGED;
            fault = String.valueOf(e.getMessage());
        } catch (UnsupportedFormatException e) {
            state = State.NEWER;
            fault = String.valueOf(e.getMessage());
        }
        return new CheckpointFile(
                CheckpointName.of(position),
                position,
                bytes,
                state,
                fault,
                header.logId(),
                header.sequence(),
                header.createdAtMs(),
                header.predecessor(),
                keys,
                nodeFault);
    }

    private static String findNodeFault(CheckpointChain chain) {
        try {
            chain.verify();
            return "";
        } catch (CorruptLogException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
