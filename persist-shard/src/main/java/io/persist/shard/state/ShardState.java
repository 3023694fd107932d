package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * All that is true of a shard at one version. Immutable.
 *
 * @param id the shard
 * @param identity tells it from a shard of the same id that another consensus has
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

    /** The state of a shard that was just created, still without an identity. */
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

    /** When the lease of reader or writer {@code holder} is over, in ms since 1970; never if it is not registered. */
    public long leaseEndMs(String holder) {
        ReaderState reader = readers.get(holder);
        WriterState writer = writers.get(holder);
        if (reader != null) {
            return reader.endMs();
        }
        return writer == null ? Long.MAX_VALUE : writer.endMs();
    }

    /** The least version whose objects a reader may need; the present one if there is no reader. */
    public long leastHold() {
        return readers.values().stream().mapToLong(ReaderState::hold).min().orElse(version);
    }

    ShardState withUpper(Frontier newUpper, List<BatchState> newBatches) {
        return with(fields -> {
            fields.upper = newUpper;
            fields.batches = Collections.unmodifiableList(newBatches);
        });
    }

    ShardState withReaders(Consumer<SortedMap<String, ReaderState>> change) {
        return with(fields -> {
            change.accept(fields.readers.own());
            fields.moveSince();
        });
    }

    ShardState withCriticals(Consumer<SortedMap<String, CriticalState>> change) {
        return with(fields -> {
            change.accept(fields.criticals.own());
            fields.moveSince();
        });
    }

    ShardState withWriters(Consumer<SortedMap<String, WriterState>> change) {
        return with(fields -> change.accept(fields.writers.own()));
    }

    ShardState withGarbage(Consumer<SortedMap<String, Long>> change) {
        return with(fields -> change.accept(fields.garbage.own()));
    }

    /** The same as the version after this one. */
    public ShardState numbered(long number) {
        return with(fields -> fields.version = number);
    }

    /** The same with but some of the batches, for who looks for some to merge: no shard has it. */
    public ShardState of(List<BatchState> some) {
        return withUpper(upper, some);
    }

    /** The same with an identity. */
    public ShardState withIdentity(String newIdentity) {
        return with(fields -> fields.identity = newIdentity);
    }

    private ShardState with(Consumer<Fields> change) {
        Fields fields = new Fields(this);
        change.accept(fields);
        return fields.state();
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

    /** A state that is being made of another one: what is not set stays. */
    static final class Fields {
        private final String id;
        String identity;
        long version;
        String keyCodec;
        String valueCodec;
        Frontier since;
        Frontier upper;
        List<BatchState> batches;
        final Entries<ReaderState> readers;
        final Entries<WriterState> writers;
        final Entries<CriticalState> criticals;
        final Entries<Long> garbage;

        Fields(ShardState before) {
            id = before.id();
            identity = before.identity();
            version = before.version();
            keyCodec = before.keyCodec();
            valueCodec = before.valueCodec();
            since = before.since();
            upper = before.upper();
            batches = before.batches();
            readers = new Entries<>(before.readers());
            writers = new Entries<>(before.writers());
            criticals = new Entries<>(before.criticals());
            garbage = new Entries<>(before.garbage());
        }

        /** Since follows the least of all holders, and stays where it is if there is none: it never goes back. */
        private void moveSince() {
            Stream<Frontier> ofReaders = readers.map.values().stream().map(ReaderState::since);
            Stream<Frontier> ofCriticals = criticals.map.values().stream().map(CriticalState::since);
            Frontier least = Stream.concat(ofReaders, ofCriticals)
                    .reduce(Frontier::least)
                    .orElse(since);
            since = Frontier.greatest(since, least);
        }

        ShardState state() {
            return new ShardState(
                    id,
                    identity,
                    version,
                    keyCodec,
                    valueCodec,
                    since,
                    upper,
                    batches,
                    readers.done(),
                    writers.done(),
                    criticals.done(),
                    garbage.done());
        }
    }

    /** A map that is copied when it changes. */
    static final class Entries<T> {
        private SortedMap<String, T> map;
        private boolean isCopy;

        private Entries(SortedMap<String, T> map) {
            this.map = map;
        }

        SortedMap<String, T> own() {
            if (!isCopy) {
                map = new TreeMap<>(map);
                isCopy = true;
            }
            return map;
        }

        private SortedMap<String, T> done() {
            return isCopy ? Collections.unmodifiableSortedMap(map) : map;
        }
    }
}
