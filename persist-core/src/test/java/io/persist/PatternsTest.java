package io.persist;

import static io.persist.support.Buffers.longBytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/patterns.md shows, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(60)
class PatternsTest {

    private static final int SEGMENT = 1 << 20;

    @TempDir
    private Path directory;

    // snippet: patterns-events
    /** Balances of accounts: the events are the truth, the state is what they have made of it so far. */
    static final class Accounts {

        private static final byte[] REACHED = "reached".getBytes(UTF_8);

        private final MessageLogger events;
        private final StoreLogger state;

        /** Whether an event may have happened that the state does not have: a crash, or an error, came in between. */
        private boolean isBehind = true;

        Accounts(MessageLogger events, StoreLogger state) {
            this.events = events;
            this.state = state;
        }

        private static byte[] key(String account) {
            return ("account/" + account).getBytes(UTF_8);
        }

        long balance(String account) {
            return balance(key(account));
        }

        private long balance(byte[] key) {
            ByteBuffer balance = state.get(key);
            return balance == null ? 0 : balance.getLong();
        }

        /** A command decides by the state, stores what has happened, and only then changes the state. */
        boolean change(String account, long amount) {
            catchUp();
            if (balance(account) + amount < 0) {
                return false; // refused: nothing has happened
            }
            byte[] key = key(account);
            ByteBuffer event = ByteBuffer.allocate(Long.BYTES + key.length).order(ByteOrder.LITTLE_ENDIAN);
            event.putLong(amount).put(key).flip();
            isBehind = true;
            long end = events.append(event);
            events.commit(Durability.SYNCED); // from here on it has happened
            apply(event, end);
            isBehind = false;
            return true;
        }

        /** The state can be made anew from the events, so its commits need not wait for the device. */
        private void apply(ByteBuffer event, long end) {
            long amount = event.getLong();
            byte[] key = new byte[event.remaining()];
            event.get(key);
            try (Transaction transaction = state.begin()) {
                transaction.put(key, longBytes(balance(key) + amount));
                transaction.put(REACHED, longBytes(events.logId(), end)); // both, or none of them
                transaction.commit(Durability.BUFFERED);
            }
        }

        /** Brings the state up to the events, if it is not known to be there. */
        void catchUp() {
            if (!isBehind) {
                return;
            }
            events.sync(); // a kill leaves events that are not synced; the state must never be ahead of them
            try (Tailer tailer = events.tailer("state")) {
                ByteBuffer reached = state.get(REACHED);
                if (reached == null) {
                    tailer.toSequence(1); // wherever the cursor is: a new state needs all events
                } else if (reached.getLong() != events.logId()) {
                    throw new IllegalStateException("the state is of other events: delete it");
                } else {
                    tailer.toPosition(reached.getLong());
                }
                while (tailer.next()) {
                    apply(tailer.payload(), tailer.nextPosition());
                }
                state.put(REACHED, longBytes(events.logId(), tailer.nextPosition())); // just what the cursor stores
                state.sync();
                tailer.store(); // what lies before can be retired: the state has it
            }
            isBehind = false;
        }
    }
    // end

    private MessageLogger events() {
        return MessageLogger.open(LogConfig.builder(directory.resolve("events"))
                .segmentLength(SEGMENT)
                .build());
    }

    private StoreLogger state(String name) {
        return StoreLogger.open(StoreConfig.builder(LogConfig.builder(directory.resolve(name))
                        .segmentLength(SEGMENT)
                        .build())
                .build());
    }

    @Test
    void shouldMakeTheStateFromTheEvents() {
        try (MessageLogger events = events();
                StoreLogger state = state("state")) {
            Accounts accounts = new Accounts(events, state);
            accounts.catchUp();
            assertThat(accounts.change("anna", 100)).isTrue();
            assertThat(accounts.change("anna", -101)).isFalse();
            assertThat(accounts.change("anna", -30)).isTrue();
            assertThat(accounts.change("ben", 5)).isTrue();
            // As if the process were killed behind the commit of an event.
            events.append(ByteBuffer.allocate(19)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(7)
                    .put("account/ben".getBytes(UTF_8))
                    .flip());
            events.commit(Durability.SYNCED);
            assertThat(accounts.balance("ben")).isEqualTo(5);
        }

        for (String place : List.of("state", "state", "anew")) {
            try (MessageLogger events = events();
                    StoreLogger state = state(place)) {
                Accounts accounts = new Accounts(events, state);
                accounts.catchUp();
                assertThat(accounts.balance("anna")).as(place).isEqualTo(70);
                assertThat(accounts.balance("ben")).as(place).isEqualTo(12);
            }
        }
    }

