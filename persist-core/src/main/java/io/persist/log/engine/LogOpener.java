package io.persist.log.engine;

import io.persist.error.LogIOException;
import io.persist.event.FlightRecording;
import io.persist.event.Notices;
import io.persist.event.OpeningProgress;
import io.persist.file.BootId;
import io.persist.file.FileAction;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.OperatingSystem;
import io.persist.format.PersistVersion;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.RecoveryReport;
import io.persist.log.control.ControlFile;
import io.persist.log.control.WriterHold;
import io.persist.log.recovery.Recovery;
import io.persist.log.segment.LogEnd;
import io.persist.log.segment.SegmentFactory;
import io.persist.log.space.SegmentSupply;
import io.persist.log.space.SpaceAhead;
import io.persist.log.space.WriterSegments;
import io.persist.log.sync.BackgroundSyncer;
import io.persist.log.sync.FilesInPlace;
import io.persist.log.sync.LogPositions;
import io.persist.log.sync.Syncer;
import io.persist.log.thread.LogThread;
import io.persist.log.write.Appender;
import io.persist.log.write.BufferWindow;
import io.persist.log.write.MappedWindow;
import io.persist.log.write.WriteWindow;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Opens a log for writing: locks it, recovers it, makes the parts of the writer. If anything fails, everything is given
 * back.
 */
public final class LogOpener {

    /** Looks whether a log that is held may be opened, before anything of it is changed. */
    public interface Check {

        /** Throws if not. */
        void run() throws IOException;
    }

    /** What a {@link Log} consists of. */
    record Parts(
            Storage storage,
            LogConfig config,
            WriterHold hold,
            ControlFile control,
            LogPositions positions,
            Syncer syncer,
            BackgroundSyncer background,
            SpaceAhead space,
            Appender appender,
            long logId,
            RecoveryReport recovery) {}

    private final LogConfig config;
    private final LogContent content;
    private final Storage storage;
    private final Check check;
    private final OpeningProgress progress;
    private final BootId boot;

    LogOpener(LogConfig config, LogContent content, Storage storage, Check check, OpeningProgress progress) {
        this.config = config;
        this.content = content;
        this.storage = storage;
        this.check = check;
        this.progress = progress;
        this.boot = storage.bootId();
    }

    /** Opens a log as {@link Log#open(LogConfig, LogContent, Storage)} does, if {@code check} does not throw. */
    public static Log open(LogConfig config, LogContent content, Storage storage, Check check) {
        OpeningProgress progress = new OpeningProgress("log " + storage.description());
        return new LogOpener(config, content, storage, check, progress).open(Log::new);
    }

    /**
     * Returns {@code config}, for a log that any thread may use without a lock.
     *
     * @throws IllegalArgumentException if it names a lock
     */
    public static LogConfig unguarded(LogConfig config) {
        if (config.guard() != null) {
            throw new IllegalArgumentException(
                    "guardedBy is for an attached logger of messages or packets: any thread may"
                            + " use a detached one, or a store, without a lock; leave it out");
        }
        return config;
    }

    /** The files of the configured directory, which is made if it is not there. */
    static Storage directory(LogConfig config) {
        return FileAction.orFail("cannot open the log", () -> DirectoryStorage.create(config.directory()));
    }

    /** What {@code whole} makes of the parts; if it throws, as there is no memory, everything is given back too. */
    <T> T open(Function<Parts, T> whole) {
        FlightRecording.prepare();
        try (Opening opening = new Opening()) {
            WriterHold hold = opening.add(WriterHold.take(storage, config.lockTimeout(), progress), WriterHold::close);
            check.run();
            warnOfPlace();
            Recovery.Recovered recovered = new Recovery(storage, config, content, boot, hold, progress).run();
            say(recovered.report());
            return opening.done(assemble(hold, recovered, whole));
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the log: " + e.getMessage(), e);
        }
    }

