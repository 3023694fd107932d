package io.persist.tool.stats;

import io.persist.LogMonitor.Reading;
import io.persist.format.SegmentHeader;
import io.persist.monitor.Counter;
import io.persist.monitor.LogStatistics;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.PayloadText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;

/** The numbers of a log as a table for people. */
final class StatsTable {

    private final StringBuilder text = new StringBuilder();
    private final Reading now;

    StatsTable(String log, Reading now, LogExtent extent, Map<String, String> refused, Map<String, String> store) {
        this.now = now;
        text.append(log).append(": ").append(Descriptions.writer(now.writer(), now.pid()));
        addSync(now.statistics());
        addExtent(extent);
        addPositions(refused);
        addCounters(now.statistics());
        addAverages(now.statistics());
        addStore(store);
    }

    private void addSync(LogStatistics statistics) {
        if (statistics.syncBeganAtMs() != 0) {
            text.append("\nA sync began at ")
                    .append(Instant.ofEpochMilli(statistics.syncBeganAtMs()))
                    .append(" and is not over");
        }
    }

    private void addExtent(LogExtent extent) {
        text.append("\n\n  log                             value\n");
        line("logId", extent.logId(), "", "the same for all of its life, and for what is restored of it");
        line("formatVersion", Integer.toString(SegmentHeader.VERSION), "", "of its files");
        line("writtenBy", extent.writtenBy().toString(), "", "the version of Persist that made the newest segment");
        line("writerVersion", extent.writerVersion().toString(), "", "the one that opened it last for writing");
        line("logRecords", grouped(extent.records()), "", numbers(extent));
        line("firstPosition", grouped(extent.firstPosition()), "", "where the log begins");
        line("endPosition", grouped(extent.endPosition()), "", "where it ends");
        line("segments", grouped(extent.segments()), "", "files that hold it");
        line("vacatedSegments", grouped(extent.vacatedSegments()), "", "those of them that have lost their records");
        line("preparedSegments", grouped(extent.preparedSegments()), "", "files made ahead");
        line("logBytes", grouped(extent.bytes()), "B", "from where it begins to where it ends");
        line("fileBytes", grouped(extent.seen().fileBytes()), "B", "lengths of all files in the directory");
        long sealedAtMs = extent.seen().oldestSealedAtMs();
        line(
                "oldestSealedAt",
                sealedAtMs == 0 ? "" : inSeconds(sealedAtMs),
                "",
                sealedAtMs == 0 ? "no segment is sealed" : "when its oldest sealed segment was sealed");
        line("usableBytes", grouped(extent.seen().usableBytes()), "B", "what can still be written to the file system");
    }

    private static String inSeconds(long atMs) {
        return Instant.ofEpochMilli(atMs).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String numbers(LogExtent extent) {
        return extent.records() == 0 ? "" : "from " + extent.firstSequence() + " to " + extent.lastSequence();
    }

    private void addPositions(Map<String, String> refused) {
        text.append("\n  position                        value     committed bytes above it\n");
        line("committed", grouped(now.committedPosition()), "", "");
        addPosition("flushed", now.flushedPosition());
        addPosition("synced", now.syncedPosition());
        now.cursors().forEach((name, position) -> addPosition("cursor " + name, position));
        refused.forEach((name, why) ->
                text.append("  ").append(CursorsTool.refusal(name, why)).append('\n'));
    }

    /** A position and how far behind the last commit it is. */
    private void addPosition(String name, long position) {
        line(name, grouped(position), "", grouped(now.behind(position)));
    }

    private void addCounters(LogStatistics statistics) {
        String since = statistics.openedAtMs() == 0
                ? "since the log was opened"
                : "since the log was opened at " + Instant.ofEpochMilli(statistics.openedAtMs());
        text.append("\n  counter                         value     ")
                .append(since)
                .append('\n');
        boolean hasQueue = statistics.queueCapacity() > 0;
        for (Counter counter : Counter.values()) {
            boolean isOfQueue =
                    counter.owner() == Counter.Owner.QUEUE_READER || counter.owner() == Counter.Owner.PRODUCERS;
            if (counter.unit() != Counter.Unit.MS_SINCE_1970 && (hasQueue || !isOfQueue)) {
                line(
                        counter.label(),
                        grouped(statistics.get(counter)),
                        counter.unit().symbol(),
                        counter.meaning());
            }
        }
    }

    private void addAverages(LogStatistics statistics) {
        text.append("\n  average                         value\n");
        line("averageRecord", decimal(statistics.averageRecord()), "B", "payload bytes of a record");
        line("averageSyncNs", decimal(statistics.averageSyncNs()), "ns", "how long a sync took");
        line("syncsPerCommit", decimal(statistics.syncsPerCommit()), "", "syncs for each synced commit");
        line("averageStallNs", decimal(statistics.averageStallNs()), "ns", "how long a stall took");
        if (statistics.queueCapacity() > 0) {
            line("averageBatch", decimal(statistics.averageBatch()), "", "entries taken out of the queue together");
        }
    }

    private void addStore(Map<String, String> store) {
        if (!store.isEmpty()) {
            text.append("\n  the store, in the words of ARCUS\n");
            store.forEach((name, value) -> text.append("  " + name + " ".repeat(Math.max(1, 36 - name.length())))
                    .append(PayloadText.visible(value))
                    .append('\n'));
        }
    }

    private void line(String name, String value, String unit, String remark) {
        String line = String.format(Locale.ROOT, "  %-16s %20s %-2s  %s", name, value, unit, remark);
        text.append(line.stripTrailing()).append('\n');
    }

    private static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
