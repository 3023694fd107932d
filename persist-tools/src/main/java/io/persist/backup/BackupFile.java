package io.persist.backup;

import io.persist.cursor.CursorName;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import java.util.HexFormat;
import java.util.List;

/**
 * A file of a backup.
 *
 * @param name as in the log's directory
 * @param length in bytes
 * @param checksum CRC32C of the whole file
 * @param state whether the file may still change in the log
 */
public record BackupFile(String name, long length, int checksum, State state) {

    /** What may become of a file in the log, after it was copied. */
    public enum State {
        /** A segment that was sealed and synced: it stays as it is, until it is retired or vacated. */
        SETTLED,
        /** Anything else. */
        OPEN
    }

    private static final String WORD = "file";
    private static final int WORDS = 5;

    /** Whether a file of this name can be one of a backup; no such name leads out of its directory. */
    static boolean isName(String name) {
        return name.equals(LogFileName.CONTROL)
                || LogFileName.basePosition(name).isPresent()
                || CheckpointName.position(name).isPresent()
                || CursorName.isFile(name);
    }

    String line() {
        return String.join(
                " ",
                WORD,
                name,
                Long.toString(length),
                HexFormat.of().toHexDigits(checksum),
                state == State.SETTLED ? "settled" : "open");
    }

    /** The line of the manifest. */
    @Override
    public String toString() {
        return line();
    }

    /** @throws IllegalArgumentException if {@code line} is not one that {@link #line} makes */
    static BackupFile of(String line) {
        List<String> words = List.of(line.split(" ", WORDS + 1));
        if (words.size() != WORDS || !words.get(0).equals(WORD) || !isName(words.get(1))) {
            throw new IllegalArgumentException("no file: '" + line + "'");
        }
        BackupFile file = new BackupFile(
                words.get(1),
                Long.parseLong(words.get(2)),
                HexFormat.fromHexDigits(words.get(3)),
                words.get(4).equals("settled") ? State.SETTLED : State.OPEN);
        if (!file.line().equals(line)) {
            throw new IllegalArgumentException("no file: '" + line + "'");
        }
        return file;
    }
}
