package io.persist.tool.copy;

import io.persist.backup.Backup;
import io.persist.backup.Backup.CutOffCursor;
import io.persist.backup.Backup.Restored;
import io.persist.backup.BackupManifest;
import io.persist.backup.BackupOptions;
import io.persist.backup.PackedPath;
import io.persist.backup.RestorePoint;
import io.persist.backup.kept.KeptBackups;
import io.persist.error.RetiredException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolRunner;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a backup, all of it or up to a position, into {@code target}, an empty directory or one to be made, and
 * verifies the log or store there. It runs on {@link PackedPath#directory} of the backup.
 */
public final class RestoreTool implements LogTool {

    private final Path backup;
    private final Path target;
    private final RestorePoint end;
    private final BackupOptions options;

    /** A tool that reads the backup as {@code options} say. */
    public RestoreTool(Path backup, Path target, RestorePoint end, BackupOptions options) {
        this.backup = backup;
        this.target = target;
        this.end = end;
        this.options = options;
    }

    @Override
    public int run(Storage directory, PrintStream out, PrintStream err) {
        PackedPath place = new PackedPath(backup);
        Restored restored;
        try {
            restored = ArchiveTool.named(
                    "backup",
                    backup,
                    () -> Backup.at(place, directory).with(options).restore(target, end));
        } catch (RetiredException | IllegalArgumentException e) {
            Path other = place.isZip() ? null : newestThatReaches(end);
            if (other == null) {
                throw e;
            }
            throw new IllegalArgumentException(
                    e.getMessage() + "; of those that it keeps the newest one for that is " + other, e);
        }
        Storage log = FileAction.orFail("cannot read " + target, () -> DirectoryStorage.open(target));
        return verify(restored, backup, log, out, err);
    }

    private @Nullable Path newestThatReaches(RestorePoint point) {
        List<Path> kept = FileAction.orFail("cannot read " + backup, () -> KeptBackups.of(backup));
        for (int i = kept.size() - 1; i >= 0; i--) {
            Path path = kept.get(i);
            Storage storage = FileAction.orFail("cannot read " + path, () -> DirectoryStorage.open(path));
            if (Backup.directory(storage).reaches(point)) {
                return path;
            }
        }
        return null;
    }

    /** The same with storages of the caller's. */
    static int restore(
            Storage directory, Path backup, Storage target, RestorePoint end, PrintStream out, PrintStream err) {
        Restored restored = Backup.at(new PackedPath(backup), directory).restore(target, end);
        return verify(restored, backup, target, out, err);
    }

    private static int verify(Restored restored, Path backup, Storage log, PrintStream out, PrintStream err) {
        BackupManifest manifest = restored.backup();
        out.println(PayloadText.visible(backup.toString()) + ": restored "
                + (restored.isWhole()
                        ? ""
                        : "up to position " + restored.endPosition() + ", sequence " + restored.lastSequence()
                                + ", of ")
                + BackupTool.summary(manifest) + ", to " + Descriptions.name(log));
        if (manifest.files().stream()
                .anyMatch(file -> CheckpointName.position(file.name()).isPresent())) {
            out.println("  the checkpoints lie beside the log; if the store has a directory for them, empty it and move"
                    + " them there before you open the store: "
                    + PayloadText.visible(Checkpoints.moving(log, "DIRECTORY")));
        }
        if (!restored.isWhole()) {
            printLeftOut(restored, out);
        }
        return ToolRunner.run(log, new VerifyTool(Output.TEXT, base -> {}), out, err); // it names the target
    }

    private static void printLeftOut(Restored restored, PrintStream out) {
        BackupManifest backup = restored.backup();
        out.println("  left out: records " + (restored.lastSequence() + 1) + " to " + backup.lastSequence() + ", "
                + Descriptions.number(backup.endPosition() - restored.endPosition(), "byte") + " of the log");
        for (CutOffCursor cursor : restored.cutOff()) {
            out.println("  cursor " + cursor.name() + " was at position " + cursor.position() + ", record "
                    + cursor.sequence() + ": its reader has handled what was left out, and is refused until you remove"
                    + " the cursor");
        }
    }
}
