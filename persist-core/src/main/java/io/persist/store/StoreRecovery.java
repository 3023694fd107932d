package io.persist.store;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What opening a store found and did, after its log was opened.
 *
 * @param checkpoint from where the state comes
 * @param replay what was done with the log after it
 * @param skipped checkpoints that could not be used, newest first, with the reason
 * @param keys how many keys the index has: all that the store has, unless changes are {@link Replay#pending}
 * @param elapsedNs how long it took, with the opening of the log
 */
public record StoreRecovery(Checkpoint checkpoint, Replay replay, List<Skipped> skipped, long keys, long elapsedNs) {

    /**
     * The checkpoint that was used.
     *
     * @param file its name, empty if none was used
     * @param position where in the log replay began
     * @param bytes its length
     * @param keys how many keys it had
     */
    public record Checkpoint(String file, long position, long bytes, long keys) {

        /** Whether there was none, so that the state comes from the log alone. */
        public boolean isNone() {
            return file.isEmpty();
        }
    }

    /**
     * The part of the log that was replayed.
     *
     * @param transactions how many there were
     * @param changes how many puts and removes these had
     * @param bytes how long it was
     * @param pending for how many keys the last change was not in the index yet when the store was open. All threads
     *     see these changes; a background thread brings them into the index
     */
    public record Replay(long transactions, long changes, long bytes, long pending) {}

    /** A checkpoint that could not be used, and why. */
    public record Skipped(long position, String file, String why) {}

    /** One readable line. */
    public String describe() {
        String start = checkpoint.isNone()
                ? "no checkpoint"
                : String.format(Locale.ROOT, "checkpoint %s with %d keys", checkpoint.file(), checkpoint.keys());
        String fallback = skipped.isEmpty()
                ? ""
                : ", not used: "
                        + skipped.stream()
                                .map(bad -> bad.file() + " (" + bad.why() + ")")
                                .collect(Collectors.joining("; "));
        return String.format(
                Locale.ROOT,
                "%s%s, then %d transactions with %d changes in %d bytes of log: %d keys%s, took %.1f ms",
                start,
                fallback,
                replay.transactions(),
                replay.changes(),
                replay.bytes(),
                keys,
                replay.pending() == 0
                        ? ""
                        : " in the index, which has yet to get " + number(replay.pending(), "change"),
                elapsedNs / 1e6);
    }

    /** Whether the newest checkpoint was used, so that nothing has to be explained. */
    public boolean isUneventful() {
        return skipped.isEmpty();
    }

    /** A paragraph for people, without a line end: where the state comes from, and what of the files was of no use. */
    public String explain() {
        String start = checkpoint.isNone()
                ? "The state comes from the log alone"
                : "The state comes from " + checkpoint.file() + " with " + number(checkpoint.keys(), "key")
                        + " and the log after it";
        return String.format(
                        Locale.ROOT,
                        "%s, from position %d on: %s with %s in %s. The %s has %s. It took %.1f ms.",
                        start,
                        checkpoint.position(),
                        number(replay.transactions(), "transaction"),
                        number(replay.changes(), "change"),
                        number(replay.bytes(), "byte"),
                        replay.pending() == 0 ? "store" : "index, which has yet to get the last changes,",
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
