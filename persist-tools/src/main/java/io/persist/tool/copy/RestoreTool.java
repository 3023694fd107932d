package io.persist.tool.copy;

import io.persist.backup.Backup;
import io.persist.backup.BackupManifest;
import io.persist.backup.PackedPath;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.tool.FileAction;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolRunner;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Copies a backup into {@code target}, an empty directory or one to be made, and verifies the log or store there. It
 * runs on {@link PackedPath#directory} of the backup.
 */
public final class RestoreTool implements LogTool {

    private final Path backup;
    private final Path target;

    public RestoreTool(Path backup, Path target) {
        this.backup = backup;
        this.target = target;
    }

    @Override
    public int run(Storage directory, PrintStream out, PrintStream err) {
        BackupManifest manifest = ArchiveTool.named(
                "backup",
                backup,
                () -> Backup.at(new PackedPath(backup), directory).restore(target));
        Storage restored = FileAction.orFail("cannot read " + target, () -> DirectoryStorage.open(target));
        return verify(manifest, backup, restored, out, err);
    }

    /** The same with storages of the caller's. */
    static int restore(Storage directory, Path backup, Storage target, PrintStream out, PrintStream err) {
        BackupManifest manifest = Backup.at(new PackedPath(backup), directory).restore(target);
        return verify(manifest, backup, target, out, err);
    }

    private static int verify(
            BackupManifest manifest, Path backup, Storage restored, PrintStream out, PrintStream err) {
        out.println(PayloadText.visible(backup.toString()) + ": restored " + BackupTool.summary(manifest) + ", to "
                + Descriptions.name(restored));
        if (manifest.files().stream()
                .anyMatch(file -> CheckpointName.position(file.name()).isPresent())) {
            out.println("  the checkpoints lie beside the log; if the store has a directory for them, empty it and move"
                    + " them there before you open the store: "
                    + PayloadText.visible(Checkpoints.moving(restored, "DIRECTORY")));
        }
        return ToolRunner.run(restored, new VerifyTool(Output.TEXT, base -> {}), out, err); // it names the target
    }
}