    /** An event has happened although the state could not be changed; the next one must not pass over it. */
    @Test
    void shouldCatchUpAfterAnEventThatDidNotComeToTheState() {
        try (MessageLogger events = events();
                StoreLogger state = state("state")) {
            Accounts accounts = new Accounts(events, state);
            accounts.change("anna", 1);
            try (Transaction other = state.begin()) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> accounts.change("anna", 10))
                        .withMessageContaining("transaction");
                other.rollback();
            }
            assertThat(accounts.balance("anna")).isEqualTo(1);
            assertThat(accounts.change("anna", 100)).isTrue();
            assertThat(accounts.balance("anna")).isEqualTo(111);
        }
    }

    /** The cursor is behind the seal of a segment by then, and retention takes what lies before. */
    @Test
    void shouldHaveReachedWhatItsCursorHas() {
        try (MessageLogger events = events();
                StoreLogger state = state("state")) {
            new Accounts(events, state).change("anna", 1);
            events.roll();
            new Accounts(events, state).catchUp();
            ByteBuffer reached = state.get("reached".getBytes(UTF_8));
            assertThat(reached.getLong(Long.BYTES))
                    .isEqualTo(LogMonitor.open(directory.resolve("events"))
                            .read()
                            .cursors()
                            .get("state"));
        }
    }

    @Test
    void shouldRefuseAStateOfOtherEvents() {
        try (MessageLogger events = events();
                StoreLogger state = state("state")) {
            state.put("reached".getBytes(UTF_8), longBytes(events.logId() + 1, 64));
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> new Accounts(events, state).catchUp())
                    .withMessage("the state is of other events: delete it");
        }
    }

    // snippet: patterns-merge
    /** Reads several logs as one. Each record begins with its time, and the times of a log never decrease. */
    static final class Merged {

        private final List<Tailer> tailers;
        private final boolean[] hasRecord;
        private final long[] times; // of the records that they are at

        Merged(List<Tailer> tailers) {
            this.tailers = tailers;
            this.hasRecord = new boolean[tailers.size()];
            this.times = new long[tailers.size()];
        }

        /** The tailer that is at the next record; null as long as some log may still get one with an earlier time. */
        @Nullable
        Tailer next() {
            int first = 0;
            for (int i = 0; i < times.length; i++) {
                if (!hasRecord[i]) {
                    if (!tailers.get(i).next()) {
                        return null; // it has said nothing yet of the time that comes next
                    }
                    hasRecord[i] = true;
                    times[i] = tailers.get(i).payload().getLong();
                }
                if (times[i] < times[first]) { // the order of the list decides between equal times
                    first = i;
                }
            }
            hasRecord[first] = false;
            return tailers.get(first);
        }
    }
    // end

    @Test
    void shouldReadSeveralLogsAsOne() {
        LogConfig left = LogConfig.builder(directory.resolve("left"))
                .segmentLength(SEGMENT)
                .build();
        LogConfig right = LogConfig.builder(directory.resolve("right"))
                .segmentLength(SEGMENT)
                .build();
        TailerConfig synced = TailerConfig.builder().readScope(ReadScope.SYNCED).build();
        try (MessageLogger one = MessageLogger.open(left);
                MessageLogger other = MessageLogger.open(right);
                Tailer ofOne = Tailer.open(left.directory(), synced);
                Tailer ofOther = Tailer.open(right.directory(), synced)) {
            Merged merged = new Merged(List.of(ofOne, ofOther));
            List<String> seen = new ArrayList<>();

            append(one, 1, 4, 4, 9);
            assertThat(drain(merged, ofOne, seen)).as("of a log that is silent").isEmpty();
            append(other, 2, 4, 8);
            assertThat(drain(merged, ofOne, seen))
                    .containsExactly("one 1", "other 2", "one 4", "one 4", "other 4", "other 8");
            append(other, 9); // a heartbeat
            assertThat(drain(merged, ofOne, seen)).endsWith("other 8", "one 9");
            append(one, 10);
            assertThat(drain(merged, ofOne, seen)).endsWith("one 9", "other 9");
        }
    }

    private static void append(MessageLogger logger, long... times) {
        for (long time : times) {
            logger.append(longBytes(time));
        }
        logger.commit(Durability.SYNCED);
    }

    private static List<String> drain(Merged merged, Tailer one, List<String> seen) {
        for (Tailer tailer = merged.next(); tailer != null; tailer = merged.next()) {
            seen.add((tailer == one ? "one " : "other ") + tailer.payload().getLong());
        }
        return seen;
    }
}
