package io.persist.log;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.event.SegmentFillEvent;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.format.LogContent;
import io.persist.format.SegmentHeader;
import io.persist.format.SegmentName;
import java.io.IOException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * Brings segments into being. A segment gets its name only when it is whole: zeros in every block, the header, synced;
 * then it is renamed and the directory synced. So a full disk is an exception here, before anything is accepted, and a
 * sync of records later has no metadata to write.
 */
final class SegmentFactory {

    /**
     * Zeros are written by pages where records will be stored through a mapping: file systems with large folios keep
     * what is written at once in one folio, and a force writes the whole folio that a store made dirty.
     */
    private static final int MAPPED_FILL_LENGTH = 4 << 10;

    private static final int FILE_FILL_LENGTH = 64 << 10;

    /** Told after each MiB of zeros: the place to do something else for a moment, or to wait. */
    interface Pace {
        void filled(int bytes) throws IOException;
    }

    private static final int PACE_LENGTH = 1 << 20;

    private final Storage storage;
    private final LogConfig config;
    private final LogContent content;
    private final long logId;
    private final SecureRandom random = new SecureRandom();
    private final byte[] zeros;

    SegmentFactory(Storage storage, LogConfig config, LogContent content, long logId) {
        this.storage = storage;
        this.config = config;
        this.content = content;
        this.logId = logId;
        this.zeros = new byte[config.writeMode() == WriteMode.MAPPED ? MAPPED_FILL_LENGTH : FILE_FILL_LENGTH];
    }

    static long newLogId() {
        return new SecureRandom().nextLong();
    }

    int segmentLength() {
        return config.segmentLength();
    }

    /** Makes the segment at {@code basePosition}, from the file {@code spare} if there is one. */
    void create(long basePosition, @Nullable String spare, Pace pace) throws IOException {
        if (basePosition >= SegmentName.BASE_LIMIT) { // it would not be found again
            throw new IOException("the positions of the log are used up: position=" + basePosition + ", directory="
                    + storage.description() + "; begin a new log");
        }
        int length = config.segmentLength();
        String name = SegmentName.of(basePosition);
        String temporary = spare == null ? name + SegmentName.TEMPORARY_SUFFIX : spare;
        if (spare == null) {
            requireSpace(length);
        }
        SegmentFillEvent event = SegmentFillEvent.begin();
        try (StorageFile file =
                spare == null ? storage.create(temporary) : storage.open(temporary, Storage.Access.WRITE)) {
            fill(file, length, pace);
            long now = System.currentTimeMillis();
            byte[] header = new SegmentHeader(basePosition, length, random.nextLong(), logId, now, content, 0).encode();
            file.write(0, header, 0, header.length, WriteThrough.NONE);
            file.sync();
            pace.filled(0); // it may say that the log is another process's, which has such a segment too
        } catch (IOException e) {
            discard(temporary, e);
            throw e;
        }
        storage.rename(temporary, name);
        storage.syncDirectory();
        SegmentFillEvent.end(event, storage.description(), name, length);
    }

    /** What an appender is told that gets no segment because of {@code cause}. */
    PersistException refusal(IOException cause) {
        String message = "cannot prepare the next segment: " + cause.getMessage();
        if (isDiskFull(cause)) {
            return new LogFullException(
                    "log is full: " + message + "; free disk space or retire old segments, then append again", cause);
        }
        return new LogIOException(message + "; all records so far are safe, append again once it is mended", cause);
    }

    private boolean isDiskFull(IOException cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("No space left") || message.contains("quota exceeded")) {
            return true;
        }
        try {
            return storage.usableBytes() < config.segmentLength();
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Opens a segment for the appender. */
    Segment open(long basePosition) throws IOException {
        StorageFile file = storage.open(SegmentName.of(basePosition), Storage.Access.WRITE);
        boolean opened = false;
        try {
            SegmentHeader header = LogFiles.readHeader(storage, file, basePosition);
            Mapping mapping = config.writeMode() == WriteMode.MAPPED ? file.map(header.segmentLength()) : null;
            opened = true;
            return new Segment(header, file, mapping);
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    /** A file system that is nearly full is told from one that has to be filled to find out. */
    private void requireSpace(int length) throws IOException {
        long usable = storage.usableBytes();
        if (usable < length) {
            throw new IOException("No space left on device: needed=" + length + ", usable=" + usable + ", directory="
                    + storage.description());
        }
    }

    private void fill(StorageFile file, int length, Pace pace) throws IOException {
        int sinceLastPace = 0;
        for (int offset = 0; offset < length; ) {
            int now = Math.min(zeros.length, length - offset);
            file.write(offset, zeros, 0, now, WriteThrough.NONE);
            offset += now;
            sinceLastPace += now;
            if (sinceLastPace >= PACE_LENGTH) {
                pace.filled(sinceLastPace);
                sinceLastPace = 0;
            }
        }
    }

    private void discard(String name, IOException cause) {
        try {
            storage.delete(name);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
