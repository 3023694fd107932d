package io.persist;

import static io.persist.support.Buffers.longBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.RaftPatternTest.Entry;
import io.persist.RaftPatternTest.EntryId;
import io.persist.RaftPatternTest.RaftLog;
import io.persist.support.RaftModel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Does the same to logs and to models; each log is one group of a store. */
final class RaftPatternNode {

    static final int GROUPS = 3;
    private static final int MOST_ENTRIES = 4;

    /** A change of one group: its model afterwards, the answer, and the call that makes it. */
    record Change(RaftModel after, Object answer, Call call) {}

    interface Call {
        CompletableFuture<?> of(RaftLog log);
    }

    private final Random random;
    final List<RaftModel> models = new ArrayList<>();
    private final List<RaftLog> logs = new ArrayList<>();
    int group; // that is changed

    RaftPatternNode(Random random) {
        this.random = random;
    }

    /** Opens the groups, and says what they are. */
    List<RaftModel> open(StoreLogger store) {
        logs.clear();
        models.clear();
        for (int i = 0; i < GROUPS; i++) {
            RaftLog log = new RaftLog(store, i);
            logs.add(log);
            models.add(model(log));
        }
        return List.copyOf(models);
    }

    /** What is there, entry by entry, and nothing else. */
    private static RaftModel model(RaftLog log) {
        EntryId snapshot = log.state.snapshot();
        List<RaftModel.Entry> entries = new ArrayList<>();
        for (Entry entry : log.entries(snapshot.index() + 1, Integer.MAX_VALUE)) {
            entries.add(entry(entry));
        }
        RaftModel model = new RaftModel(
                log.state.term(), log.state.votedFor(), snapshot.index(), snapshot.term(), List.copyOf(entries));
        assertThat(log.last).isEqualTo(new EntryId(model.lastIndex(), model.termOf(model.lastIndex())));
        return model;
    }

    private static RaftModel.Entry entry(Entry entry) {
        ByteBuffer command = entry.command().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long number = command.getLong(command.position());
        assertThat(command).isEqualTo(command(number));
        return new RaftModel.Entry(entry.term(), number);
    }

    /** A number stands for so many bytes of a command. */
    private static ByteBuffer command(long number) {
        long[] numbers = new long[1 + (int) Long.remainderUnsigned(number, 7)];
        Arrays.fill(numbers, number);
        return ByteBuffer.wrap(longBytes(numbers));
    }

    private static List<Entry> entries(List<RaftModel.Entry> entries) {
        return entries.stream()
                .map(entry -> new Entry(entry.term(), command(entry.command())))
                .toList();
    }

    /** Decides what comes next; {@link #models} have it then. */
    Change next() {
        group = random.nextInt(GROUPS);
        RaftModel model = models.get(group);
        int kind = random.nextInt(10);
        Change change =
                kind < 5 ? append(model) : kind < 7 ? propose(model) : kind < 9 ? vote(model) : compactTo(model);
        models.set(group, change.after());
        return change;
    }

    /** Of a leader that has some of the entries which are here, and others behind these. */
    private Change append(RaftModel model) {
        long term = Math.max(0, model.term() + random.nextInt(3) - 1);
        long first = Math.max(0, model.snapshotIndex() - 2);
        long previous = first + random.nextInt((int) (model.lastIndex() + 3 - first));
        boolean isKnown = previous >= model.snapshotIndex() && previous <= model.lastIndex();
        long previousTerm = isKnown && random.nextInt(8) != 0 ? model.termOf(previous) : random.nextInt(3);
        List<RaftModel.Entry> sent = new ArrayList<>();
        long same = previous + random.nextInt(MOST_ENTRIES);
        for (int i = random.nextInt(MOST_ENTRIES + 1); i > 0; i--) {
            long index = previous + 1 + sent.size();
            boolean isHere = index > model.snapshotIndex() && index <= Math.min(same, model.lastIndex());
            sent.add(isHere ? model.entry(index) : new RaftModel.Entry(term, random.nextLong()));
        }
        EntryId id = new EntryId(previous, previousTerm);
        return new Change(
                model.append(term, previous, previousTerm, sent),
                model.takes(term, previous, previousTerm),
                log -> log.append(term, id, entries(sent)));
    }

    private Change propose(RaftModel model) {
        List<RaftModel.Entry> own = new ArrayList<>();
        for (int i = random.nextInt(MOST_ENTRIES); i >= 0; i--) {
            own.add(new RaftModel.Entry(model.term(), random.nextLong()));
        }
        RaftModel after = model.propose(own);
        return new Change(after, after.lastIndex(), log -> log.propose(entries(own)));
    }

    private Change vote(RaftModel model) {
        long term = Math.max(0, model.term() + random.nextInt(3) - 1);
        long candidate = random.nextInt(4);
        return new Change(
                model.vote(term, candidate), model.mayVote(term, candidate), log -> log.vote(term, candidate));
    }

    private Change compactTo(RaftModel model) {
        long ahead = random.nextInt(6) == 0 ? 3 : 0; // a leader's snapshot
        long index = model.snapshotIndex()
                + random.nextInt(1 + (int) ahead + model.entries().size());
        boolean isHere = index <= model.lastIndex() && random.nextInt(6) != 0;
        long term = isHere ? model.termOf(index) : model.term();
        RaftModel after = model.compactTo(index, term);
        return new Change(after, after.snapshotIndex(), log -> log.compactTo(new EntryId(index, term)));
    }

    CompletableFuture<?> make(Change change) {
        return change.call.of(logs.get(group));
    }

    /** Any entry, and any of the log's end. */
    void read() {
        RaftModel model = models.get(group);
        RaftLog log = logs.get(group);
        assertThat(model(log)).isEqualTo(model);
        long index = random.nextInt(2 + (int) model.lastIndex());
        Entry entry = log.entry(index == 0 ? 1 : index);
        if (index > model.snapshotIndex() && index <= model.lastIndex()) {
            assertThat(entry(entry)).isEqualTo(model.entry(index));
            assertThat(log.termOf(index)).isEqualTo(model.termOf(index));
            List<Entry> some = log.entries(index, 1 + random.nextInt(200));
            assertThat(entry(some.get(0))).isEqualTo(model.entry(index));
        } else if (index > 0) {
            assertThat(entry).isNull();
            assertThat(log.entries(index, 100)).isEmpty();
        }
    }
}
