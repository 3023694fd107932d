package io.persist.log.sync;

import io.persist.file.Storage;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
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
public final class FilesInPlace implements Syncer.FilesCheck {

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
        this.lockIdentity = storage.identity(LogFileName.LOCK);
        this.controlIdentity = storage.identity(LogFileName.CONTROL);
        this.segment = LogFileName.segment(basePosition);
        this.segmentIdentity = storage.identity(segment);
    }

    /**
     * Throws if the lock file was deleted, renamed or replaced, which takes one system call. Now and then as {@link
     * #checkThoroughly}.
     */
    @Override
    public synchronized void check() throws IOException {
        if (System.nanoTime() - thoroughAtNs > THOROUGH_INTERVAL_NS) {
            checkThoroughly();
        } else {
            checkLock();
        }
    }

    /** The same of the lock file, the control block and the segment that is appended to. */
    @Override
    public synchronized void checkThoroughly() throws IOException {
        thoroughAtNs = System.nanoTime();
        checkLock();
        check(LogFileName.LOCK, lockIdentity);
        check(LogFileName.CONTROL, controlIdentity);
        check(segment, segmentIdentity);
    }

    private void checkLock() throws IOException {
        if (!lock.isInPlace()) {
            throw gone(LogFileName.LOCK);
        }
    }

    /** The same, as the appender goes on in {@code next}, whose file has to be the one that was opened for it. */
    @Override
    public synchronized void roll(Segment next) throws IOException {
        checkThoroughly();
        String name = LogFileName.segment(next.basePosition());
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
