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
        json.name("row").value(report.row());
        json.name("meaning").value(report.meaning());
        json.name("damage").value(report.damage());
        json.name("firstPosition").value(report.firstPosition());
        json.name("goodPosition").value(report.goodPosition());
        json.name("tailPosition").value(report.tailPosition());
        json.name("lastSequence").value(report.lastSequence());
        json.name("syncedPosition").value(report.syncedPosition());
        json.name("flushedPosition").value(report.flushedPosition());
        json.name("missingBytes").value(report.missingBytes());
        json.name("scannedFrom").value(report.scannedFrom());
        json.name("scannedRecords").value(report.scannedRecords());
        json.name("cutBytes").value(report.cutBytes());
        json.name("cutRecords").value(report.cutRecords());
        json.name("setAside").beginArray();
        for (String file : report.setAside()) {
            json.value(file);
        }
        json.endArray();
        json.name("elapsedNs").value(report.elapsedNs());
    }

    /** The fields of the opening of a store. */
    public static void write(JsonLine json, StoreRecovery recovery) throws IOException {
        json.name("checkpoint").value(recovery.checkpoint());
        json.name("checkpointPosition").value(recovery.checkpointPosition());
        json.name("checkpointBytes").value(recovery.checkpointBytes());
        json.name("checkpointKeys").value(recovery.checkpointKeys());
        json.name("transactions").value(recovery.transactions());
        json.name("changes").value(recovery.changes());
        json.name("replayedBytes").value(recovery.replayedBytes());
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
