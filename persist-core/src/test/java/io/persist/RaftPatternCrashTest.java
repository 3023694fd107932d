package io.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.RaftPatternNode.Change;
import io.persist.RaftPatternTest.Entry;
import io.persist.RaftPatternTest.EntryId;
import io.persist.RaftPatternTest.RaftLog;
import io.persist.error.LogIOException;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.support.HeldSyncs;
import io.persist.support.InMemory;
import io.persist.support.RaftModel;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.PowerCut;
import io.persist.testkit.UncaughtErrors;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Raft groups of docs/patterns.md do what a model does. Whatever happens at any operation, afterwards they are as
 * they were before a change or after it; and no change is lost that was answered, nor any before it.
 */
@Timeout(300)
class RaftPatternCrashTest {

    private static StoreConfig config(Path directory, int segmentLength) {
        return StoreConfig.builder(LogConfig.builder(directory)
                        .segmentLength(segmentLength)
                        .build())
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
    }

    @Test
    void shouldDoWhatTheModelDoes(@TempDir(factory = InMemory.class) Path directory) {
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            RaftPatternNode node = new RaftPatternNode(random);
            StoreConfig config = config(directory.resolve(Long.toString(seed)), 64 << 10);
            StoreLogger store = StoreLogger.open(config);
            try {
                node.open(store);
                for (int step = 0; step < 2000; step++) {
                    Change change = node.next();
                    CompletableFuture<?> answer = node.make(change);
                    node.read();
                    if (random.nextInt(10) == 0) {
                        assertThat(answer.join()).isEqualTo(change.answer());
                    }
                    int other = random.nextInt(300);
                    if (other == 0) {
                        store.checkpoint();
                    } else if (other == 1) {
                        store.compact(Long.MAX_VALUE);
                    } else if (other < 6) {
                        List<RaftModel> before = List.copyOf(node.models);
                        store.close();
                        assertThat(answer.join()).isEqualTo(change.answer());
                        store = StoreLogger.open(config);
                        assertThat(node.open(store)).isEqualTo(before);
                    }
                }
            } finally {
                store.close();
            }
        });
    }

    /** A kill leaves what no sync has reached: an answer that relies on it waits for one. */
    @Test
    @SuppressWarnings("try")
    void shouldSyncWhatAKillHasLeftBeforeItAnswers() {
        StoreConfig config = config(Path.of("memory"), 64 << 10);
        List<Entry> entries = List.of(new Entry(1, ByteBuffer.allocate(8)));
        HeldSyncs syncs = new HeldSyncs();
        CrashableStorage storage = new CrashableStorage().hook(syncs);
        try (UncaughtErrors ofThreads = new UncaughtErrors()) {
            StoreLogger store = StoreLogger.open(config, storage, storage);
            syncs.hold();
            new RaftLog(store, 1).append(1, new EntryId(0, 0), entries);
            CrashableStorage killed = storage.afterKill();
            end(store, syncs);

            store = StoreLogger.open(config, killed, killed);
            RaftLog log = new RaftLog(store, 1);
            assertThat(log.append(1, new EntryId(0, 0), entries).join()).isTrue();
            CrashableStorage left = killed.crash(new Random(1), Loss.ALL_LOST);
            end(store, syncs);

            try (StoreLogger last = StoreLogger.open(config, left, left)) {
                assertThat(new RaftLog(last, 1).last).isEqualTo(new EntryId(1, 1));
            }
        }
    }

    /** Of a store whose storage is off. */
    private static void end(StoreLogger store, HeldSyncs syncs) {
        syncs.releaseAll();
        assertThatThrownBy(store::close).isInstanceOfAny(PowerCut.class, LogIOException.class);
    }

    /** Changes groups, and knows after which changes they may be. */
    private static final class Script implements CrashScript {

        private static final int CHANGES = 12;

        private final StoreConfig config = config(Path.of("memory"), 4096);
        private final Random random;

        /** What all groups may be after a stop: as they were when the last answer came, or after any later change. */
        private List<List<RaftModel>> possible =
                List.of(Collections.nCopies(RaftPatternNode.GROUPS, RaftModel.empty()));

        Script(long seed) {
            random = new Random(seed);
        }

        @Override
        public void run(Storage storage) {
            RaftPatternNode node = new RaftPatternNode(random);
            try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
                // Later ones are gone. A kill leaves what is not synced, so earlier ones may come yet.
                possible = new ArrayList<>(possible.subList(0, possible.lastIndexOf(node.open(store)) + 1));
                for (int i = 1; i <= CHANGES; i++) {
                    Change change = node.next();
                    possible.add(List.copyOf(node.models));
                    CompletableFuture<?> answer = node.make(change);
                    if (random.nextBoolean()) {
                        assertThat(answer.join()).isEqualTo(change.answer());
                        answered(node.group);
                    }
                    if (i == CHANGES / 3) {
                        store.roll();
                    } else if (i == CHANGES / 2) {
                        store.checkpoint();
                    }
                }
                store.compact(Long.MAX_VALUE);
            }
            possible = possible.subList(possible.size() - 1, possible.size());
        }

        /** No stop takes away what a group is now, nor what came before that; another group may have changed later. */
        private void answered(int group) {
            int first = possible.size() - 1;
            RaftModel now = possible.get(first).get(group);
            while (first > 0 && possible.get(first - 1).get(group).equals(now)) {
                first--;
            }
            possible = new ArrayList<>(possible.subList(first, possible.size()));
        }

        @Override
        public Object check(Storage storage) {
            try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
                List<RaftModel> found = new RaftPatternNode(random).open(store);
                assertThat(possible).as("what the groups may be").contains(found);
                int keys = 0;
                for (RaftModel model : found) {
                    boolean isNew = model.equals(RaftModel.empty().propose(model.entries()));
                    keys += model.entries().size() + (isNew ? 0 : 1);
                }
                try (StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD)) {
                    for (; scan.next(); keys--) {}
                }
                assertThat(keys).as("keys that are missing").isZero();
                return found;
            }
        }
    }

    /** Of changes that no sync has come after, a power cut leaves some of the first ones, each of them whole. */
    @Test
    @SuppressWarnings("try") // the handler is there for the threads
    void shouldShowNoHalfOfAChangeWhereverThePowerCutEndsTheLog() {
        Set<List<RaftModel>> seen = new HashSet<>();
        Seeds.run(3, seed -> {
            Random random = new Random(seed);
            HeldSyncs syncs = new HeldSyncs();
            CrashableStorage storage = new CrashableStorage().hook(syncs);
            StoreConfig config = config(Path.of("memory"), 64 << 10);
            try (UncaughtErrors ofThreads = new UncaughtErrors()) {
                StoreLogger store = StoreLogger.open(config, storage, storage);
                RaftPatternNode node = new RaftPatternNode(random);
                List<List<RaftModel>> possible = new ArrayList<>(List.of(node.open(store)));
                syncs.hold();
                for (int i = 0; i < 40; i++) {
                    Change change = node.next();
                    possible.add(List.copyOf(node.models));
                    node.make(change);
                }
                for (int i = 0; i < 40; i++) {
                    Loss loss = i % 2 == 0 ? Loss.ORDERED_PREFIX : Loss.RANDOM;
                    CrashableStorage left = storage.crash(new Random(random.nextLong()), loss);
                    try (StoreLogger after = StoreLogger.open(config, left, left)) {
                        List<RaftModel> found = new RaftPatternNode(random).open(after);
                        assertThat(possible).as("what the groups may be").contains(found);
                        seen.add(found);
                    }
                }
                end(store, syncs);
            }
        });
        System.out.println(seen.size() + " states were left");
        assertThat(seen).hasSizeGreaterThan(20);
    }

    @Test
    void shouldLoseNoAnswerAndShowNoHalfOfAChangeWhateverHappens() {
        long seed = Seeds.seed();
        CrashExplorer explorer = CrashExplorer.of(() -> new Script(seed));

        Exploration tried = Seeds.lessInABuild(explorer, seed).randomLives(5).explore();

        System.out.println(tried);
        assertThat(tried.points() - tried.unreached()).isGreaterThan(15);
    }
}
