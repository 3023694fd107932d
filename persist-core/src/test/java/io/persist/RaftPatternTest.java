package io.persist;

import static io.persist.support.Buffers.longBytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.store.transaction.Transaction;
import io.persist.support.Await;
import io.persist.support.HeldSyncs;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The code that docs/patterns.md shows of a Raft group, run; {@link GuideSnippetsTest} compares the two texts. Beside a
 * model, and with the power cut at any operation, it is tried by {@link RaftPatternCrashTest}.
 */
@Timeout(60)
class RaftPatternTest {

    private static final int SEGMENT = 8192;

    // snippet: patterns-raft
    /** Where an entry is, and the term of the leader that made it. */
    record EntryId(long index, long term) {}

    record Entry(long term, ByteBuffer command) {}

    /** The term, who has this node's vote in it (0: nobody), and the last entry of the snapshot, before the log. */
    record State(long term, long votedFor, EntryId snapshot) {}

    /** The log and the state of one Raft group. A change answers by a future: when no power cut can take it back. */
    static final class RaftLog {

        private final StoreLogger store;
        private final int group; // of many in the store
        State state; // of the group's thread, as the next two
        EntryId last; // or the snapshot's, if there is none behind it
        private long end; // of the group's last change

        RaftLog(StoreLogger store, int group) {
            this.store = store;
            this.group = group;
            ByteBuffer value = store.get(key(0));
            ByteBuffer numbers = value == null ? ByteBuffer.allocate(32) : value; // no term, no vote, no snapshot
            state = new State(numbers.getLong(), numbers.getLong(), new EntryId(numbers.getLong(), numbers.getLong()));
            try (StoreScan scan = store.scan(entriesFrom(1), Direction.BACKWARD)) {
                last = scan.next() ? new EntryId(index(scan), scan.value().getLong()) : state.snapshot;
            }
            end = store.position(); // a kill leaves what is not synced: answers wait for that too
        }

        /** A candidate whose log is not behind, or this node, asks for the vote of a term: one gets it. */
        CompletableFuture<Boolean> vote(long term, long candidate) {
            boolean isGiven = state.votedFor != 0 && state.votedFor != candidate;
            boolean isFree = term > state.term || term == state.term && !isGiven;
            if (isFree) {
                change(new State(term, candidate, state.snapshot), null, last, List.of());
            }
            return whenSafe(isFree);
        }

        /** AppendEntries: false if the leader's term is over, or if the entry before these is not here. */
        CompletableFuture<Boolean> append(long term, EntryId previous, List<Entry> entries) {
            boolean fits = term >= state.term && has(previous);
            int known = fits ? 0 : entries.size(); // so many are here already, or must not come here
            while (known < entries.size() && has(new EntryId(previous.index + known + 1, entries.get(known).term))) {
                known++;
            }
            List<Entry> fresh = entries.subList(known, entries.size());
            EntryId before = fresh.isEmpty() ? last : new EntryId(previous.index + known, 0);
            KeyRange cut = before.index < last.index ? entriesFrom(before.index + 1) : null; // of another leader
            change(term > state.term ? new State(term, 0, state.snapshot) : state, cut, before, fresh);
            return whenSafe(fits);
        }

        /** A leader's own entries, which may be sent at once. The future says up to which index it may count itself. */
        CompletableFuture<Long> propose(List<Entry> entries) {
            change(state, null, last, entries);
            return whenSafe(last.index);
        }

        /** A snapshot, this node's or a leader's, has all up to {@code id}, and is on the device. */
        CompletableFuture<Long> compactTo(EntryId id) {
            if (id.index > state.snapshot.index) {
                boolean goesOn = has(id); // else nothing of the log follows it
                KeyRange cut = goesOn ? KeyRange.between(key(1), key(id.index + 1)) : entriesFrom(1);
                change(new State(state.term, state.votedFor, id), cut, goesOn ? last : id, List.of());
            }
            return whenSafe(state.snapshot.index);
        }

