package io.persist.tool.copy;

import io.persist.backup.Backup;
import io.persist.backup.Backup.Taken;
import io.persist.backup.BackupManifest;
import io.persist.backup.BackupOptions;
import io.persist.backup.DiskBackup;
import io.persist.backup.PackedPath;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import io.persist.tool.text.PayloadText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Backs up a log or a store that may be written meanwhile, and checks backups. */
public final class BackupTool {

    /** What is said of a backup. */
    private enum Status {
        BACKED_UP,
        UP_TO_DATE,
        GOOD
    }

    private BackupTool() {}

    /** A tool that makes a backup, a zip file or a directory, or brings a directory up to date. */
    public static LogTool taking(Path backup, StorePlace place, BackupOptions options, Output output) {
        return (log, out, err) -> {
            EndOfLog.of(log).requireGood(); // before a directory is made
            PackedPath packed = new PackedPath(backup);
            Storage storage = FileAction.orFail("cannot back up to " + backup, () -> packed.createFor(log));
            return take(log, storage, backup, place, options, output, out);
        };
    }

    /** The same on a storage of the caller's. */
    public static int take(
            Storage log,
            Storage storage,
            Path path,
            StorePlace place,
            BackupOptions options,
            Output output,
            PrintStream out) {
        Backup backup = Backup.at(new PackedPath(path), storage).with(options);
        Taken taken = backup.take(log, place.checkpoints(log));
        List<Path> kept =
                options.kept() == null ? List.of() : DiskBackup.at(path).kept();
        if (output == Output.JSON) {
            printJson(log, path, taken, kept, out);
        } else {
            printText(log, path, taken, kept, out);
        }
        return taken.isUpToDate() ? ExitCode.NOTHING : ExitCode.OK;
    }

    private static void printText(Storage log, Path path, Taken taken, List<Path> kept, PrintStream out) {
        BackupManifest found = taken.manifest();
        String name = PayloadText.visible(path.toString());
        if (taken.isUpToDate()) {
            out.println(Descriptions.name(log) + ": nothing was copied, " + name + " is up to date: " + summary(found)
                    + took(taken));
        } else {
            out.println(Descriptions.name(log) + ": backed up " + summary(found) + ", to " + name);
            out.println("  copied and read back: " + amount(taken.written(), taken.writtenBytes()) + "; there already: "
                    + amount(found.files().size() - taken.written(), found.bytes() - taken.writtenBytes())
                    + took(taken));
        }
        printKept(kept, out);
        taken.leftOut().forEach(line -> out.println("  left out: " + PayloadText.visible(line)));
        if (!taken.leftOut().isEmpty()) {
            out.println("  the backup opens without that; verify the store, it says what can be done there");
        }
    }

    private static String amount(long files, long bytes) {
        return Descriptions.number(files, "file") + ", " + Descriptions.number(bytes, "byte");
    }

    private static String took(Taken taken) {
        return String.format(Locale.ROOT, "; took %.3f s", taken.elapsedNs() / 1e9);
    }

    private static void printKept(List<Path> kept, PrintStream out) {
        if (!kept.isEmpty()) {
            Path newest = kept.get(kept.size() - 1);
            out.println("  kept: " + Descriptions.number(kept.size(), "backup") + ", from "
                    + kept.get(0).getFileName() + " on, the newest is " + PayloadText.visible(newest.toString()));
        }
    }

    private static void printJson(Storage log, Path path, Taken taken, List<Path> kept, PrintStream out) {
        JsonLine.print(out, json -> {
            json.name("log").value(log.description());
            json.name("backup").value(path.toString());
            json.name("status").value(taken.isUpToDate() ? Status.UP_TO_DATE : Status.BACKED_UP);
            write(json, taken.manifest());
            json.name("copiedFiles").value(taken.written());
            json.name("copiedBytes").value(taken.writtenBytes());
            json.name("elapsedNs").value(taken.elapsedNs());
            write(json, "leftOut", taken.leftOut());
            write(json, "kept", kept.stream().map(Path::toString).toList());
        });
    }

    private static void write(JsonLine json, BackupManifest manifest) throws IOException {
        json.name("content").value(manifest.content());
        json.name("endPosition").value(manifest.endPosition());
        json.name("lastSequence").value(manifest.lastSequence());
        json.name("segments").value(manifest.segments());
        json.name("files").value(manifest.files().size());
        json.name("bytes").value(manifest.bytes());
    }

    private static void write(JsonLine json, String name, List<String> lines) throws IOException {
        json.name(name).beginArray();
        for (String line : lines) {
            json.value(line);
        }
        json.endArray();
    }

    /** A tool that compares the backup with its manifest. It runs on {@link PackedPath#directory} of the backup. */
    public static LogTool verifying(Path backup, BackupOptions options, Output output) {
        return (directory, out, err) -> {
            BackupManifest manifest = ArchiveTool.named(
                    "backup",
                    backup,
                    () -> Backup.at(new PackedPath(backup), directory)
                            .with(options)
                            .verify());
            if (output == Output.JSON) {
                List<Path> kept = DiskBackup.at(backup).kept();
                JsonLine.print(out, json -> {
                    json.name("backup").value(backup.toString());
                    json.name("status").value(Status.GOOD);
                    write(json, manifest);
                    write(json, "kept", kept.stream().map(Path::toString).toList());
                });
            } else {
                out.println(PayloadText.visible(backup.toString()) + ": good, " + summary(manifest));
                printKept(DiskBackup.at(backup).kept(), out); // which may not be readable
            }
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
