package io.persist.tool.copy;

import io.persist.backup.Backup;
import io.persist.backup.Backup.Taken;
import io.persist.backup.BackupManifest;
import io.persist.backup.BackupOptions;
import io.persist.backup.PackedPath;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.PrintStream;
import java.nio.file.Path;

/** Backs up a log or a store that may be written meanwhile, and checks backups. */
public final class BackupTool {

    private BackupTool() {}

    /** A tool that makes a backup, a zip file or a directory, or brings a directory up to date. */
    public static LogTool taking(Path backup, StorePlace place, BackupOptions options) {
        return (log, out, err) -> {
            EndOfLog.of(log).requireGood(); // before a directory is made
            PackedPath packed = new PackedPath(backup);
            Storage storage = FileAction.orFail("cannot back up to " + backup, () -> packed.createFor(log));
            return take(log, storage, backup, place, options, out);
        };
    }

    /** The same on a storage of the caller's. */
    public static int take(
            Storage log, Storage storage, Path path, StorePlace place, BackupOptions options, PrintStream out) {
        Backup backup = Backup.at(new PackedPath(path), storage).with(options);
        Taken taken = backup.take(log, place.checkpoints(log));
        BackupManifest found = taken.manifest();
        String name = PayloadText.visible(path.toString());
        if (taken.isUpToDate()) {
            out.println(Descriptions.name(log) + ": nothing was copied, " + name + " is up to date: " + summary(found));
            printLeftOut(taken, out);
            return ExitCode.NOTHING;
        }
        out.println(Descriptions.name(log) + ": backed up " + summary(found) + ", to " + name);
        out.println("  copied and read back: " + amount(taken.written(), taken.writtenBytes()) + "; there already: "
                + amount(found.files().size() - taken.written(), found.bytes() - taken.writtenBytes()));
        printLeftOut(taken, out);
        return ExitCode.OK;
    }

    private static String amount(long files, long bytes) {
        return Descriptions.number(files, "file") + ", " + Descriptions.number(bytes, "byte");
    }

    private static void printLeftOut(Taken taken, PrintStream out) {
        taken.leftOut().forEach(line -> out.println("  left out: " + PayloadText.visible(line)));
        if (!taken.leftOut().isEmpty()) {
            out.println("  the backup opens without that; verify the store, it says what can be done there");
        }
    }

    /** A tool that compares the backup with its manifest. It runs on {@link PackedPath#directory} of the backup. */
    public static LogTool verifying(Path backup, BackupOptions options) {
        return (directory, out, err) -> {
            BackupManifest manifest = ArchiveTool.named(
                    "backup",
                    backup,
                    () -> Backup.at(new PackedPath(backup), directory)
                            .with(options)
                            .verify());
            out.println(PayloadText.visible(backup.toString()) + ": good, " + summary(manifest));
            return ExitCode.OK;
        };
    }

    /** What is in a backup. */
    static String summary(BackupManifest manifest) {
        return Descriptions.number(manifest.segments(), "segment") + " of "
                + manifest.content().plural() + " up to position " + manifest.endPosition() + ", sequence "
                + manifest.lastSequence() + " ("
                + Descriptions.number(manifest.files().size(), "file") + ", "
                + Descriptions.number(manifest.bytes(), "byte") + ")";
    }
}