        /** Sets the state, cuts a range, and appends after {@code before}: all of it or nothing, as one record. */
        private void change(State next, @Nullable KeyRange cut, EntryId before, List<Entry> entries) {
            try (Transaction transaction = store.begin()) {
                if (!next.equals(state)) {
                    transaction.put(
                            key(0), longBytes(next.term, next.votedFor, next.snapshot.index, next.snapshot.term));
                }
                if (cut != null) {
                    transaction.removeRange(cut);
                }
                for (int i = 0; i < entries.size(); i++) {
                    transaction.put(key(before.index + 1 + i), value(entries.get(i)));
                }
                if (transaction.changes() > 0) {
                    end = transaction.commit(Durability.BUFFERED);
                }
            }
            state = next;
            int count = entries.size();
            last = count == 0 ? before : new EntryId(before.index + count, entries.get(count - 1).term);
        }

        private <T> CompletableFuture<T> whenSafe(T answer) {
            return store.reached(end, Durability.SYNCED).thenApply(synced -> answer);
        }
        // end

        // snippet: patterns-raft-read
        /** For any thread; null if it is not there, or not any more. */
        @Nullable
        Entry entry(long index) {
            ByteBuffer value = store.get(key(index));
            return value == null ? null : new Entry(value.getLong(), value);
        }

        /** For any thread: until they have {@code maxBytes}; none if the first one is not there, or not any more. */
        List<Entry> entries(long from, int maxBytes) {
            List<Entry> entries = new ArrayList<>();
            int bytes = 0;
            try (StoreScan scan = store.scan(entriesFrom(from), Direction.FORWARD)) {
                while (bytes < maxBytes && scan.next() && index(scan) == from + entries.size()) {
                    ByteBuffer value = scan.value();
                    bytes += value.remaining();
                    entries.add(new Entry(value.getLong(), value));
                }
            }
            return entries;
        }

        /** From the last entry of the snapshot on. */
        long termOf(long index) {
            EntryId snapshot = state.snapshot;
            return index == last.index ? last.term : index == snapshot.index ? snapshot.term : entry(index).term;
        }

        /** What a snapshot has is committed: all leaders have it. */
        private boolean has(EntryId id) {
            return id.index <= state.snapshot.index || id.index <= last.index && id.term == termOf(id.index);
        }

        /** Big-endian, so that entries are in the order of their indexes, which begin with 1. The state has index 0. */
        private byte[] key(long index) {
            return ByteBuffer.allocate(12).putInt(group).putLong(index).array();
        }

        private static long index(StoreScan scan) {
            return scan.key().order(ByteOrder.BIG_ENDIAN).getLong(4);
        }

        private KeyRange entriesFrom(long index) {
            return KeyRange.between(key(index), key(Long.MAX_VALUE));
        }

        private static ByteBuffer value(Entry entry) {
            ByteBuffer value = ByteBuffer.allocate(Long.BYTES + entry.command.remaining());
            return value.order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(entry.term)
                    .put(entry.command.duplicate())
                    .flip();
        }
        // end
    }

    private final CrashableStorage storage = new CrashableStorage();
    private final HeldSyncs syncs = new HeldSyncs();
    private final List<String> events = new ArrayList<>();
    private final Executor groupThread = Runnable::run;
    private StoreLogger store;
    private RaftLog log;

    @BeforeEach
    void open() {
        LogConfig config =
                LogConfig.builder(Path.of("memory")).segmentLength(SEGMENT).build();
        store = StoreLogger.open(
                StoreConfig.builder(config)
                        .checkpointPercent(0)
                        .maxSpaceRatio(0)
                        .build(),
                storage,
                storage);
        log = new RaftLog(store, 7);
        storage.hook(syncs);
    }

    @AfterEach
    void close() {
        syncs.releaseAll();
        store.close();
    }

    private static List<Entry> entries(long term, String... commands) {
        return Stream.of(commands)
                .map(command -> new Entry(term, ByteBuffer.wrap(command.getBytes(UTF_8))))
                .toList();
    }

    private static String text(Entry entry) {
        return entry.term + " " + UTF_8.decode(entry.command.duplicate());
    }

    private List<String> texts(long from) {
        return log.entries(from, Integer.MAX_VALUE).stream()
                .map(RaftPatternTest::text)
                .toList();
    }

