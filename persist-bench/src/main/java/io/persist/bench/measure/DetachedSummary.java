package io.persist.bench.measure;

import io.persist.command.Text;
import io.persist.log.Durability;
import io.persist.monitor.Counter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What the writer thread did for the producers. */
public final class DetachedSummary {

    private final Measurement.Measured measured;
    private final Durability level;
    private final long numPerCommit;
    private final String rateUnit;

    public DetachedSummary(Measurement.Measured measured, Durability level, long numPerCommit, String rateUnit) {
        this.measured = measured;
        this.level = level;
        this.numPerCommit = numPerCommit;
        this.rateUnit = rateUnit;
    }

    /** What has happened to a record that has the level. */
    public static String done(Durability level) {
        return switch (level) {
            case BUFFERED -> "written by the writer thread";
            case FLUSHED -> "flushed";
            case SYNCED -> "synced";
        };
    }

    /** Names and values, for {@link Text#block}. */
    public Map<String, Object> rows() {
        Map<String, Object> rows = new LinkedHashMap<>();
        rows.put(
                "last record",
                done(level) + " " + Text.micros(measured.drainNs()) + " us after its hand-off, which makes "
                        + Text.grouped(measured.durablePerSecond()) + " " + rateUnit);
        rows.put("commits", commits());
        rows.put("batches", batches());
        rows.put("queue", queue());
        if (measured.result().refusals() > 0) {
            rows.put("refused", Text.number(measured.result().refusals(), "append") + ", and tried again");
        }
        return rows;
    }

    private String commits() {
        long commits = measured.result().perProducer().stream()
                .mapToLong(written -> written.commits(numPerCommit))
                .sum();
        long syncs = measured.counted(Counter.SYNCS);
        String both = Text.grouped(commits) + ", " + Text.number(syncs, "sync");
        if (syncs == 0 || level != Durability.SYNCED) {
            return both;
        }
        return both + " of " + Text.micros((double) measured.counted(Counter.SYNC_NS) / syncs) + " us on average, "
                + ratio(commits, syncs) + " commits per sync";
    }

    private String batches() {
        long batches = measured.counted(Counter.BATCHES);
        return Text.grouped(batches) + " of " + ratio(measured.counted(Counter.BATCH_ENTRIES), batches)
                + " records on average, " + Text.grouped(measured.after().batchMax()) + " at most";
    }

    private String queue() {
        long full = measured.counted(Counter.QUEUE_FULL);
        String waited = full == 0
                ? ""
                : ", for which producers waited " + Text.micros(measured.counted(Counter.QUEUE_WAIT_NS)) + " us in all";
        return Text.grouped(measured.after().queueMaxDepth()) + " of "
                + Text.grouped(measured.after().queueCapacity()) + " entries used at most, full "
                + Text.number(full, "time") + waited;
    }

    private static String ratio(long sum, long count) {
        return String.format(Locale.ROOT, "%,.1f", count == 0 ? 0 : (double) sum / count);
    }
}
