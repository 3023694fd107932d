package io.persist.tool.stats;

import io.persist.LogMonitor.Reading;
import io.persist.format.SegmentHeader;
import io.persist.monitor.Counter;
import io.persist.tool.text.JsonLine;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;

/** The numbers of a log as one line of JSON. */
final class StatsJson {

    private final String log;
    private final Reading now;
    private final Map<String, String> refused;

    /** The numbers of {@code log}, and why readers of its cursors are refused, by the cursors' names. */
    StatsJson(String log, Reading now, Map<String, String> refused) {
        this.log = log;
        this.now = now;
        this.refused = refused;
    }

    /** Prints the numbers together with what there is of the log. */
    void print(LogExtent extent, String damage, Map<String, String> store, PrintStream out) {
        JsonLine.print(out, json -> {
            write(json);
            write(json, extent);
            if (!damage.isEmpty()) {
                json.name("damage").value(damage);
            }
            if (!store.isEmpty()) {
                json.name("arcus").object(stats -> write(stats, store));
            }
        });
    }

    /** Prints the numbers alone. */
    void print(PrintStream out) {
        JsonLine.print(out, this::write);
    }

    private void write(JsonLine json) throws IOException {
        json.name("log").value(log);
        json.name("writer").value(now.writer());
        json.name("pid").value(now.pid());
        json.name("committedPosition").value(now.committedPosition());
        json.name("flushedPosition").value(now.flushedPosition());
        json.name("syncedPosition").value(now.syncedPosition());
        json.name("unsyncedBytes").value(now.unsyncedBytes());
        for (Counter counter : Counter.values()) {
            json.name(counter.label()).value(now.statistics().get(counter));
        }
        if (!now.cursors().isEmpty()) {
            json.name("cursors").object(this::writeCursors);
        }
    }

    private void writeCursors(JsonLine json) throws IOException {
        for (Map.Entry<String, Long> cursor : now.cursors().entrySet()) {
            long position = cursor.getValue();
            json.name(cursor.getKey()).beginObject();
            json.name("position").value(position);
            json.name("lagBytes").value(now.behind(position));
            if (refused.containsKey(cursor.getKey())) {
                json.name("refused").value(refused.get(cursor.getKey()));
            }
            json.endObject();
        }
    }

    private static void write(JsonLine json, Map<String, String> stats) throws IOException {
        for (Map.Entry<String, String> stat : stats.entrySet()) {
            json.name(stat.getKey()).value(stat.getValue());
        }
    }

    private static void write(JsonLine json, LogExtent extent) throws IOException {
        json.name("logId").value(extent.logId());
        json.name("formatVersion").value(SegmentHeader.VERSION);
        json.name("writtenBy").value(extent.writtenBy().toString());
        json.name("writerVersion").value(extent.writerVersion().toString());
        json.name("logRecords").value(extent.records());
        json.name("firstSequence").value(extent.firstSequence());
        json.name("lastSequence").value(extent.lastSequence());
        json.name("firstPosition").value(extent.firstPosition());
        json.name("endPosition").value(extent.endPosition());
        json.name("segments").value(extent.segments());
        json.name("vacatedSegments").value(extent.vacatedSegments());
        json.name("preparedSegments").value(extent.preparedSegments());
        json.name("logBytes").value(extent.bytes());
        json.name("fileBytes").value(extent.seen().fileBytes());
        json.name("oldestSealedAtMs").value(extent.seen().oldestSealedAtMs());
        json.name("usableBytes").value(extent.seen().usableBytes());
    }
}