    private boolean append(long term, EntryId previous, List<Entry> entries) {
        return log.append(term, previous, entries).join();
    }

    @Test
    void shouldCutWhatAnotherLeaderHasAppended() {
        EntryId none = new EntryId(0, 0);
        assertThat(append(1, none, entries(1, "a", "b", "c"))).isTrue();
        assertThat(append(1, none, entries(1, "a", "b"))).as("an old message").isTrue();
        assertThat(texts(1)).containsExactly("1 a", "1 b", "1 c");
        assertThat(append(3, new EntryId(2, 2), entries(3, "x"))).isFalse();
        assertThat(append(3, new EntryId(4, 1), entries(3, "x"))).isFalse();
        assertThat(texts(1)).containsExactly("1 a", "1 b", "1 c");
        assertThat(log.state).isEqualTo(new State(3, 0, none));
        assertThat(append(3, new EntryId(1, 1), entries(3, "d"))).isTrue();
        assertThat(texts(1)).containsExactly("1 a", "3 d");
        assertThat(append(2, none, entries(2, "late"))).isFalse();
        assertThat(log.last).isEqualTo(new EntryId(2, 3));
    }

    @Test
    void shouldVoteOnceInATerm() {
        assertThat(log.vote(1, 11).join()).isTrue();
        assertThat(log.vote(1, 12).join()).isFalse();
        assertThat(log.vote(1, 11).join()).isTrue();
        assertThat(log.vote(2, 12).join()).isTrue();
        assertThat(log.vote(1, 11).join()).isFalse();
        assertThat(log.vote(3, 0).join()).as("a term without a vote").isTrue();
        assertThat(log.vote(3, 11).join()).isTrue();
    }

    @Test
    void shouldGoOnBehindASnapshot() {
        append(1, new EntryId(0, 0), entries(1, "a", "b", "c"));
        assertThat(log.compactTo(new EntryId(2, 1)).join()).isEqualTo(2);
        assertThat(log.entry(2)).isNull();
        assertThat(texts(2)).as("the first one is gone").isEmpty();
        assertThat(texts(3)).containsExactly("1 c");
        assertThat(log.termOf(2)).isEqualTo(1);
        assertThat(log.compactTo(new EntryId(3, 2)).join()).as("of a leader").isEqualTo(3);
        assertThat(texts(3)).isEmpty();
        assertThat(log.last).isEqualTo(new EntryId(3, 2));
        assertThat(append(2, new EntryId(1, 1), entries(2, "b", "c", "d"))).isTrue();
        assertThat(texts(4)).containsExactly("2 d");
        RaftLog again = new RaftLog(store, 7);
        assertThat(again.state).isEqualTo(log.state).isEqualTo(new State(2, 0, new EntryId(3, 2)));
        assertThat(again.last).isEqualTo(log.last);
    }

    // snippet: patterns-raft-lead
    /** Does not wait for the device: followers write these entries while the leader does. */
    private void lead(List<Entry> entries) {
        EntryId previous = log.last;
        CompletableFuture<Long> own = log.propose(entries);
        send(log.state.term, previous, entries); // to all followers
        own.thenAcceptAsync(index -> count(index), groupThread); // now the leader is one of those that have them
    }
    // end

    private void send(long term, EntryId previous, List<Entry> entries) {
        entries.forEach(entry -> events.add("sent in " + term + " behind " + previous.index + ": " + text(entry)));
    }

    private void count(long index) {
        events.add("counted " + index);
    }

    @Test
    void shouldSendBeforeTheDeviceHasTheEntries() {
        log.vote(4, 11).join();
        syncs.hold();
        lead(entries(4, "a", "b"));
        syncs.awaitHeld();
        assertThat(events).containsExactly("sent in 4 behind 0: 4 a", "sent in 4 behind 0: 4 b");
        assertThat(texts(1)).containsExactly("4 a", "4 b");
        syncs.release();
        Await.until("it counts itself", () -> events.size() == 3);
        assertThat(events).last().isEqualTo("counted 2");
    }
}
