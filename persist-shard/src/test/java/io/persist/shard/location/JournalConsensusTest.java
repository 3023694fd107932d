package io.persist.shard.location;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.log.LogConfig;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.journal.JournalConsensus;
import io.persist.shard.location.journal.JournalProvider;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class JournalConsensusTest extends ConsensusContract {

    private static final StoreConfig SMALL = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build())
            .build();

    private static final Version TOO_LONG = new Version(0, new byte[1 << 17]);

    private static final String DATA = "x".repeat(1_000);

    @TempDir
    private Path directory;

    @Override
    protected Consensus open() {
        return Locations.consensus("journal://" + directory);
    }

    @Override
    protected boolean survives() {
        return true;
    }

    private static JournalConsensus over(io.persist.file.Storage storage) {
        return JournalConsensus.over(StoreLogger.open(SMALL, storage, storage));
    }

    private static boolean set(Consensus consensus, String key, long number) {
        return consensus.compareAndSet(key, number - 1, new Version(number, new byte[100]));
    }

    @Test
    void shouldSyncOnceForEachCompareAndSet() {
        try (JournalConsensus consensus = over(new CrashableStorage())) {
            set(consensus, "k", 0);
            long before = consensus.store().logStatistics().syncs();
            for (int i = 1; i <= 20; i++) {
                assertThat(set(consensus, "k", i)).isTrue();
            }
            assertThat(consensus.store().logStatistics().syncs() - before).isEqualTo(20);
        }
    }

    /** While one sync is under way the versions of other keys gather, and the next one serves them all. */
    @Test
    void shouldShareSyncsAmongKeys() throws Exception {
        int threads = 8;
        CrashableStorage storage = new CrashableStorage();
        try (JournalConsensus consensus = over(storage)) {
            set(consensus, "k", 0);
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                String key = "k" + t;
                all.add(new Thread(() -> set(consensus, key, 0)));
            }
            AtomicBoolean isFirst = new AtomicBoolean(true);
            long before = consensus.store().logStatistics().syncs();
            storage.hook((number, what) -> {
                if (all.contains(Thread.currentThread()) && isFirst.compareAndSet(true, false)) {
                    Await.until("all have put", () -> consensus.store().size() == threads + 1);
                }
            });
            all.forEach(Thread::start);
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(consensus.keys()).hasSize(threads + 1);
            assertThat(consensus.store().logStatistics().syncs() - before).isBetween(1L, 3L);
        }
    }

    @Test
    void shouldSayNothingMoreAfterAFailedWrite() {
        CrashableStorage memory = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(memory);
        JournalConsensus consensus = over(faulty);
        set(consensus, "k", 0);
        FutureTask<Boolean> waiting = new FutureTask<>(() -> {
            consensus.awaitChange("k", 0, Duration.ofHours(1), () -> {});
            return true;
        });
        new Thread(waiting).start();
        faulty.failFrom(Verb.FORCE, 1);
        faulty.failFrom(Verb.SYNC, 1);
        assertThatThrownBy(() -> set(consensus, "k", 1)).isInstanceOf(IndeterminateException.class);
        assertThatThrownBy(() -> set(consensus, "k", 1)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> consensus.head("k")).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> consensus.scan("k", 0, 1)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(DeterminateException.class);
    }

    /** Several clients of a process have one journal. Each does as it is told, and not all at the same time. */
    @Test
    void shouldBeOpenedAnewByEachOfItsHandlesAfterAFailedWrite() {
        CrashableStorage memory = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(memory);
        Shared<Consensus> all = JournalProvider.shared();
        Consensus one = new SharedConsensus(all, "j", () -> over(faulty));
        Consensus two = new SharedConsensus(all, "j", () -> over(faulty));
        set(one, "k", 0);
        faulty.failFrom(Verb.FORCE, 1);
        faulty.failFrom(Verb.SYNC, 1);
        assertThatThrownBy(() -> set(one, "k", 1)).isInstanceOf(IndeterminateException.class);
        one.close();
        faulty.heal();
        Consensus anew = new SharedConsensus(all, "j", () -> over(faulty));
        long last = anew.head("k").number();
        assertThat(set(anew, "k", last + 1)).isTrue();
        assertThatThrownBy(() -> two.head("k")).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> two.scan("k", 0, 1)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> set(two, "k", last + 2)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> two.truncate("k", 0)).isInstanceOf(DeterminateException.class);
        Consensus beside = new SharedConsensus(all, "j", () -> over(memory));
        two.close();
        assertThat(set(anew, "k", last + 2))
                .as("it is not the one that was closed")
                .isTrue();
        anew.close();
        assertThat(beside.head("k").number()).isEqualTo(last + 2);
        assertThat(set(beside, "k", last + 3)).isTrue();
        beside.close();
        try (JournalConsensus alone = over(memory)) {
            assertThat(alone.head("k").number())
                    .as("the last one has closed it")
                    .isEqualTo(last + 3);
        }
    }

    /** Else who opens it anew gets the one that has failed, and the first version that it makes may have happened. */
    @Test
    void shouldBeOpenedAnewAfterAFailureOfTheStoreAlone() {
        FaultyStorage faulty = new FaultyStorage(new CrashableStorage());
        Shared<Consensus> all = JournalProvider.shared();
        JournalConsensus journal = over(faulty);
        Consensus old = new SharedConsensus(all, "j", () -> journal);
        set(old, "k", 0);
        set(old, "k", 1);
        assertThat(old.truncate("k", 1)).as("it waits for no sync").isEqualTo(1);
        faulty.failFrom(Verb.FORCE, 1);
        faulty.failFrom(Verb.SYNC, 1);
        assertThatThrownBy(() -> journal.store().sync()).isInstanceOf(PersistException.class);
        faulty.heal();
        assertThatThrownBy(() -> set(old, "k", 2)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> old.truncate("k", 1)).isInstanceOf(DeterminateException.class);
        try (Consensus anew = new SharedConsensus(all, "j", () -> over(faulty))) {
            assertThat(set(anew, "k", 2)).isTrue();
            assertThatThrownBy(() -> old.head("k")).isInstanceOf(DeterminateException.class);
            old.close();
            assertThat(set(anew, "k", 3)).isTrue();
        }
    }

    @Test
    void shouldRefuseAVersionThatIsLongerThanASegment() {
        try (JournalConsensus consensus = over(new CrashableStorage())) {
            assertThatThrownBy(() -> consensus.compareAndSet("k", -1, TOO_LONG))
                    .isInstanceOf(DeterminateException.class);
            assertThat(consensus.head("k")).isNull();
            assertThat(set(consensus, "k", 0)).isTrue();
        }
    }

    /** Nor of one whose first version was refused. */
    @Test
    void shouldKeepNothingOfKeysThatHaveNoVersion() throws Exception {
        try (JournalConsensus consensus = over(new CrashableStorage())) {
            assertThatThrownBy(() -> consensus.compareAndSet("refused", -1, TOO_LONG))
                    .isInstanceOf(DeterminateException.class);
            assertKeepsNothingOfKeysThatHaveNoVersion(consensus, "newest");
        }
    }

    /** What is known of the key goes with the one that was refused: the other thread may have found it before. */
    @Test
    void shouldMakeAFirstVersionBesideOneThatIsRefused() throws Exception {
        try (JournalConsensus consensus = over(new CrashableStorage())) {
            for (int i = 0; i < 200; i++) {
                String key = "k" + i;
                FutureTask<Boolean> refused = new FutureTask<>(() -> consensus.compareAndSet(key, -1, TOO_LONG));
                Thread beside = new Thread(refused);
                beside.start();
                assertThat(set(consensus, key, 0)).isTrue();
                beside.join();
                assertThat(consensus.head(key)).as(key).isNotNull();
                assertThat(set(consensus, key, 1)).as(key).isTrue();
            }
        }
    }

    @Test
    void shouldTakeAsManyBytesAsItSays() {
        String key = "k".repeat(Blob.MAX_NAME);
        try (JournalConsensus consensus = over(new CrashableStorage())) {
            int most = consensus.mostBytes();
            assertThat(most).isBetween(60_000, 1 << 16);
            assertThatThrownBy(() -> consensus.compareAndSet(key, -1, new Version(0, new byte[most + 1])))
                    .isInstanceOf(DeterminateException.class);
            assertThat(consensus.compareAndSet(key, -1, new Version(0, new byte[most])))
                    .isTrue();
        }
        try (Consensus shared = open()) {
            assertThat(shared.mostBytes()).isBetween(31 << 20, 32 << 20);
        }
    }

    @Test
    void shouldRefuseAUriThatHasMoreThanADirectory() {
        assertThatThrownBy(() -> Locations.consensus("journal://" + directory + "/run#1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("; in its name write %23 for # and %3F for ?");
        assertThat(directory.resolve("run")).doesNotExist();
        Locations.consensus("journal://" + directory + "/run%231").close();
        assertThat(directory.resolve("run#1")).isDirectory();
    }

    /** By its letters {@code link/../run} would be another directory. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldBeSharedByAllPathsOfTheDirectory() throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("a/b"));
        try (Consensus consensus = Locations.consensus("journal://" + link + "/../run")) {
            assertThat(directory.resolve("a/run")).isDirectory();
            assertThat(directory.resolve("run")).doesNotExist();
            assertThat(set(consensus, "key", 0)).isTrue();
            Path other = Files.createSymbolicLink(directory.resolve("other"), directory.resolve("a/run"));
            try (Consensus same = Locations.consensus("journal://" + other)) {
                assertThat(set(same, "key", 1)).isTrue();
            }
        }
    }

    @Test
    void shouldRefuseAStoreOfSomethingElse() {
        CrashableStorage storage = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(SMALL, storage, storage)) {
            store.put(new byte[] {'a'}, new byte[0]);
            assertThatThrownBy(() -> JournalConsensus.over(store)).isInstanceOf(DamagedShardException.class);
        }
    }

    @Test
    void shouldSayThatAFullDiskHasTakenNothing() {
        CrashableStorage storage = new CrashableStorage();
        try (JournalConsensus consensus = over(storage)) {
            set(consensus, "k", 0);
            storage.fillUp();
            long[] last = {0};
            assertThatThrownBy(() -> {
                        while (set(consensus, "k", last[0] + 1)) {
                            last[0]++;
                        }
                    })
                    .isInstanceOf(DeterminateException.class);
            assertThat(consensus.head("k").number()).isEqualTo(last[0]);
            assertThat(consensus.scan("k", last[0], 10)).hasSize(1);
        }
    }

    /** The store has not failed: it goes on when files can be made again. */
    @Test
    void shouldSayThatAJournalWithoutItsNextFileHasTakenNothing() {
        FaultyStorage faulty = new FaultyStorage(new CrashableStorage()).message("Too many open files");
        try (JournalConsensus consensus = over(faulty)) {
            set(consensus, "k", 0);
            faulty.failFrom(Verb.CREATE, 1);
            long[] last = {0};
            assertThatThrownBy(() -> {
                        while (set(consensus, "k", last[0] + 1)) {
                            last[0]++;
                        }
                    })
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("Too many open files");
            assertThat(consensus.head("k").number()).isEqualTo(last[0]);
            assertThat(consensus.scan("k", last[0], 10)).hasSize(1);
            faulty.heal();
            assertThat(set(consensus, "k", last[0] + 1)).isTrue();
            assertThat(consensus.scan("k", last[0], 10)).hasSize(2);
        }
    }

    /** It stays so however often it is tried: only another copy helps. */
    @Test
    void shouldSayThatAVersionIsDamaged() {
        CrashableStorage storage = new CrashableStorage();
        try (JournalConsensus consensus = over(storage)) {
            set(consensus, "k", 0);
            consensus.compareAndSet("k", 0, new Version(1, DATA.getBytes(ISO_8859_1)));
            storage.damage(DATA);
            assertThatThrownBy(() -> consensus.scan("k", 0, 10))
                    .isInstanceOf(DamagedShardException.class)
                    .hasCauseInstanceOf(CorruptLogException.class)
                    .hasMessageStartingWith("key=k: the journal is damaged, file=")
                    .hasMessageEndingWith("; restore the journal from a backup");
            assertThatThrownBy(() -> JournalConsensus.over(consensus.store()))
                    .as("it is the newest one")
                    .isInstanceOf(DamagedShardException.class);
            assertThat(consensus.scan("k", 0, 1)).as("what is whole").hasSize(1);
            assertThat(set(consensus, "other", 0)).isTrue();
        }
    }
}
