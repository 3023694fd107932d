package io.persist.shard;

import static io.persist.shard.ShardRig.NOW;

import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A listener of the model test, and what it was given before its last progress and behind it. */
final class Listening {

    private final ShardListener<String, String> listener;
    private final long asOf;
    private final ShardTruth truth;
    private final Map<String, List<Long>> given = new HashMap<>();
    private final List<Update<String, String>> since = new ArrayList<>();
    private Frontier frontier;
    private boolean owesContents;

    private Listening(ShardListener<String, String> listener, long asOf, ShardTruth truth, boolean owesContents) {
        this.listener = listener;
        this.asOf = asOf;
        this.truth = truth;
        this.frontier = Frontier.after(asOf);
        this.owesContents = owesContents;
    }

    static Listening behind(ShardReader<String, String> reader, long asOf, ShardTruth truth) {
        return new Listening(reader.listen(asOf), asOf, truth, false);
    }

    static Listening withContents(ShardReader<String, String> reader, long asOf, ShardTruth truth) {
        return new Listening(reader.subscribe(asOf), asOf, truth, true);
    }

    /** Takes the next event, if there is one. */
    void hear() throws InterruptedException {
        ShardEvent<String, String> event = listener.poll(NOW);
        if (event instanceof ShardEvent.Updates<String, String> updates) {
            since.addAll(updates.updates());
        } else if (event instanceof ShardEvent.Progress<String, String> progress && owesContents) {
            contents(progress.frontier());
        } else if (event instanceof ShardEvent.Progress<String, String> progress) {
            progress(progress.frontier());
        }
    }

    private void contents(Frontier behind) {
        Map<String, Long> sums = new TreeMap<>();
        for (Update<String, String> update : since) {
            if (update.time() != asOf || update.diff() == 0 || sums.put(update.key(), update.diff()) != null) {
                throw new AssertionError("not summed: " + update);
            }
        }
        if (!behind.equals(Frontier.after(asOf))) {
            throw new AssertionError("the contents as of " + asOf + " end with " + behind);
        }
        truth.snapped(asOf, sums);
        since.clear();
        owesContents = false;
    }

    private void progress(Frontier next) {
        for (Update<String, String> update : since) {
            if (frontier.time() > update.time() || !next.isBehind(update.time())) {
                throw new AssertionError(update + " between " + frontier + " and " + next);
            }
            given.computeIfAbsent(update.key(), none -> new ArrayList<>()).add(update.time());
        }
        since.clear();
        frontier = next;
    }

    /** Tells the truth all that it was given. */
    void tell() {
        truth.heard(asOf, frontier, given);
    }
}
