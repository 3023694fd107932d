package io.persist.log.segment;

import io.persist.error.CorruptLogException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.event.SegmentMadeEvent;
import io.persist.file.Mapping;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.disk.FileReason;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.WriteMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes segments. A segment gets its name only when its header is whole and synced; then it is renamed and the
 * directory synced. So no crash can leave a segment of the log without its header.
 *
 * <p>A new file is as long as its segment but has no blocks for the records: {@code SegmentFiller} writes zeros ahead
 * of the appender. A recycled file keeps its blocks, and behind its first page the bytes of its earlier life: its
 * header says so, and recovery tells them from what was stored since.
 */
public final class SegmentFactory {

    /** Looks whether a segment may still be made, before it gets its name. */
    public interface Check {
        /**
         * Throws if not.
         *
         * @throws FileNotFoundException if another file may have the name of what was made so far, which is left alone
         */
        void run() throws IOException;
    }

    private final Storage storage;
    private final LogConfig config;
    private final LogContent content;
    private final long logId;

    /** Makes and opens segments of the log {@code logId}, whose records are {@code content}. */
    public SegmentFactory(Storage storage, LogConfig config, LogContent content, long logId) {
        this.storage = storage;
        this.config = config;
        this.content = content;
        this.logId = logId;
    }

    /** A random number for a new log. */
    public static long newLogId() {
        return randomNumber();
    }

    /** From a generator of its own: to make one takes some ms at first, which an opening need not wait for. */
    private static long randomNumber() {
        return new SecureRandom().nextLong();
    }

    /** Makes the segment at {@code basePosition}, with a name that survives a power cut. */
    public void create(long basePosition) throws IOException {
        create(basePosition, null, () -> {});
        storage.syncDirectory();
    }

    /**
     * Makes the segment at {@code basePosition}, from the file {@code spare} if there is one. Its name survives a power
     * cut once {@link #openNew} has returned.
     */
    public void create(long basePosition, @Nullable String spare, Check check) throws IOException {
        if (basePosition >= LogFileName.BASE_LIMIT) { // it would not be found again
            throw new IOException("the positions of the log are used up: position=" + basePosition + ", directory="
                    + storage.description() + "; begin a new log");
        }
        boolean isNew = spare == null;
        String name = LogFileName.segment(basePosition);
        String temporary = spare == null ? name + LogFileName.TEMPORARY_SUFFIX : spare;
        if (isNew) {
            requireSpace(config.segmentLength());
        }
        SegmentMadeEvent event = SegmentMadeEvent.begin();
        try {
            try (StorageFile file = isNew ? storage.create(temporary) : storage.open(temporary, Storage.Access.WRITE)) {
                if (isNew) {
                    beginNew(file, basePosition);
                } else {
                    beginAgain(file, basePosition);
                }
                file.sync();
                check.run(); // it may say that the log is another process's, which has such a segment too
            }
            storage.rename(temporary, name); // what has the temporary name is this file: see SegmentSupply.make
        } catch (FileNotFoundException gone) {
            throw gone;
        } catch (IOException e) {
            if (isNew) { // a spare can be tried again: for another file there may be no space
                LogFiles.discard(storage, temporary, e); // else the next attempt would say that there is such a file
            }
            throw FileReason.isFileTooLong(e) ? tooLong(name, e) : e;
        }
        SegmentMadeEvent.end(event, storage.description(), name, config.segmentLength());
    }

    /** Gives a new file its length and its header. */
    private void beginNew(StorageFile file, long basePosition) throws IOException {
        byte[] header = header(basePosition, 0);
        file.write(config.segmentLength() - Long.BYTES, new byte[Long.BYTES], 0, Long.BYTES, WriteThrough.NONE);
        file.write(0, header, 0, header.length, WriteThrough.NONE);
    }

    /**
     * Writes the header of a spare's next life. It takes a whole page, which need not be read; and has zeros where the
     * first frame will be: they tell readers and recovery that nothing was stored yet.
     */
    private void beginAgain(StorageFile file, long basePosition) throws IOException {
        byte[] page = Arrays.copyOf(header(basePosition, SegmentHeader.FLAG_REUSED), ZeroWriter.PAGE_LENGTH);
        file.write(0, page, 0, page.length, WriteThrough.NONE);
    }

