package io.persist.tool.repair;

import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.tool.repair.CheckpointCheck.Checked;
import io.persist.tool.repair.VerifyTool.Status;
import io.persist.tool.text.Descriptions;
import io.persist.tool.text.JsonLine;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Set;

/** What a check of a store's checkpoints found, in words and in JSON. */
final class CheckpointReport {

    /** The log is damaged where opening does not read it, below the checkpoint. */
    private static final String VALUES =
            "nothing needs repair: get refuses a value that is damaged; put or remove its key, or put a good copy"
                    + " of the file back. If each key can be read, compact the store: it leaves out what no key needs";

    private static final String SPARE =
            "the store opens without the checkpoints that are not good; opening it sets those aside that are newer than"
                    + " the one it begins with, and older ones go when later ones have taken their place";

    private final CheckpointCheck check;
    private final StoreJudgement judgement;
    private final String remedy;

    private CheckpointReport(CheckpointCheck check, StoreJudgement judgement, String remedy) {
        this.check = check;
        this.judgement = judgement;
        this.remedy = remedy;
    }

    /** A report for the store in {@code log}, which is in {@code status}. */
    static CheckpointReport of(
            Storage log, Storage checkpoints, CheckpointCheck check, StoreJudgement judgement, Status status) {
        String remedy = judgement.remedy();
        if (judgement.kind() == StoreJudgement.Kind.OPENS) {
            Set<String> faulty = check.withNodeFault();
            remedy = !faulty.isEmpty()
                    ? StoreJudgement.remedyOfNodes(log, checkpoints, faulty)
                    : status == Status.DAMAGED ? VALUES : check.isGood() ? "" : SPARE;
        }
        return new CheckpointReport(check, judgement, remedy);
    }

    boolean isGood() {
        return check.isGood() && judgement.kind() == StoreJudgement.Kind.OPENS;
    }

    void print(PrintStream out) {
        for (Checked checked : check.checkpoints()) {
            out.println("  " + checked.file().name() + ": " + finding(checked));
        }
        out.println("  recovery: " + judgement.describe());
        if (!remedy.isEmpty()) {
            out.println("  what can be done: " + remedy);
        }
    }

    private static String finding(Checked checked) {
        CheckpointFile file = checked.file();
        return switch (checked.fit()) {
            case GOOD ->
                (file.nodeFault().isEmpty()
                                ? "good, "
                                : "damaged where opening does not look: " + file.nodeFault() + ", ")
                        + content(file);
            case DAMAGED -> "damaged: " + checked.why().replaceFirst("; [^;]*$", ""); // to run verify
            case OLD ->
                checked.isPartOfAChain()
                        ? "good, but only for the later ones that build on it, " + content(file)
                        : "does not fit: " + checked.why();
            case BEYOND, NEWER, OTHER, UNFIT -> "does not fit: " + checked.why();
        };
    }

    private static String content(CheckpointFile file) {
        return Descriptions.number(file.keys(), "key") + ", " + Descriptions.number(file.bytes(), "byte")
                + buildsOn(file) + ", begun at " + Instant.ofEpochMilli(file.createdAtMs());
    }

    private static String buildsOn(CheckpointFile file) {
        return file.predecessor() < 0 ? "" : " that changed since " + CheckpointName.of(file.predecessor());
    }

    /** Adds its fields to an object. */
    void writeTo(JsonLine json) throws IOException {
        json.name("checkpoints").beginArray();
        for (Checked checked : check.checkpoints()) {
            json.object(fields -> write(fields, checked));
        }
        json.endArray();
        json.name("recoveryCheckpoint").value(judgement.begin());
        json.name("refusal").value(judgement.refusal());
        json.name("remedy").value(remedy);
    }

    private static void write(JsonLine json, Checked checked) throws IOException {
        CheckpointFile file = checked.file();
        json.name("file").value(file.name());
        json.name("position").value(file.position());
        json.name("bytes").value(file.bytes());
        json.name("keys").value(file.keys());
        json.name("predecessor").value(file.predecessor());
        json.name("nodeFault").value(file.nodeFault());
        json.name("createdAtMs").value(file.createdAtMs());
        json.name("fit").value(checked.fit());
        json.name("why").value(checked.why());
    }
}
