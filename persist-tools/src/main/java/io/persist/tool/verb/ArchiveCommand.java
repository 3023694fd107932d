package io.persist.tool.verb;

import com.beust.jcommander.Parameter;
import io.persist.backup.PackedPath;
import io.persist.command.Checks;
import io.persist.command.Manual;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.copy.ArchiveTool;
import io.persist.tool.copy.ArchiveTool.Originals;
import io.persist.tool.verb.flags.ToolArguments;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code archive LOG --to FILE.zip}: packs the sealed segments of a log, checks archives, makes logs of them. */
public final class ArchiveCommand extends ToolArguments {

    @Parameter(
            names = "--to",
            placeholder = "PATH",
            description = "FILE.zip or a directory: the new archive; with --restore the directory of the new log")
    private @Nullable Path to;

    @Parameter(names = "--delete", description = "retire the archived segments once the archive is synced")
    private boolean delete;

    @Parameter(
            names = "--fromPosition",
            placeholder = "POSITION",
            description = "where the archive before ends, as it was printed: leave out what that one has")
    private @Nullable Long fromPosition;

    @Parameter(names = "--verify", description = "compare an archive, in place of LOG, with its manifest")
    private boolean verify;

    @Parameter(names = "--restore", description = "unpack an archive, in place of LOG, into an empty directory")
    private boolean restore;

    /** At its defaults. */
    public ArchiveCommand() {}

    @Override
    public Manual manual() {
        return Manual.of(
                        "archive",
                        "LOG",
                        "Packs the sealed segments of a log, checks archives, and makes logs of them.")
                .example("pack, and give the space back", "./logs --to logs-1.zip --delete")
                .example(
                        "pack what was sealed since, while a writer has the log",
                        "./logs --to logs-2.zip --fromPosition 67108864")
                .example("make a log of an archive", "logs-1.zip --restore --to ./restored")
                .exits("it could not be done; nothing was deleted")
                .exit(ExitCode.NOTHING, "there is nothing to archive: no segment is sealed and synced, or none since");
    }

    @Override
    protected List<Path> directories() {
        if (!verify) {
            target();
        }
        requireOneLog("archive");
        List<Path> paths = super.directories();
        return verify || restore
                ? paths.stream().map(path -> new PackedPath(path).directory()).toList()
                : paths;
    }

    @Override
    protected LogTool tool(PrintStream err) {
        if (verify && restore) {
            throw new IllegalArgumentException("give one of --verify, --restore; --restore verifies too");
        }
        if (delete && (verify || restore)) {
            throw new IllegalArgumentException("--delete is for the segments that are being archived");
        }
        if (fromPosition != null && (delete || verify || restore)) {
            throw new IllegalArgumentException("--fromPosition is for packing, and without --delete");
        }
        Checks.range("--fromPosition", orElse(fromPosition, 0), 0, Long.MAX_VALUE);
        Path path = super.directories().get(0);
        if (verify) {
            if (to != null) {
                throw new IllegalArgumentException("--verify writes nothing, so that --to makes no sense");
            }
            return ArchiveTool.verifying(path);
        }
        if (restore) {
            return ArchiveTool.restoring(path, target());
        }
        if (fromPosition != null) {
            return ArchiveTool.continuing(target(), fromPosition);
        }
        return ArchiveTool.packing(target(), delete ? Originals.DELETE : Originals.KEEP);
    }

    private Path target() {
        return target(to, restore ? "the directory of the new log" : "the new archive, FILE.zip or a directory");
    }
}
