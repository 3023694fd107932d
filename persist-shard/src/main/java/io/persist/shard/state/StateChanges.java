package io.persist.shard.state;

import io.persist.shard.bytes.ByteSink;
import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.NewerVersionException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The changes between two states as bytes: a kind, then its fields. Kinds are never given another meaning. */
final class StateChanges {

    private static final int CODECS = 1;
    private static final int SINCE = 2;
    private static final int UPPER = 3;
    private static final int BATCHES = 4;
    private static final int READER = 5;
    private static final int NO_READER = 6;
    private static final int WRITER = 7;
    private static final int NO_WRITER = 8;
    private static final int CRITICAL = 9;
    private static final int NO_CRITICAL = 10;
    private static final int GARBAGE = 11;
    private static final int NO_GARBAGE = 12;
    private static final int IDENTITY = 13;

    private StateChanges() {}

    /** What is new in {@code after}; all of it if {@code given} is null. */
    static void write(@Nullable ShardState given, ShardState after, ByteSink sink) {
        ShardState before = given == null ? ShardState.create(after.id(), "", "") : given;
        if (given == null) {
            sink.put(CODECS).putText(after.keyCodec()).putText(after.valueCodec());
        }
        if (!after.identity().equals(before.identity())) {
            sink.put(IDENTITY).putText(after.identity());
        }
        if (!after.since().equals(before.since())) {
            sink.put(SINCE).putLong(after.since().code());
        }
        if (!after.upper().equals(before.upper())) {
            sink.put(UPPER).putLong(after.upper().code());
        }
        writeBatches(before.batches(), after.batches(), sink);
        ShardState.differences(
                before.readers(),
                after.readers(),
                (id, reader) -> sink.put(READER)
                        .putText(id)
                        .putLong(reader.since().code())
                        .putLong(reader.hold())
                        .putLong(reader.heartbeatMs())
                        .putLong(reader.leaseMs()),
                id -> sink.put(NO_READER).putText(id));
        ShardState.differences(
                before.writers(),
                after.writers(),
                (id, writer) -> sink.put(WRITER)
                        .putText(id)
                        .putLong(writer.heartbeatMs())
                        .putLong(writer.leaseMs())
                        .putText(writer.token())
                        .putLong(writer.upper().code()),
                id -> sink.put(NO_WRITER).putText(id));
        ShardState.differences(
                before.criticals(),
                after.criticals(),
                (name, critical) -> sink.put(CRITICAL)
                        .putText(name)
                        .putLong(critical.since().code())
                        .putLong(critical.token())
                        .putText(critical.owner()),
                name -> sink.put(NO_CRITICAL).putText(name));
        ShardState.differences(
                before.garbage(),
                after.garbage(),
                (object, version) -> sink.put(GARBAGE).putText(object).putLong(version),
                object -> sink.put(NO_GARBAGE).putText(object));
    }

    /** One place where batches differ: what comes before and behind it is the same. */
    @SuppressWarnings("ReferenceEquality") // a batch that stays is the same object; to compare all would take long
    private static void writeBatches(List<BatchState> before, List<BatchState> after, ByteSink sink) {
        int shorter = Math.min(before.size(), after.size());
        int start = 0;
        while (start < shorter && before.get(start) == after.get(start)) {
            start++;
        }
        int same = 0;
        while (same < shorter - start && before.get(before.size() - 1 - same) == after.get(after.size() - 1 - same)) {
            same++;
        }
        int removed = before.size() - same - start;
        List<BatchState> added = after.subList(start, after.size() - same);
        if (removed > 0 || !added.isEmpty()) {
            sink.put(BATCHES).putInt(start).putInt(removed).putInt(added.size());
            added.forEach(batch -> StateBytes.putBatch(batch, sink));
        }
    }

    /**
     * The state {@code version} that the changes in {@code source}, whose checksum is right, make of {@code before}.
     *
     * @throws NewerVersionException if one of them is of a kind that this version of Persist does not know
     */
    static ShardState apply(ShardState before, long version, ByteSource source) {
        ShardState.Fields fields = new ShardState.Fields(before);
        fields.version = version;
        while (source.hasNext()) {
            int kind = source.next();
            switch (kind) {
                case CODECS -> {
                    fields.keyCodec = source.nextText();
                    fields.valueCodec = source.nextText();
                }
                case IDENTITY -> fields.identity = source.nextText();
                case SINCE -> fields.since = StateBytes.nextFrontier(source);
                case UPPER -> fields.upper = StateBytes.nextFrontier(source);
                case BATCHES -> fields.batches = splice(before.id(), fields.batches, source);
                case READER -> put(fields.readers, source, StateChanges::nextReader);
                case NO_READER -> remove(fields.readers, source);
                case WRITER -> put(fields.writers, source, StateChanges::nextWriter);
                case NO_WRITER -> remove(fields.writers, source);
                case CRITICAL -> put(fields.criticals, source, StateChanges::nextCritical);
                case NO_CRITICAL -> remove(fields.criticals, source);
                case GARBAGE -> fields.garbage.own().put(StateBytes.nextObject(before.id(), source), source.nextLong());
                case NO_GARBAGE -> remove(fields.garbage, source);
                default ->
                    throw StateBytes.newer(
                            before.id(), "a change of kind " + kind + ", which this version of Persist does not know");
            }
        }
        return fields.state();
    }

    private static ReaderState nextReader(ByteSource source) {
        return new ReaderState(
                StateBytes.nextFrontier(source), source.nextLong(), source.nextLong(), source.nextLong());
    }

    private static WriterState nextWriter(ByteSource source) {
        return new WriterState(
                source.nextLong(), source.nextLong(), source.nextText(), StateBytes.nextFrontier(source));
    }

    private static CriticalState nextCritical(ByteSource source) {
        return new CriticalState(StateBytes.nextFrontier(source), source.nextLong(), source.nextText());
    }

    private static <T> void put(ShardState.Entries<T> entries, ByteSource source, Function<ByteSource, T> value) {
        String name = source.nextText();
        entries.own().put(name, value.apply(source));
    }

    private static void remove(ShardState.Entries<?> entries, ByteSource source) {
        entries.own().remove(source.nextText());
    }

    private static List<BatchState> splice(String shard, List<BatchState> batches, ByteSource source) {
        int start = source.nextInt();
        int removed = source.nextInt();
        int added = source.nextCount();
        if (start < 0 || removed < 0 || start > batches.size() - removed) {
            throw source.damaged("batches " + start + " and " + removed + " of " + batches.size());
        }
        List<BatchState> spliced = new ArrayList<>(batches.subList(0, start));
        for (int i = 0; i < added; i++) {
            spliced.add(StateBytes.nextBatch(shard, source));
        }
        spliced.addAll(batches.subList(start + removed, batches.size()));
        return Collections.unmodifiableList(spliced);
    }
}
