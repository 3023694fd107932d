package io.persist.tool;

import io.persist.store.checkpoint.CheckpointFile;
import java.util.Locale;
import java.util.Map;

/** The numbers of a store as one line of JSON. */
final class StoreNumbersJson {

    private final StringBuilder json = new StringBuilder();

    private StoreNumbersJson() {}

    static String of(StoreNumbers store) {
        StoreNumbersJson line = new StoreNumbersJson();
        line.add(store);
        return line.json.append("}\n").toString();
    }

    private void add(StoreNumbers store) {
        json.append("{\"log\":").append(PayloadText.json(store.log()));
        json.append(",\"writer\":\"").append(store.now().writer().name().toLowerCase(Locale.ROOT));
        json.append('"');
        number("pid", store.now().pid());
        number("keys", store.keys());
        number("liveBytes", store.liveBytes());
        number("spaceBytes", store.spaceBytes());
        decimal("spaceRatio", store.spaceRatio());
        number("segments", store.segments());
        number("vacatedSegments", store.vacatedSegments());
        number("indexUsedBytes", store.indexUsedBytes());
        decimal("indexBytesPerKey", store.indexBytesPerKey());
        store.newest().ifPresent(file -> checkpoint("newestCheckpoint", file));
        store.older().ifPresent(file -> checkpoint("olderCheckpoint", file));
        number("logBytes", store.logBytes());
        json.append(",\"recovery\":").append(RecoveryJson.of(store.recovery()));
        arcus(ArcusStats.of(store));
    }

    private void checkpoint(String name, CheckpointFile file) {
        json.append(",\"").append(name).append("\":{\"file\":").append(PayloadText.json(file.name()));
        number("position", file.position());
        number("bytes", file.bytes());
        number("createdAtMs", file.createdAtMs());
        json.append('}');
    }

    private void arcus(Map<String, String> stats) {
        json.append(",\"arcus\":{");
        String separator = "";
        for (Map.Entry<String, String> stat : stats.entrySet()) {
            json.append(separator).append(PayloadText.json(stat.getKey())).append(':');
            json.append(PayloadText.json(stat.getValue()));
            separator = ",";
        }
        json.append('}');
    }

    private void number(String key, long value) {
        json.append(",\"").append(key).append("\":").append(value);
    }

    private void decimal(String key, double value) {
        json.append(",\"").append(key).append("\":").append(String.format(Locale.ROOT, "%.3f", value));
    }
}
