package io.persist.bench.subject;

import io.persist.bench.flags.StoreLoggerParameters;
import io.persist.bench.latency.Operation;
import io.persist.bench.load.Journal;
import io.persist.bench.load.PutCheck;
import io.persist.bench.load.ReadPass;
import io.persist.bench.load.Stop;
import io.persist.bench.load.Stretch;
import io.persist.bench.record.KeyPattern;
import io.persist.bench.record.Messages;
import io.persist.command.Text;
import io.persist.error.RetiredException;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.store.StoreStatistics;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link io.persist.StoreLogger} as it is measured. */
public final class StoreSubject implements Subject {

    private final StoreLoggerParameters flags;
    private final Messages messages;
    private final KeyPattern pattern;
    private final Stop stop;
    private final PrintStream out;

    public StoreSubject(
            StoreLoggerParameters flags, Messages messages, KeyPattern pattern, Stop stop, PrintStream out) {
        this.flags = flags;
        this.messages = messages;
        this.pattern = pattern;
        this.stop = stop;
        this.out = out;
    }

    @Override
    public Operation operation() {
        return Operation.PUT;
    }

    @Override
    public String noun() {
        return "message";
    }

    @Override
    public String rateUnit() {
        return "msgs/sec";
    }

    @Override
    public Journal open(LogConfig config, @Nullable DetachedConfig detached) {
        return StoreJournal.open(flags.storeConfig(config), detached, messages, pattern);
    }

    @Override
    public String describeExisting(Journal journal) {
        return "The store has " + Text.number(store(journal).store().size(), "key")
                + " already; this run goes on with it, and reads back only what it puts.";
    }

    /** Each journal of a run was opened above. */
    private static StoreJournal store(Journal journal) {
        return (StoreJournal) journal;
    }

    @Override
    public void warmUpReading(Journal journal, Stretch stretch, long limit) throws ReadPass.VerificationException {
        try {
            LogReading log = logReading(journal);
            log.count(stretch.startPosition());
            log.read(stretch, limit);
        } catch (RetiredException e) {
            // Compaction was faster, as it will be with these flags in the run itself, which says so.
        }
        StateReading state = stateReading(journal, stretch);
        state.byKey(limit);
        state.byScan(limit);
    }

    private LogReading logReading(Journal journal) {
        return new LogReading(store(journal).store(), flags.tailerConfig(), pattern, check(), stop);
    }

    private StateReading stateReading(Journal journal, Stretch stretch) {
        LastPuts lastPuts = LastPuts.of(pattern, stretch);
        return new StateReading(store(journal).store(), pattern, lastPuts, check(), stop);
    }

    private PutCheck check() {
        return new PutCheck(messages.copy(), !flags.lazyDeserialize());
    }

    @Override
    public void readOpen(Journal journal, Stretch stretch) throws ReadPass.VerificationException {
        journal.flush();
        try {
            readLog(journal, stretch);
        } catch (RetiredException e) {
            out.println("Not read by log: compaction has taken the beginning of this run's part of it away.");
        }
        StateReading state = stateReading(journal, stretch);
        print("by key", state.byKey(Long.MAX_VALUE));
        print("by scan", state.byScan(Long.MAX_VALUE));
        out.println("Store");
        out.print(Text.block(rows(store(journal).store().statistics())));
    }

    private void readLog(Journal journal, Stretch stretch) throws ReadPass.VerificationException {
        LogReading log = logReading(journal);
        long startNs = System.nanoTime();
        LogReading.Statistics statistics = log.count(stretch.startPosition());
        out.println("Log, counted in " + Text.micros(System.nanoTime() - startNs) + " us");
        out.print(Text.block(statistics.rows()));
        print("by log", log.read(stretch, Long.MAX_VALUE));
    }

    private void print(String how, ReadPass.Read read) {
        out.println("Read " + Text.number(read.count(), noun()) + " " + how + " @ " + Text.grouped(read.perSecond())
                + " msgs/sec post warmup, all verified" + check().describe() + ".");
    }

    private static Map<String, Object> rows(StoreStatistics statistics) {
        StoreStatistics.Checkpoint checkpoint = statistics.checkpoint();
        StoreStatistics.Compaction compaction = statistics.compaction();
        Map<String, Object> rows = new LinkedHashMap<>();
        rows.put("keys", Text.grouped(statistics.keys()));
        rows.put(
                "index",
                String.format(
                        Locale.ROOT,
                        "%s, %s of it used, %.1f bytes per key",
                        Text.bytes(statistics.index().bytes()),
                        Text.bytes(statistics.index().usedBytes()),
                        statistics.indexBytesPerKey()));
        rows.put(
                "space",
                String.format(
                        Locale.ROOT,
                        "%s, %.2f times the %s that live",
                        Text.bytes(statistics.spaceBytes()),
                        statistics.spaceRatio(),
                        Text.bytes(statistics.liveBytes())));
        rows.put(
                "checkpoints",
                Text.grouped(checkpoint.written()) + " written"
                        + (checkpoint.written() == 0
                                ? ""
                                : ", the last one of " + Text.bytes(checkpoint.bytes()) + " in "
                                        + Text.micros(checkpoint.elapsedNs()) + " us")
                        + (checkpoint.failures() == 0
                                ? ""
                                : ", " + checkpoint.failures() + " failed: " + checkpoint.lastFailure()));
        rows.put(
                "compaction",
                Text.bytes(compaction.movedBytes()) + " moved, " + Text.number(compaction.vacatedSegments(), "segment")
                        + " taken away"
                        + (compaction.lastFailure().isEmpty() ? "" : ", failed: " + compaction.lastFailure()));
        return rows;
    }

    @Override
    public void readReopened(Journal journal, Stretch stretch) throws ReadPass.VerificationException {
        print("by scan", stateReading(journal, stretch).byScan(Long.MAX_VALUE));
    }
}
