package io.persist.store.engine;

import io.persist.detached.DetachedLog;
import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.event.Notices;
import io.persist.event.OpeningProgress;
import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.format.SegmentHeader;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.LogOpener;
import io.persist.log.engine.LogWriter;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import io.persist.store.core.StoreCore;
import io.persist.store.state.LiveBytes;
import io.persist.store.state.StoreState;
import io.persist.store.upkeep.Patience;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store: its log, then the index from a checkpoint and the log. If anything fails, everything is given back.
 */
public final class StoreOpener {

    private final StoreConfig config;
    private final @Nullable DetachedConfig detached;
    private Patience patience = Patience.DEFAULT;

    /** Opens the store of {@code config}, attached if {@code detached} is null. */
    public StoreOpener(StoreConfig config, @Nullable DetachedConfig detached) {
        this.config = config;
        this.detached = detached;
    }

    /** How long checkpoints and compaction wait for what; for tests. */
    public StoreOpener patience(Patience value) {
        this.patience = value;
        return this;
    }

    /** Opens it in the configured directories, which are made if they do not exist. */
    public StoreEngine open() {
        try {
            Storage storage = DirectoryStorage.create(config.log().directory());
            boolean isSame = config.checkpointDirectory().equals(config.log().directory());
            return open(storage, isSame ? storage : DirectoryStorage.create(config.checkpointDirectory()));
        } catch (IOException e) {
            throw new LogIOException("cannot open the store: " + e.getMessage(), e);
        }
    }

    /** Opens it on storages of the caller's. */
    public StoreEngine open(Storage storage, Storage checkpointStorage) {
        return open(storage, checkpointStorage, new OpeningProgress("store " + storage.description()));
    }

    /** The same; how far it is behind its log, {@code progress} is told. */
    StoreEngine open(Storage storage, Storage checkpointStorage, OpeningProgress progress) {
        LogConfig logConfig = LogOpener.unguarded(config.log());
        Checkpoints checkpoints = new Checkpoints(checkpointStorage);
        try (Opening opening = new Opening()) {
            LogOpener.Check format = () -> checkFormat(storage, checkpoints);
            Log log =
                    opening.add(LogOpener.open(logConfig, LogContent.TRANSACTIONS, storage, format), LogWriter::close);
            opening.add(checkpoints, Checkpoints::close);
            // In the log's directory too: another store may have been given that for its own. It is not waited for,
            // since a store that has had this log gives this lock back first.
            checkpoints.lock();
            checkpoints.deleteTemporaries();
            StoreLoader.Loaded loaded = load(log, storage, checkpoints, progress);
            opening.add(loaded.state(), StoreState::close);
            checkLengths(storage, loaded);
            for (StoreRecovery.Skipped bad : loaded.recovery().skipped()) {
                checkpoints.setAside(bad.position());
            }
            LogWriter writer = detached == null ? log : opening.add(DetachedLog.over(log, detached), LogWriter::close);
            StoreCore core = new StoreCore(config, storage, log, writer, loaded.state());
            StoreEngine store = new StoreEngine(core, checkpoints, loaded, patience);
            say(progress, loaded.recovery());
            return opening.done(store);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot open the store: " + e.getMessage(), e);
        }
    }

    /** First of all, since a log that is opened is changed. What is damaged is left to those who read it. */
    private static void checkFormat(Storage storage, Checkpoints checkpoints) {
        try {
            checkpoints.checkFormat();
            LogFiles.readableHeaders(storage).forEach(SegmentHeader::checkWritable);
        } catch (IOException e) {
            throw new LogIOException("cannot read the log or its checkpoints: " + e.getMessage(), e);
        }
    }

    /** Somebody may have cut a file while it was read, where no record of it was: an append would find that out. */
    private static void checkLengths(Storage storage, StoreLoader.Loaded loaded) throws IOException {
        LiveBytes live = loaded.state().live();
        long from = loaded.recovery().checkpoint().position(); // what lies before it was not read
        for (int i = live.segments() - 1; i >= 0 && live.end(i) > from; i--) {
            String name = LogFileName.segment(live.base(i));
            long length = storage.length(name);
            long needed = live.end(i) - live.base(i);
            if (length != needed) {
                throw new CorruptLogException(
                        name, live.base(i), "the segment's length should be " + needed + " but is " + length);
            }
        }
    }

    private static void say(OpeningProgress progress, StoreRecovery recovery) {
        Notices.Found found = recovery.isUneventful() ? Notices.Found.AS_EXPECTED : Notices.Found.WITH_LOSSES;
        progress.opened(found, PersistVersion.NAME, recovery::describe);
    }

    /** By a tailer of its own: a store reads all that the log has, whatever the read scope of other tailers is. */
    private StoreLoader.Loaded load(Log log, Storage storage, Checkpoints checkpoints, OpeningProgress progress)
            throws IOException {
        try (Tailer tailer =
                Tailer.open(storage, TailerConfig.builder().anyContent().build())) {
            return new StoreLoader(storage, checkpoints, config.indexMemoryBytes(), progress, checkpoints::trySetAside)
                    .forWriter()
                    .load(tailer, log.logId(), log.position());
        }
    }
}
