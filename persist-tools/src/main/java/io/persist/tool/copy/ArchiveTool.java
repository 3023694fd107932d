package io.persist.tool.copy;

import io.persist.archive.Archive;
import io.persist.archive.ArchiveManifest;
import io.persist.archive.ArchivedSegment;
import io.persist.backup.PackedPath;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.FileAction;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.log.RetentionRule;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.Output;
import io.persist.tool.ToolRunner;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.EndOfLog;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.io.FileNotFoundException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Packs the sealed segments of a log into an archive, checks an archive, and makes a log of one again. */
public final class ArchiveTool {

    /** What becomes of the segments that have been archived. */
    public enum Originals {
        KEEP,
        /** Retention takes them away, as far as no cursor holds them, once the archive is synced and was read back. */
        DELETE
    }

    private ArchiveTool() {}

    /** A tool that packs a log into a new archive. */
    public static LogTool packing(Path archive, Originals originals) {
        return (log, out, err) -> {
            requireDeletable(log, originals);
            return pack(log, openNew(archive, log), archive.toString(), originals, out, err);
        };
    }

    /** The same with an archive on a storage of the caller's. */
    public static LogTool packing(Archive archive, Originals originals) {
        return (log, out, err) -> {
            requireDeletable(log, originals);
            return pack(log, archive, "archive", originals, out, err);
        };
    }

    /** A tool that packs what the archive before has not, which ends at {@code fromPosition}. */
    public static LogTool continuing(Path archive, long fromPosition) {
        return (log, out, err) -> {
            ArchiveManifest manifest = openNew(archive, log).pack(log, fromPosition);
            return say(manifest, archive.toString(), " from position " + fromPosition + " on", log, out);
        };
    }

    private static void requireDeletable(Storage log, Originals originals) {
        if (originals == Originals.DELETE) {
            RetainTool.requireNoStore(log);
        }
    }

    private static Archive openNew(Path archive, Storage log) {
        EndOfLog.of(log).requireGood(); // before a directory is made
        PackedPath place = new PackedPath(archive);
        return place.archiveIn(FileAction.orFail("cannot archive to " + archive, () -> place.createFor(log)));
    }

    private static int pack(
            Storage log, Archive archive, String name, Originals originals, PrintStream out, PrintStream err) {
        ArchiveManifest manifest = originals == Originals.DELETE ? archive.packRetirable(log) : archive.pack(log);
        if (originals == Originals.DELETE && !manifest.segments().isEmpty()) {
            requireItIsReadBack(archive, name, manifest);
        }
        int code = say(manifest, name, "", log, out);
        if (originals == Originals.KEEP || code != ExitCode.OK) {
            return code;
        }
        out.flush(); // the log may be locked; the archive is there all the same
        return new RetainTool(RetentionRule.below(manifest.endPosition()), Effect.APPLY).run(log, out, err);
    }

    private static int say(ArchiveManifest manifest, String name, String which, Storage log, PrintStream out) {
        if (manifest.segments().isEmpty()) {
            out.println(Descriptions.name(log) + ": nothing to archive, no segment is sealed and synced" + which);
            return ExitCode.NOTHING;
        }
        out.println(Descriptions.name(log) + ": archived " + summary(manifest) + ", to " + PayloadText.visible(name));
        return ExitCode.OK;
    }

    /** The archive will be the only place of what it has. */
    private static void requireItIsReadBack(Archive archive, String name, ArchiveManifest packed) {
        @Nullable PersistException cause = null;
        try {
            if (archive.verify().equals(packed)) {
                return;
            }
        } catch (CorruptLogException | UnsupportedFormatException | LogIOException different) {
            cause = different;
        }
        throw new LogIOException(
                "the archive " + name + " is read back differently from what was written"
                        + (cause == null ? "" : ": " + cause.getMessage())
                        + "; no segment was deleted: remove that archive, look at its disk, and archive again",
                cause);
    }

    /** Of what is in a zip file the message tells that file, and not only the one in it. */
    static <T> T named(String what, Path path, Supplier<T> read) {
        try {
            return read.get();
        } catch (CorruptLogException | UnsupportedFormatException e) {
            if (!new PackedPath(path).isZip()) {
                throw e;
            }
            throw new LogIOException("cannot read the " + what + " " + path + ": " + e.getMessage(), e);
        } catch (LogIOException e) {
            if (!(e.getCause() instanceof FileNotFoundException)) {
                throw e;
            }
            throw new LogIOException(e.getMessage() + "; name one that exists", e);
        }
    }

    /** A tool that compares the archive with its manifest. It runs on {@link PackedPath#directory} of the archive. */
    public static LogTool verifying(Path archive) {
        return (directory, out, err) -> {
            ArchiveManifest manifest = named(
                    "archive",
                    archive,
                    () -> new PackedPath(archive).archiveIn(directory).verify());
            out.println(PayloadText.visible(archive.toString()) + ": good, " + summary(manifest));
            return ExitCode.OK;
        };
    }

    /**
     * A tool that unpacks the archive into {@code target}, an empty directory or one to be made, and verifies the log
     * there. It runs on {@link PackedPath#directory} of the archive.
     */
    public static LogTool restoring(Path archive, Path target) {
        return (directory, out, err) -> {
            ArchiveManifest manifest = named(
                    "archive",
                    archive,
                    () -> new PackedPath(archive).archiveIn(directory).restore(target));
            Storage restored = FileAction.orFail("cannot read " + target, () -> DirectoryStorage.open(target));
            return verify(manifest, archive.toString(), restored, out, err);
        };
    }

    /** The same with storages of the caller's. */
    static LogTool restoring(Archive archive, Storage target) {
        return (directory, out, err) -> {
            ArchiveManifest manifest = named("archive", Path.of("archive"), () -> archive.restore(target));
            return verify(manifest, "archive", target, out, err);
        };
    }

    private static int verify(
            ArchiveManifest manifest, String name, Storage restored, PrintStream out, PrintStream err) {
        out.println(
                PayloadText.visible(name) + ": restored " + summary(manifest) + ", to " + Descriptions.name(restored));
        return ToolRunner.run(restored, new VerifyTool(Output.TEXT, base -> {}), out, err); // it names the target
    }

    private static String summary(ArchiveManifest manifest) {
        List<ArchivedSegment> segments = manifest.segments();
        ArchivedSegment last = segments.get(segments.size() - 1);
        return Descriptions.number(segments.size(), "segment") + " of "
                + manifest.content().plural() + ", positions "
                + segments.get(0).basePosition() + " to " + manifest.endPosition() + " ("
                + Descriptions.number(manifest.bytes(), "byte") + "), sequences "
                + segments.get(0).firstSequence() + " to " + (last.nextSequence() - 1);
    }
}