    private IOException tooLong(String name, IOException cause) {
        return new IOException(
                "File too large: length=" + config.segmentLength() + ", file=" + name + ", directory="
                        + storage.description()
                        + "; raise the limit of a file's length (ulimit -f), or take a shorter segmentLength",
                cause);
    }

    private byte[] header(long basePosition, int flags) {
        long now = System.currentTimeMillis();
        int length = config.segmentLength();
        return new SegmentHeader(basePosition, length, randomNumber(), logId, now, content, flags).encode();
    }

    /**
     * What an appender is told that gets no segment because of {@code cause}: nothing was changed, and the log goes on.
     * Any other {@link LogIOException} of an append means that the log has failed.
     */
    public PersistException refusal(IOException cause) {
        String message = "cannot prepare the next segment: " + cause.getMessage();
        if (isDiskFull(cause)) {
            return new LogFullException("log is full: " + message + "; " + whatFreesSpace(), cause);
        }
        return new LogIOException(
                message + "; all records on the log are safe, append again when the cause is removed", cause);
    }

    /** Segments of a store are compaction's, which makes space by writing: so first there has to be some. */
    private String whatFreesSpace() {
        return content == LogContent.TRANSACTIONS
                ? "free disk space, or close scans, snapshots and readers of changes that keep segments, then commit"
                        + " again; compact() then gives space back, and a lower maxSpaceRatio keeps the store smaller"
                : "free disk space or retire old segments, then append again";
    }

    /** A quota is told by words alone; in another language than English it is a refusal of unknown reason. */
    private boolean isDiskFull(IOException cause) {
        if (FileReason.isDiskFull(cause)) {
            return true;
        }
        try {
            return storage.usableBytes() < config.segmentLength();
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Opens a segment for the writer. Its file may have holes, as that of a log that was copied has. */
    public Segment open(long basePosition) throws IOException {
        return open(basePosition, false);
    }

    private Segment open(long basePosition, boolean isNew) throws IOException {
        String name = LogFileName.segment(basePosition);
        boolean isMapped = config.writeMode() == WriteMode.MAPPED;
        long identity = storage.identity(name);
        try (Opening opening = new Opening()) {
            StorageFile file = opening.add(storage.open(name, Storage.Access.WRITE), StorageFile::close);
            SegmentHeader header = LogFiles.readHeader(storage, file, basePosition);
            boolean hasBlocks = isNew && header.isReused();
            if (isMapped) { // nobody else writes to it
                Mapping mapping = LogFiles.map(file, header);
                if (mapping == null) {
                    throw replaced(name, null);
                }
                opening.add(mapping, Mapping::close);
                requireSame(name, identity);
                return opening.done(new Segment(header, identity, file, file, mapping, hasBlocks));
            }
            StorageFile fillFile = opening.add(storage.open(name, Storage.Access.WRITE), StorageFile::close);
            if (LogFiles.readHeader(storage, fillFile, basePosition).salt() != header.salt()) {
                throw replaced(name, null); // zeros must not get into another file
            }
            file.beginRangeSyncs();
            requireSame(name, identity);
            return opening.done(new Segment(header, identity, file, fillFile, null, hasBlocks));
        }
    }

    /** A file that has kept its name while it was opened, several times, was opened each time. */
    private void requireSame(String name, long identity) throws IOException {
        if (storage.identity(name) != identity) {
            throw replaced(name, null);
        }
    }

    /**
     * Opens for the writer what it has {@linkplain #create made}, and makes the name durable. It may be tried again.
     *
     * @throws FileNotFoundException if another file has the name
     */
    public Segment openNew(long basePosition) throws IOException {
        storage.syncDirectory();
        try {
            return open(basePosition, true);
        } catch (CorruptLogException another) {
            throw replaced(LogFileName.segment(basePosition), another);
        }
    }

    private FileNotFoundException replaced(String name, @Nullable CorruptLogException cause) {
        FileNotFoundException replaced = new FileNotFoundException(
                "the segment was replaced while it was opened: file=" + name + ", directory=" + storage.description());
        replaced.initCause(cause);
        return replaced;
    }

    /** A file system that is nearly full is told from one that has to be filled to find out. */
    private void requireSpace(int length) throws IOException {
        long usable = storage.usableBytes();
        if (usable < length) {
            throw new IOException("No space left on device: needed=" + length + ", usable=" + usable + ", directory="
                    + storage.description());
        }
    }
}
