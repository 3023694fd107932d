package io.persist.store.engine;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.PersistException;
import io.persist.error.UnsupportedFormatException;
import io.persist.event.OpeningProgress;
import io.persist.file.PartialStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogInspector.Inspection;
import io.persist.log.recovery.LogScan.Start;
import io.persist.log.recovery.RecoveryTable.Decision;
import io.persist.log.recovery.ScanFindings;
import io.persist.log.segment.LogFiles;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.checkpoint.StoreLoader;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What opening a store would find, without opening it: it does the same steps, changes nothing and locks nothing. So a
 * tool that checks a store can say what {@link StoreOpener} will do. It takes the time and the memory that opening
 * takes.
 *
 * @param recovery what opening would report of the checkpoint and the log after it; null if it would refuse the store
 * @param refusal why it would; null if the store opens
 */
public record StoreOutlook(
        @Nullable StoreRecovery recovery, @Nullable PersistException refusal) {

    /**
     * What opening the store would find now. The store may be written meanwhile.
     *
     * @throws LogIOException if the log or its checkpoints cannot be read
     */
    public static StoreOutlook of(Storage log, Storage checkpoints) {
        try {
            new Checkpoints(checkpoints).checkFormat();
            Inspection now = new LogInspector(log).inspect(Start.TRUSTED);
            ScanFindings findings = now.findings();
            if (findings.row().decision() == Decision.CORRUPT) {
                return refused(findings.corruption());
            }
            return now.writer().mayWrite() ? ofLive(log, checkpoints) : load(log, checkpoints, findings.tail());
        } catch (CorruptLogException | UnsupportedFormatException e) {
            return refused(e);
        } catch (IOException | InternalError e) {
            throw new LogIOException("cannot read the store: " + e.getMessage(), e);
        }
    }

    /**
     * What opening would find if everything from {@code end} on were taken out of the log, and the control block with
     * it, as a repair does. What said how far the log was synced may go with that, so that opening looks at more of it.
     *
     * @throws LogIOException if the log or its checkpoints cannot be read
     */
    public static StoreOutlook afterCut(Storage log, Storage checkpoints, long end) {
        try {
            OptionalLong last = log.list().stream()
                    .flatMapToLong(name -> LogFileName.basePosition(name).stream())
                    .filter(base -> base < end)
                    .max();
            if (last.isEmpty()) {
                return refused(nothingLeft(end));
            }
            long base = last.getAsLong();
            return of(
                    new PartialStorage(log, name -> isBefore(end, name), LogFileName.segment(base), end - base),
                    checkpoints);
        } catch (IOException e) {
            throw new LogIOException("cannot read the store: " + e.getMessage(), e);
        }
    }

    private static CorruptLogException nothingLeft(long end) {
        return new CorruptLogException("log", end, "no segment is left of the log", "restore it");
    }

    private static StoreOutlook refused(PersistException why) {
        return new StoreOutlook(null, why);
    }

    private static StoreOutlook ofLive(Storage log, Storage checkpoints) {
        try (ReadStore live = ReadStore.open(log, checkpoints)) {
            return new StoreOutlook(live.recovery(), null);
        }
    }

    /** The control block says how far the log went, and does not count where it is cut. */
    private static boolean isBefore(long end, String name) {
        return !name.equals(LogFileName.CONTROL)
                && LogFileName.basePosition(name).orElse(-1) < end;
    }

    private static StoreOutlook load(Storage log, Storage checkpoints, long end) throws IOException {
        OpeningProgress progress = OpeningProgress.unsaid();
        Storage whole = new PartialStorage(log, name -> isBefore(end, name));
        List<SegmentHeader> segments = LogFiles.headers(whole);
        if (segments.isEmpty()) {
            throw nothingLeft(end);
        }
        SegmentHeader last = segments.get(segments.size() - 1);
        long logEnd = last.endPosition() > end ? end : end + SegmentHeader.LENGTH; // the writer begins a segment there
        try (Tailer tailer =
                Tailer.open(whole, TailerConfig.builder().anyContent().build())) {
            StoreLoader loader = new StoreLoader(
                    whole,
                    new Checkpoints(checkpoints),
                    StoreConfig.DEFAULT_INDEX_MEMORY_BYTES,
                    progress,
                    damaged -> {});
            StoreLoader.Loaded loaded = loader.load(tailer, last.logId(), logEnd);
            loaded.state().close();
            return new StoreOutlook(loaded.recovery(), null);
        }
    }
}
