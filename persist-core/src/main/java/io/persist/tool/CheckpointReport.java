package io.persist.tool;

import io.persist.store.CheckpointFile;
import io.persist.tool.CheckpointCheck.Checked;
import io.persist.tool.VerifyTool.Status;
import java.io.PrintStream;
import java.time.Instant;

/** What a check of a store's checkpoints found, in words and in JSON. */
final class CheckpointReport {

    private final CheckpointCheck check;
    private final String refusal;

    /** A report for a store whose log is in {@code status}. */
    CheckpointReport(CheckpointCheck check, Status status) {
        this.check = check;
        this.refusal = status == Status.DAMAGED ? "the log is damaged" : check.refusal();
    }

    boolean isGood() {
        return check.isGood();
    }

    void print(PrintStream out) {
        for (Checked checked : check.checkpoints()) {
            out.println("  " + checked.file().name() + ": " + finding(checked));
        }
        out.println("  recovery: " + recovery());
    }

    private static String finding(Checked checked) {
        CheckpointFile file = checked.file();
        return switch (checked.fit()) {
            case GOOD ->
                "good, " + Descriptions.number(file.keys(), "key") + ", " + Descriptions.number(file.bytes(), "byte")
                        + ", begun at " + Instant.ofEpochMilli(file.createdAtMs());
            case DAMAGED -> "damaged: " + checked.why();
            case BEYOND, OLD, NEWER, OTHER, UNFIT -> "does not fit: " + checked.why();
        };
    }

    private String recovery() {
        if (!refusal.isEmpty()) {
            return "refused, " + refusal;
        }
        return check.begin().isEmpty() ? "from the log alone" : "from " + check.begin() + " and the log after it";
    }

    /** Some more members of a JSON object. */
    String json() {
        StringBuilder json = new StringBuilder(",\"checkpoints\":[");
        String separator = "";
        for (Checked checked : check.checkpoints()) {
            CheckpointFile file = checked.file();
            json.append(separator).append("{\"file\":").append(PayloadText.json(file.name()));
            VerifyTool.add(json, "position", file.position());
            VerifyTool.add(json, "bytes", file.bytes());
            VerifyTool.add(json, "keys", file.keys());
            VerifyTool.add(json, "createdAtMs", file.createdAtMs());
            json.append(",\"fit\":\"")
                    .append(VerifyTool.lowerCase(checked.fit()))
                    .append('"');
            json.append(",\"why\":").append(PayloadText.json(checked.why())).append('}');
            separator = ",";
        }
        json.append("],\"recoveryCheckpoint\":").append(PayloadText.json(check.begin()));
        return json.append(",\"refusal\":").append(PayloadText.json(refusal)).toString();
    }
}
