package io.persist.backup;

import io.persist.archive.ArchiveManifest;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.log.LogContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What belongs to a backup. A text of lines, so that people can read it:
 *
 * <pre>
 *   persist-backup 1
 *   by 0.1.0
 *   log 1122334455667788 messages
 *   end 4711 71
 *   file 00000000000000000000.log 4096 0a1b2c3d settled
 *   file control 4096 0a1b2c3d open
 *   end 2 b5c81254
 * </pre>
 *
 * The first line {@code end} has the position at which the backup ends and the number of the last record before it. The
 * last line has the number of files and the CRC32C of all lines before it. That, and remarks, are as those of an {@link
 * ArchiveManifest}.
 *
 * @param logId of the log
 * @param content what its records are
 * @param endPosition where the backup ends; everything before it is there
 * @param lastSequence the number of the last record before that, 0 if there is none
 * @param files in the order of their names
 */
public record BackupManifest(
        long logId, LogContent content, long endPosition, long lastSequence, List<BackupFile> files) {

    /** The manifest's name in a backup, which is that of an archive's. */
    public static final String NAME = ArchiveManifest.NAME;

    private static final String FIRST_LINE = "persist-backup 1";

    /** The file of this name, if it belongs to the backup. */
    Optional<BackupFile> file(String name) {
        return files.stream().filter(file -> file.name().equals(name)).findFirst();
    }

    /** One line for a log; {@link #files} has the files. */
    @Override
    public String toString() {
        return "log " + HexFormat.of().toHexDigits(logId) + " " + content.plural() + ", end " + endPosition
                + ", last record " + lastSequence + ", " + files.size() + " files of " + bytes() + " bytes";
    }

    /** The length of all files. */
    public long bytes() {
        return files.stream().mapToLong(BackupFile::length).sum();
    }

    /** How many of the files are segments. */
    public long segments() {
        return files.stream()
                .filter(file -> LogFileName.basePosition(file.name()).isPresent())
                .count();
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(ArchiveManifest.firstLines(FIRST_LINE));
        text.append("log ").append(HexFormat.of().toHexDigits(logId));
        text.append(' ').append(content.name().toLowerCase(Locale.ROOT)).append('\n');
        text.append("end ").append(endPosition).append(' ').append(lastSequence).append('\n');
        files.forEach(file -> text.append(file.line()).append('\n'));
        String last = ArchiveManifest.lastLine(text.toString(), files.size());
        return (text + last + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** Whether it begins as a manifest of this version does; an archive's does not. */
    static boolean isOne(byte[] bytes) {
        return firstLine(bytes).equals(FIRST_LINE);
    }

    /** Throws an {@link UnsupportedFormatException} if it is a whole one of a newer version. */
    static void checkVersion(byte[] bytes) {
        ArchiveManifest.checkVersion(new String(bytes, StandardCharsets.UTF_8), FIRST_LINE);
    }

    /** Its first line, for a message. */
    static String firstLine(byte[] bytes) {
        return ArchiveManifest.visible(
                new String(bytes, StandardCharsets.UTF_8).lines().findFirst().orElse(""));
    }

    /**
     * Reads a manifest.
     *
     * @throws CorruptLogException if it is no whole one of a backup
     * @throws UnsupportedFormatException if it is that of an archive, or a newer version wrote it
     */
    static BackupManifest decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        ArchiveManifest.checkVersion(text, FIRST_LINE);
        try {
            BackupManifest manifest = parse(text);
            if (ArchiveManifest.isSame(text, manifest.encode())) {
                return manifest;
            }
        } catch (IllegalArgumentException e) {
            throw Backup.damaged(
                    NAME, 0, "the manifest cannot be read: " + ArchiveManifest.visible(String.valueOf(e.getMessage())));
        }
        throw Backup.damaged(NAME, 0, "the manifest is damaged");
    }

    private static BackupManifest parse(String text) {
        Iterator<String> lines = ArchiveManifest.lines(text);
        String first = ArchiveManifest.nextLine(lines);
        if (first.equals(ArchiveManifest.FIRST_LINE)) {
            throw new UnsupportedFormatException("not a backup but an archive, file=" + NAME + "; use archive --restore"
                    + " or archive --verify for it");
        }
        if (!first.equals(FIRST_LINE)) {
            throw new IllegalArgumentException("it does not begin with '" + FIRST_LINE + "'");
        }
        String[] log = ArchiveManifest.nextLine(lines).split(" ", 4);
        String[] end = ArchiveManifest.nextLine(lines).split(" ", 4);
        if (log.length != 3 || end.length != 3) {
            throw new IllegalArgumentException("no log, or no end, in its first lines");
        }
        List<BackupFile> files = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String line = ArchiveManifest.nextLine(lines); lines.hasNext(); line = lines.next()) {
            BackupFile file = BackupFile.of(line);
            if (!names.add(file.name())) {
                throw new IllegalArgumentException("twice: '" + line + "'");
            }
            files.add(file);
        }
        return new BackupManifest(
                HexFormat.fromHexDigitsToLong(log[1]),
                LogContent.valueOf(log[2].toUpperCase(Locale.ROOT)),
                Long.parseLong(end[1]),
                Long.parseLong(end[2]),
                List.copyOf(files));
    }
}
