package io.persist.store;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What opening a store found and did, after its log was opened.
 *
 * @param checkpoint the file name of the checkpoint that was used, empty if none was
 * @param checkpointPosition where in the log replay began
 * @param checkpointBytes the checkpoint's length
 * @param checkpointKeys how many keys it had
 * @param skipped checkpoints that could not be used, newest first, with the reason
 * @param transactions how many transactions were replayed
 * @param changes how many puts and removes these had
 * @param replayedBytes how much of the log was replayed
 * @param keys how many keys the store has
 * @param elapsedNs how long it took, with the opening of the log
 */
public record StoreRecovery(
        String checkpoint,
        long checkpointPosition,
        long checkpointBytes,
        long checkpointKeys,
        List<Skipped> skipped,
        long transactions,
        long changes,
        long replayedBytes,
        long keys,
        long elapsedNs) {

    /** A checkpoint that could not be used, and why. */
    public record Skipped(long position, String file, String why) {}

    /** One readable line. */
    public String describe() {
        String start = checkpoint.isEmpty()
                ? "no checkpoint"
                : String.format(Locale.ROOT, "checkpoint %s with %d keys", checkpoint, checkpointKeys);
        String fallback = skipped.isEmpty()
                ? ""
                : ", not used: "
                        + skipped.stream()
                                .map(bad -> bad.file() + " (" + bad.why() + ")")
                                .collect(Collectors.joining("; "));
        return String.format(
                Locale.ROOT,
                "%s%s, then %d transactions with %d changes in %d bytes of log: %d keys, took %.1f ms",
                start,
                fallback,
                transactions,
                changes,
                replayedBytes,
                keys,
                elapsedNs / 1e6);
    }

    /** Whether the newest checkpoint was used, so that nothing has to be explained. */
    public boolean isUneventful() {
        return skipped.isEmpty();
    }

    /** A paragraph for people, without a line end: where the state comes from, and what of the files was of no use. */
    public String explain() {
        String start = checkpoint.isEmpty()
                ? "The state comes from the log alone"
                : "The state comes from " + checkpoint + " with " + number(checkpointKeys, "key")
                        + " and the log after it";
        return String.format(
                        Locale.ROOT,
                        "%s, from position %d on: %s with %s in %s. The store has %s. It took %.1f ms.",
                        start,
                        checkpointPosition,
                        number(transactions, "transaction"),
                        number(changes, "change"),
                        number(replayedBytes, "byte"),
                        number(keys, "key"),
                        elapsedNs / 1e6)
                + notUsed();
    }

    private String notUsed() {
        if (skipped.isEmpty()) {
            return "";
        }
        String files =
                skipped.stream().map(bad -> bad.file() + " (" + bad.why() + ")").collect(Collectors.joining("; "));
        return " Not used: " + files + ". Nothing is missing because of that. Whoever opens the store for writing gives"
                + " such a checkpoint the ending .aside; look why, then delete it.";
    }

    private static String number(long count, String word) {
        return count + " " + word + (count == 1 ? "" : "s");
    }
}
