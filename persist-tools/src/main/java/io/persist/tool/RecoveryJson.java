package io.persist.tool;

import io.persist.log.RecoveryReport;
import io.persist.store.StoreRecovery;
import io.persist.tool.text.JsonLine;
import java.io.IOException;

/** What opening found and did, as one line of JSON: for those who gather the logs of many processes. */
public final class RecoveryJson {

    private RecoveryJson() {}

    /**
     * The opening of a log. What {@code verify} says of the log before it is opened has the same name there, except
     * that it calls {@code goodPosition} the tail, and what was cut {@code bytesBehind} and {@code recordsBehind}.
     */
    public static String of(RecoveryReport report) {
        return JsonLine.of(json -> write(json, report));
    }

    /** The opening of a store, after that of its log. */
    public static String of(StoreRecovery recovery) {
        return JsonLine.of(json -> write(json, recovery));
    }

    private static void write(JsonLine json, RecoveryReport report) throws IOException {
        json.name("log").value(report.log());
        json.name("left").value(report.start());
        json.name("row").value(report.reason().row());
        json.name("meaning").value(report.reason().meaning());
        json.name("damage").value(report.reason().damage());
        json.name("firstPosition").value(report.kept().firstPosition());
        json.name("goodPosition").value(report.kept().goodPosition());
        json.name("tailPosition").value(report.kept().tailPosition());
        json.name("lastSequence").value(report.kept().lastSequence());
        json.name("syncedPosition").value(report.kept().syncedPosition());
        json.name("flushedPosition").value(report.kept().flushedPosition());
        json.name("missingBytes").value(report.kept().missingBytes());
        json.name("scannedFrom").value(report.checked().fromPosition());
        json.name("scannedRecords").value(report.checked().records());
        json.name("cutBytes").value(report.cut().bytes());
        json.name("cutRecords").value(report.cut().records());
        json.name("setAside").beginArray();
        for (String file : report.cut().setAside()) {
            json.value(file);
        }
        json.endArray();
        json.name("elapsedNs").value(report.elapsedNs());
    }

    /** The fields of the opening of a store. */
    public static void write(JsonLine json, StoreRecovery recovery) throws IOException {
        json.name("checkpoint").value(recovery.checkpoint().file());
        json.name("checkpointPosition").value(recovery.checkpoint().position());
        json.name("checkpointBytes").value(recovery.checkpoint().bytes());
        json.name("checkpointKeys").value(recovery.checkpoint().keys());
        json.name("transactions").value(recovery.replay().transactions());
        json.name("changes").value(recovery.replay().changes());
        json.name("replayedBytes").value(recovery.replay().bytes());
        json.name("keys").value(recovery.keys());
        json.name("elapsedNs").value(recovery.elapsedNs());
        json.name("skipped").beginArray();
        for (StoreRecovery.Skipped skipped : recovery.skipped()) {
            json.beginObject();
            json.name("file").value(skipped.file());
            json.name("why").value(skipped.why());
            json.endObject();
        }
        json.endArray();
    }
}
