package io.persist.peers.engine.aeron;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.persist.log.Durability;
import io.persist.peers.engine.EngineConfig;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;

/** A media driver and an archive in this process, each with one thread for all its work. */
final class AeronNode implements AutoCloseable {

    static final int CONTROL_STREAM_ID = 11;

    /** How long after a kill the archive takes its mark file for that of a live process. */
    private static final long MARK_FILE_LIVE_MS = 10_000;

    /**
     * A device that is busy may keep a thread of the driver or the archive for so long. Aeron's own timeouts of five
     * and ten seconds would end a run in which all others wait; they change nothing of what is measured.
     */
    static final long LONGEST_STALL_NS = TimeUnit.MINUTES.toNanos(1);

    private static final long RETRY_MS = 50;

    /** For copies from and to other archives, of which there are none: loopback, a port of the system's choice. */
    private static final String UNUSED_CHANNEL = "aeron:udp?endpoint=localhost:0";

    private final EngineConfig config;
    private final AeronDirectory directory;
    private final MediaDriver driver;
    private final Archive archive;

    AeronNode(EngineConfig config) throws IOException {
        this.config = config;
        directory = AeronDirectory.create(config.directory());
        MediaDriver driver = null;
        try {
            driver = MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(directory.path().toString())
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true)
                    .clientLivenessTimeoutNs(LONGEST_STALL_NS)
                    .publicationUnblockTimeoutNs(2 * LONGEST_STALL_NS) // which has to be longer
                    .threadingMode(ThreadingMode.SHARED));
            archive = launchArchive();
        } catch (Throwable e) {
            CloseHelper.quietClose(driver);
            directory.delete(config.directory());
            throw e;
        }
        this.driver = driver;
    }

    private Archive launchArchive() {
        int syncLevel = config.durability() == Durability.SYNCED ? 1 : 0;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * MARK_FILE_LIVE_MS);
        while (true) {
            try {
                return Archive.launch(new Archive.Context()
                        .aeronDirectoryName(directory.path().toString())
                        .archiveDir(config.directory().resolve("archive").toFile())
                        .fileSyncLevel(syncLevel)
                        .catalogFileSyncLevel(syncLevel)
                        .threadingMode(ArchiveThreadingMode.SHARED)
                        .controlChannelEnabled(false)
                        .localControlChannel("aeron:ipc")
                        .localControlStreamId(CONTROL_STREAM_ID)
                        .replicationChannel(UNUSED_CHANNEL)
                        .archiveClientContext(new AeronArchive.Context().controlResponseChannel(UNUSED_CHANNEL))
                        .recordingEventsEnabled(false));
            } catch (IllegalStateException e) {
                String message = e.getMessage();
                if (message == null || !message.contains("active") || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MS));
            }
        }
    }

    AeronDirectory directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        CloseHelper.closeAll(archive, driver);
        directory.delete(config.directory());
    }
}
