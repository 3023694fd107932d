package io.persist.tool.store;

import io.persist.store.checkpoint.CheckpointFile;
import io.persist.tool.RecoveryJson;
import io.persist.tool.text.JsonLine;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;

/** The numbers of a store as one line of JSON. */
final class StoreNumbersJson {

    private StoreNumbersJson() {}

    static void print(StoreNumbers store, PrintStream out) {
        JsonLine.print(out, json -> write(json, store));
    }

    private static void write(JsonLine json, StoreNumbers store) throws IOException {
        json.name("log").value(store.log());
        json.name("writer").value(store.now().writer());
        json.name("pid").value(store.now().pid());
        json.name("keys").value(store.keys());
        json.name("liveBytes").value(store.liveBytes());
        json.name("spaceBytes").value(store.spaceBytes());
        json.name("spaceRatio").value(decimal(store.spaceRatio()));
        json.name("segments").value(store.segments());
        json.name("vacatedSegments").value(store.vacatedSegments());
        json.name("indexUsedBytes").value(store.indexUsedBytes());
        json.name("indexBytesPerKey").value(decimal(store.indexBytesPerKey()));
        write(json, "newestCheckpoint", store.newest());
        write(json, "olderCheckpoint", store.older());
        json.name("logBytes").value(store.logBytes());
        json.name("recovery").object(recovery -> RecoveryJson.write(recovery, store.recovery()));
        json.name("arcus").beginObject();
        for (Map.Entry<String, String> stat : StoreNumbersArcus.of(store).entrySet()) {
            json.name(stat.getKey()).value(stat.getValue());
        }
        json.endObject();
    }

    private static void write(JsonLine json, String name, Optional<CheckpointFile> checkpoint) throws IOException {
        if (checkpoint.isEmpty()) {
            return;
        }
        CheckpointFile file = checkpoint.get();
        json.name(name).beginObject();
        json.name("file").value(file.name());
        json.name("position").value(file.position());
        json.name("bytes").value(file.bytes());
        json.name("createdAtMs").value(file.createdAtMs());
        json.endObject();
    }

    /** With three decimals. */
    private static BigDecimal decimal(double value) {
        return BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
    }
}
