package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.ArrayList;
import java.util.List;

/**
 * The updates of a shard with times from {@code lower} on and below {@code upper}. Times below {@code since} were
 * advanced to it. Parts may have updates below {@code lower}, which do not count.
 *
 * @param lower inclusive
 * @param upper exclusive
 * @param since to where times were advanced
 * @param runs each is sorted by key, value and time, part after part
 */
public record BatchState(Frontier lower, Frontier upper, Frontier since, List<List<BatchPart>> runs) {

    /** Keeps copies. */
    public BatchState {
        runs = runs.stream().map(List::copyOf).toList();
    }

    /** One with no updates. */
    public static BatchState empty(Frontier lower, Frontier upper) {
        return new BatchState(lower, upper, Frontier.MINIMUM, List.of());
    }

    /** The same updates from {@code newLower} on. */
    public BatchState from(Frontier newLower) {
        return new BatchState(newLower, upper, since, runs);
    }

    /** All parts. */
    public List<BatchPart> parts() {
        List<BatchPart> parts = new ArrayList<>();
        runs.forEach(parts::addAll);
        return parts;
    }

    /** How many updates. */
    public long updates() {
        long updates = 0;
        for (List<BatchPart> run : runs) {
            for (BatchPart part : run) {
                updates += part.updates();
            }
        }
        return updates;
    }

    /** Bytes in the state. Each append asks: of the many parts of a long run none is looked at. */
    public long inlineBytes() {
        long bytes = 0;
        for (List<BatchPart> run : runs) {
            if (run.size() == 1 && run.get(0).isInline()) { // a run that is in the state is short, and one part
                bytes += run.get(0).bytes();
            }
        }
        return bytes;
    }

    /** Bytes of the first part of each run: the others are about as long, or shorter. */
    public long readingBytes() {
        return runs.stream()
                .filter(run -> !run.isEmpty())
                .mapToLong(run -> run.get(0).bytes())
                .sum();
    }

    /** The names of its objects. */
    public List<String> objects() {
        List<String> names = new ArrayList<>();
        for (BatchPart part : parts()) {
            String object = part.object();
            if (object != null) {
                names.add(object);
            }
        }
        return names;
    }
}
