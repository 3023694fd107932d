package io.persist.log.sync;

import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.format.SegmentName;
import io.persist.log.segment.Segment;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Checks that the files of an open log still have their names. A writer that has them open or mapped would go on
 * without an error when the directory is deleted or replaced, and no reader would find what it syncs.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> about 1 KiB for each thorough look; syncs have at most one in a second.
 */
public final class FilesInPlace implements Syncer.Place {

    /** How a look is taken. */
    enum Look {
        /** One system call: whether the lock file is the one that is locked. Now and then as {@link #THOROUGH}. */
        QUICK,
        /** The lock file, the control block and the segment that is appended to. */
        THOROUGH
    }

    private static final long THOROUGH_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final Storage storage;
    private final WriterLock lock;
    private final long lockIdentity;
    private final long controlIdentity;
    private String segment;
    private long segmentIdentity;
    private long thoroughAtNs = System.nanoTime();

    /** The files of the log in {@code storage}, which is appended to in the segment at {@code basePosition}. */
    public FilesInPlace(Storage storage, WriterLock lock, long basePosition) throws IOException {
        this.storage = storage;
        this.lock = lock;
        this.lockIdentity = storage.identity(SegmentName.LOCK);
        this.controlIdentity = storage.identity(SegmentName.CONTROL);
        this.segment = SegmentName.of(basePosition);
        this.segmentIdentity = storage.identity(segment);
    }

    /** Throws if a file that is looked at was deleted, renamed or replaced. */
    @Override
    public synchronized void check(Look look) throws IOException {
        if (!lock.isInPlace()) {
            throw gone(SegmentName.LOCK);
        }
        long nowNs = System.nanoTime();
        if (look == Look.THOROUGH || nowNs - thoroughAtNs > THOROUGH_INTERVAL_NS) {
            thoroughAtNs = nowNs;
            check(SegmentName.LOCK, lockIdentity);
            check(SegmentName.CONTROL, controlIdentity);
            check(segment, segmentIdentity);
        }
    }

    /** The same, thoroughly: for a thread that is about to make a file, or to give one another name. */
    public void checkThoroughly() throws IOException {
        check(Look.THOROUGH);
    }

    /** The same, as the appender goes on in {@code next}, whose file has to be the one that was opened for it. */
    @Override
    public synchronized void roll(Segment next) throws IOException {
        check(Look.THOROUGH);
        String name = SegmentName.of(next.basePosition());
        check(name, next.identity());
        segmentIdentity = next.identity();
        segment = name;
    }

    private void check(String file, long identity) throws IOException {
        if (identity(file) != identity) {
            throw gone(file);
        }
    }

    private long identity(String file) throws IOException {
        try {
            return storage.identity(file);
        } catch (FileNotFoundException e) {
            throw gone(file);
        }
    }

    private FileNotFoundException gone(String file) {
        return new FileNotFoundException("file of the open log was deleted, renamed or replaced: file=" + file
                + ", directory=" + storage.description()
                + "; what was appended since may be lost, close the log, bring its files back, and open it anew");
    }
}
