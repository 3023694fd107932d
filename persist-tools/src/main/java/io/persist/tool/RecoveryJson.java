package io.persist.tool;

import io.persist.log.RecoveryReport;
import io.persist.store.StoreRecovery;
import java.util.stream.Collectors;

/** What opening found and did, as one line of JSON: for those who gather the logs of many processes. */
public final class RecoveryJson {

    private RecoveryJson() {}

    /**
     * The opening of a log. What {@code verify} says of the log before it is opened has the same name there, except
     * that it calls {@code goodPosition} the tail, and what was cut {@code bytesBehind} and {@code recordsBehind}.
     */
    public static String of(RecoveryReport report) {
        StringBuilder json = new StringBuilder("{\"log\":").append(PayloadText.json(report.log()));
        text(json, "left", VerifyTool.lowerCase(report.start()));
        text(json, "row", report.row());
        text(json, "meaning", report.meaning());
        text(json, "damage", report.damage());
        VerifyTool.add(json, "firstPosition", report.firstPosition());
        VerifyTool.add(json, "goodPosition", report.goodPosition());
        VerifyTool.add(json, "tailPosition", report.tailPosition());
        VerifyTool.add(json, "lastSequence", report.lastSequence());
        VerifyTool.add(json, "syncedPosition", report.syncedPosition());
        VerifyTool.add(json, "flushedPosition", report.flushedPosition());
        VerifyTool.add(json, "missingBytes", report.missingBytes());
        VerifyTool.add(json, "scannedFrom", report.scannedFrom());
        VerifyTool.add(json, "scannedRecords", report.scannedRecords());
        VerifyTool.add(json, "cutBytes", report.cutBytes());
        VerifyTool.add(json, "cutRecords", report.cutRecords());
        json.append(",\"setAside\":")
                .append(report.setAside().stream().map(PayloadText::json).collect(Collectors.joining(",", "[", "]")));
        VerifyTool.add(json, "elapsedNs", report.elapsedNs());
        return json.append('}').toString();
    }

    /** The opening of a store, after that of its log. */
    public static String of(StoreRecovery recovery) {
        StringBuilder json = new StringBuilder("{\"checkpoint\":").append(PayloadText.json(recovery.checkpoint()));
        VerifyTool.add(json, "checkpointPosition", recovery.checkpointPosition());
        VerifyTool.add(json, "checkpointBytes", recovery.checkpointBytes());
        VerifyTool.add(json, "checkpointKeys", recovery.checkpointKeys());
        VerifyTool.add(json, "transactions", recovery.transactions());
        VerifyTool.add(json, "changes", recovery.changes());
        VerifyTool.add(json, "replayedBytes", recovery.replayedBytes());
        VerifyTool.add(json, "keys", recovery.keys());
        VerifyTool.add(json, "elapsedNs", recovery.elapsedNs());
        json.append(",\"skipped\":")
                .append(recovery.skipped().stream()
                        .map(RecoveryJson::skipped)
                        .collect(Collectors.joining(",", "[", "]")));
        return json.append('}').toString();
    }

    private static String skipped(StoreRecovery.Skipped skipped) {
        return "{\"file\":" + PayloadText.json(skipped.file()) + ",\"why\":" + PayloadText.json(skipped.why()) + '}';
    }

    private static void text(StringBuilder json, String key, String value) {
        json.append(",\"").append(key).append("\":").append(PayloadText.json(value));
    }
}
