package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * All that is true of a shard at one version. Immutable.
 *
 * @param id the shard
 * @param identity tells it from a shard of the same id that another consensus has; empty if it has none yet
 * @param version counts the states from 1 on
 * @param keyCodec the name of the codec of keys
 * @param valueCodec the name of the codec of values
 * @param since from where on it can be read
 * @param upper below which it is complete
 * @param batches contiguous, from the least time to {@code upper}
 * @param readers by id
 * @param writers by id
 * @param criticals by name
 * @param garbage objects that no batch has any more, and the version that dropped them
 */
public record ShardState(
        String id,
        String identity,
        long version,
        String keyCodec,
        String valueCodec,
        Frontier since,
        Frontier upper,
        List<BatchState> batches,
        SortedMap<String, ReaderState> readers,
        SortedMap<String, WriterState> writers,
        SortedMap<String, CriticalState> criticals,
        SortedMap<String, Long> garbage) {

    /** The state of a shard that was just created, without an identity. */
    public static ShardState create(String id, String keyCodec, String valueCodec) {
        return new ShardState(
                id,
                "",
                1,
                keyCodec,
                valueCodec,
                Frontier.MINIMUM,
                Frontier.MINIMUM,
                List.of(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap(),
                Collections.emptySortedMap());
    }

    /** Whether nothing can be read or written any more, and nothing is left. */
    public boolean isTombstone() {
        return since.isEmpty() && upper.isEmpty() && batches.isEmpty();
    }

    /** Bytes of batches in the state. */
    public long inlineBytes() {
        return batches.stream().mapToLong(BatchState::inlineBytes).sum();
    }

    /** How many runs a reader of everything opens; a batch without any counts as one. */
    public int runs() {
        int runs = 0;
        for (BatchState batch : batches) {
            runs += Math.max(1, batch.runs().size());
        }
        return runs;
    }

    /** Bytes that a reader of everything has in memory at once: about a part of each run. */
    public long readingBytes() {
        return batches.stream().mapToLong(BatchState::readingBytes).sum();
    }

    /** The least version whose objects a reader may need; the present one if there is no reader. */
    public long leastHold() {
        return readers.values().stream().mapToLong(ReaderState::hold).min().orElse(version);
    }

    ShardState withUpper(Frontier newUpper, List<BatchState> newBatches) {
        return new ShardState(
                id,
                identity,
                version,
                keyCodec,
                valueCodec,
                since,
                newUpper,
                Collections.unmodifiableList(newBatches),
                readers,
                writers,
                criticals,
                garbage);
    }

    ShardState withReaders(Consumer<SortedMap<String, ReaderState>> change) {
        return withHolders(changed(readers, change), criticals);
    }

    ShardState withCriticals(Consumer<SortedMap<String, CriticalState>> change) {
        return withHolders(readers, changed(criticals, change));
    }

    ShardState withWriters(Consumer<SortedMap<String, WriterState>> change) {
        return with(since, readers, changed(writers, change), criticals, garbage);
    }

    ShardState withGarbage(Consumer<SortedMap<String, Long>> change) {
        return with(since, readers, writers, criticals, changed(garbage, change));
    }

    /** Since follows the least of all holders, and stays where it is if there is none: it never goes back. */
    private ShardState withHolders(
            SortedMap<String, ReaderState> newReaders, SortedMap<String, CriticalState> newCriticals) {
        List<Frontier> wanted = new ArrayList<>();
        newReaders.values().forEach(reader -> wanted.add(reader.since()));
        newCriticals.values().forEach(critical -> wanted.add(critical.since()));
        Frontier least = wanted.stream().reduce(Frontier::least).orElse(since);
        return with(Frontier.greatest(since, least), newReaders, writers, newCriticals, garbage);
    }

    private ShardState with(
            Frontier newSince,
            SortedMap<String, ReaderState> newReaders,
            SortedMap<String, WriterState> newWriters,
            SortedMap<String, CriticalState> newCriticals,
            SortedMap<String, Long> newGarbage) {
        return new ShardState(
                id,
                identity,
                version,
                keyCodec,
                valueCodec,
                newSince,
                upper,
                batches,
                newReaders,
                newWriters,
                newCriticals,
                newGarbage);
    }

    /** The same as the version after this one. */
    public ShardState numbered(long number) {
        return copy(identity, number);
    }

    /** The same with but some of the batches, for who looks for some to merge: no shard has it. */
    public ShardState of(List<BatchState> some) {
        return withUpper(upper, some);
    }

    /** The same with an identity. */
    public ShardState withIdentity(String newIdentity) {
        return copy(newIdentity, version);
    }

    private ShardState copy(String newIdentity, long newVersion) {
        return new ShardState(
                id,
                newIdentity,
                newVersion,
                keyCodec,
                valueCodec,
                since,
                upper,
                batches,
                readers,
                writers,
                criticals,
                garbage);
    }

    private static <T> SortedMap<String, T> changed(
            SortedMap<String, T> before, Consumer<SortedMap<String, T>> change) {
        SortedMap<String, T> copy = new TreeMap<>(before);
        change.accept(copy);
        return Collections.unmodifiableSortedMap(copy);
    }

    /** What differs between two maps, for {@link StateBytes}. */
    static <T> void differences(
            Map<String, T> before, Map<String, T> after, BiConsumer<String, T> put, Consumer<String> removed) {
        if (before == after) {
            return;
        }
        after.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                put.accept(name, value);
            }
        });
        before.keySet().stream().filter(name -> !after.containsKey(name)).forEach(removed);
    }
}
