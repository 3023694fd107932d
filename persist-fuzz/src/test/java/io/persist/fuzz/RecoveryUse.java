package io.persist.fuzz;

import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.Durability;
import io.persist.log.LogContent;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.log.recovery.LogRepair;

/**
 * A writer that refuses a log leaves it alone, and refuses it again. One that takes it shows what a reader saw, goes on
 * behind it, and finds nothing to do the next time.
 */
final class RecoveryUse implements Use {

    private static final int APPENDED = 3;

    private final FuzzInput input;
    private final Disk disk;
    private final Storage storage;
    private final LogContent content;

    RecoveryUse(FuzzInput input, Disk disk) {
        this.input = input;
        this.disk = disk;
        this.storage = disk.storage();
        this.content = Reading.content(disk.files());
    }

    @Override
    public void run() {
        Reading before = read();
        Outcome<Reading> opened = Use.attempt(this::open);
        if (opened.isRefused()) {
            disk.checkUnchanged("a writer that refused the log (" + opened.refusal() + ")");
            Use.requireSame(opened, Use.attempt(this::open), "the second opening");
            repair(before);
            return;
        }
        Reading recovered = opened.get();
        recovered.checkAgrees(before);
        goOn(recovered);
    }

    private Reading read() {
        return Reading.of(storage, input.settings().all());
    }

    private Log openLog() {
        return Log.open(input.settings().log(), content, storage);
    }

    private Reading open() {
        try (Log log = openLog()) {
            return Reading.of(log.tailer(input.settings().all()));
        }
    }

    private void goOn(Reading recovered) {
        long last;
        boolean isWhole = recovered.ending().isEmpty();
        try (Log log = openLog()) {
            RecoveryReport report = log.recovery();
            Use.require(report.isUneventful() && report.cut().bytes() == 0, "the second recovery: " + report.explain());
            Use.requireSame(recovered, Reading.of(log.tailer(input.settings().all())), "what the second writer has");
            last = log.lastSequence();
            if (!append(log)) {
                return;
            }
        }
        try (Log log = openLog()) {
            Use.requireSame(last + APPENDED, log.lastSequence(), "the last record");
            Reading now = Reading.of(log.tailer(input.settings().all()));
            now.checkAgrees(recovered);
            int added = isWhole ? APPENDED : 0;
            Use.requireSame(recovered.records().size() + added, now.records().size(), "the number of records");
            Use.requireSame(recovered.ending(), now.ending(), "the ending");
        }
    }

    /** False if the log has no more room, as one at the end of all positions has not. */
    private static boolean append(Log log) {
        try {
            for (int i = 0; i < APPENDED; i++) {
                log.append(new byte[i * 100], 0, i * 100);
            }
            log.commit(Durability.SYNCED);
            return true;
        } catch (PersistException full) {
            Use.refusal(full);
            return false;
        }
    }

    /** It may be refused, and then changes nothing; if not, the log can be opened. */
    private void repair(Reading before) {
        Outcome<LogRepair.Repaired> repaired = Use.attempt(() -> new LogRepair(storage).repair());
        if (repaired.isRefused()) {
            disk.checkUnchanged("a repair that was refused (" + repaired.refusal() + ")");
            return;
        }
        Outcome<Reading> opened = Use.attempt(this::open);
        if (!opened.isRefused()) {
            opened.get().checkAgrees(before);
        }
    }
}
