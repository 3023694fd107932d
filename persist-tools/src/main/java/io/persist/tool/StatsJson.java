package io.persist.tool;

import io.persist.format.Counter;
import io.persist.log.engine.LogMonitor.Reading;
import java.util.Locale;
import java.util.Map;

/** The numbers of a log as one line of JSON. */
final class StatsJson {

    private StatsJson() {}

    /** The numbers together with what there is of the log. */
    static String line(String log, Reading now, LogExtent extent) {
        StringBuilder json = new StringBuilder(line(log, now).replaceFirst("}\n$", ""));
        add(json, "firstSequence", extent.firstSequence());
        add(json, "lastSequence", extent.lastSequence());
        add(json, "firstPosition", extent.firstPosition());
        add(json, "endPosition", extent.endPosition());
        add(json, "segments", extent.segments());
        add(json, "preparedSegments", extent.preparedSegments());
        add(json, "fileBytes", extent.fileBytes());
        return json.append("}\n").toString();
    }

    /** The numbers alone. */
    static String line(String log, Reading now) {
        StringBuilder json = new StringBuilder("{\"log\":").append(PayloadText.json(log));
        json.append(",\"writer\":\"")
                .append(now.writer().name().toLowerCase(Locale.ROOT))
                .append('"');
        add(json, "pid", now.pid());
        add(json, "committedPosition", now.committedPosition());
        add(json, "flushedPosition", now.flushedPosition());
        add(json, "syncedPosition", now.syncedPosition());
        add(json, "unsyncedBytes", now.unsyncedBytes());
        for (Counter counter : Counter.values()) {
            add(json, counter.label(), now.statistics().get(counter));
        }
        addCursors(json, now);
        return json.append("}\n").toString();
    }

    private static void addCursors(StringBuilder json, Reading now) {
        String separator = ",\"cursors\":{";
        for (Map.Entry<String, Long> cursor : now.cursors().entrySet()) {
            json.append(separator).append(PayloadText.json(cursor.getKey())).append(":{");
            json.append("\"position\":").append(cursor.getValue());
            json.append(",\"lagBytes\":").append(now.behind(cursor.getValue())).append('}');
            separator = ",";
        }
        json.append(now.cursors().isEmpty() ? "" : "}");
    }

    private static void add(StringBuilder json, String key, long value) {
        json.append(",\"").append(key).append("\":").append(value);
    }
}