    private void warnOfPlace() {
        String fileSystem = storage.fileSystem();
        if (OperatingSystem.isRemote(fileSystem)) {
            Notices.remote(storage.description(), fileSystem);
        }
    }

    private void say(RecoveryReport report) {
        Notices.Found found =
                report.cut().bytes() > 0 || !report.cut().setAside().isEmpty()
                        ? Notices.Found.WITH_LOSSES
                        : report.isUneventful() ? Notices.Found.AS_EXPECTED : Notices.Found.INTERRUPTED;
        progress.opened(found, PersistVersion.NAME, report::describe);
    }

    private <T> T assemble(WriterHold hold, Recovery.Recovered recovered, Function<Parts, T> whole) throws IOException {
        ControlFile control = recovered.control();
        LogEnd end = recovered.end();
        hold.checkHeld(); // recovery may have taken long, and the positions are stored in the control block
        LogPositions positions = new LogPositions(
                storage.description(), control.block(), hold.epoch(), config.writeMode(), end, recovered.synced());
        SegmentFactory factory = new SegmentFactory(storage, config, content, recovered.logId());
        long tailBase = recovered.basePositions().headSet(end.tail()).last();
        FilesInPlace place = new FilesInPlace(storage, hold.lock(), tailBase);
        try (Opening opening = new Opening()) { // or threads would use the control block, which is unmapped next
            opening.add(positions, LogPositions::close);
            WriterSegments segments = opening.add(WriterSegments.open(factory, recovered), WriterSegments::close);
            Syncer syncer = opening.add(new Syncer(positions, control.counters(), place), Syncer::close);
            segments.unsynced().forEach(syncer::add);
            BackgroundSyncer background = opening.add(background(positions, syncer), BackgroundSyncer::close);
            SegmentSupply supply = new SegmentSupply(storage, factory, positions, segments, place::checkThoroughly);
            SpaceAhead space = opening.add(
                    new SpaceAhead(
                            config,
                            supply,
                            segments.tail(),
                            positions,
                            control.counters(),
                            syncer,
                            background,
                            recovered.report().kept().firstPosition() + config.initialLength()),
                    SpaceAhead::close);
            markOpen(control, recovered.logId(), positions);
            space.fillFirst(progress);
            Appender appender = new Appender(
                    positions,
                    syncer,
                    space.headroom(),
                    control.block(),
                    control.counters(),
                    window(positions, syncer),
                    segments.tail(),
                    end);
            guard(appender);
            background.start();
            space.start();
            return opening.done(whole.apply(new Parts(
                    storage,
                    config,
                    hold,
                    control,
                    positions,
                    syncer,
                    background,
                    space,
                    appender,
                    recovered.logId(),
                    recovered.report())));
        }
    }

    private void guard(Appender appender) {
        ReentrantLock guard = config.guard();
        if (guard != null) {
            appender.gate().guardedBy(guard::isHeldByCurrentThread);
        }
    }

    private BackgroundSyncer background(LogPositions positions, Syncer syncer) {
        long intervalNs = config.syncInterval().toNanos();
        return new BackgroundSyncer(positions, syncer, intervalNs, LogThread.name("sync", storage.description()));
    }

    /**
     * Says that the log is open. Forced, so that after a power cut the log is not taken for one that was closed and not
     * opened since.
     */
    private void markOpen(ControlFile control, long logId, LogPositions positions) throws IOException {
        control.counters().reset(System.currentTimeMillis());
        control.block().logId(logId);
        control.block().hint(positions.lastPosition());
        control.block().openedEpoch(positions.epoch());
        control.block().open(boot, ProcessHandle.current().pid());
        control.force();
    }

    private WriteWindow window(LogPositions positions, Syncer syncer) {
        return switch (config.writeMode()) {
            case MAPPED -> new MappedWindow(positions, syncer);
            case FILE -> new BufferWindow(positions, syncer, config.fileMode(), config.writeBufferLength());
        };
    }
}
