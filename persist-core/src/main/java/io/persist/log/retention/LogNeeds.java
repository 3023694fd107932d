package io.persist.log.retention;

import io.persist.cursor.CursorDirectory;
import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.WriterLock;
import io.persist.format.control.CursorSlot;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * From which position on the log is needed: by the tailers that are open in this process, and by the cursors, of any
 * process.
 */
final class LogNeeds {

    private final OpenTailers tailers;
    private final CursorDirectory cursors;

    /** Says that the log has to stay from {@code position} on, and why. */
    record Need(long position, String why) {}

    /** What is done while no need can begin earlier; tells what has held it up, null if nothing has. */
    interface Taking {
        @Nullable
        Need run(Need need) throws IOException;
    }

    /** What takes something away. */
    interface Step {
        void run() throws IOException;
    }

    private interface CursorReader {
        CursorSlot read(String name) throws IOException;
    }

    LogNeeds(OpenTailers tailers, CursorDirectory cursors) {
        this.tailers = tailers;
        this.cursors = cursors;
    }

    /** The earliest of all needs, as it is now; cursors as they are in memory. */
    Need now() throws IOException {
        return earliest(cursors::read);
    }

    /**
     * Runs {@code taking} with the earliest of all needs, by what the cursors have on the device. No cursor can be
     * made, or go back, and no tailer of this process can be opened, until it returns.
     */
    @Nullable
    Need run(Taking taking) throws IOException {
        WriterLock exclusive = cursors.exclusive();
        try {
            synchronized (tailers) {
                return taking.run(earliest(cursors::readSynced));
            }
        } finally {
            exclusive.close();
        }
    }

    /** Runs {@code step} unless something before {@code endPosition} is needed; whether it has. */
    boolean unlessNeeded(long endPosition, Step step) throws IOException {
        Need needed = run(need -> {
            if (endPosition > need.position()) {
                return need;
            }
            step.run();
            return null;
        });
        return needed == null;
    }

    private Need earliest(CursorReader reader) throws IOException {
        long read = tailers.neededPosition();
        Need lowest = new Need(read, "an open tailer of this process reads at position " + read);
        for (String name : cursors.names()) {
            Need need = need(name, reader);
            lowest = need.position() < lowest.position() ? need : lowest;
        }
        return lowest;
    }

    private static Need need(String name, CursorReader reader) throws IOException {
        try {
            CursorSlot slot = reader.read(name);
            String why = "cursor " + name + " is at position " + slot.position();
            return new Need(
                    slot.position(),
                    slot.isCutOff() ? why + ", although its reader is refused since a repair has cut the log" : why);
        } catch (FileNotFoundException removed) {
            return new Need(Long.MAX_VALUE, "cursor " + name + " is gone");
        } catch (CorruptLogException | UnsupportedFormatException e) {
            return new Need(
                    Long.MIN_VALUE, "cursor " + name + " cannot be read, so it may be anywhere: " + e.getMessage());
        }
    }
}
