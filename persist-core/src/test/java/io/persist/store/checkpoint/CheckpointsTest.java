package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage.Scope;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.CountingStorage;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointsTest {

    private static final List<Entry> ENTRIES = List.of(entry("a", 64, 1), entry("b", 100, 2));

    private final CrashableStorage storage = new CrashableStorage();
    private final Checkpoints checkpoints = new Checkpoints(storage);

    @Test
    void shouldListTheNewestFirstAndNothingElse() throws IOException {
        for (long position : new long[] {64, 1L << 40, 99_999, 100_000}) {
            CheckpointEntries.write(storage, position, ENTRIES);
        }
        storage.replace("00000000000000000000.log", new byte[4096]);
        storage.replace(CheckpointName.temporary(1L << 41), new byte[10]);
        storage.replace("checkpoint.cursor", new byte[10]);
        assertThat(checkpoints.list()).containsExactly(1L << 40, 100_000L, 99_999L, 64L);
    }

    @Test
    void shouldKeepTheTwoNewestThatAreWhole() throws IOException {
        for (long position = 1; position <= 5; position++) {
            CheckpointEntries.write(storage, position, ENTRIES);
            checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
            assertThat(checkpoints.list()).hasSize(position == 1 ? 1 : 2).startsWith(position);
            assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(position - 1);
        }
        assertThat(checkpoints.list()).containsExactly(5L, 4L);
        checkpoints.delete(5);
        assertThat(checkpoints.list()).containsExactly(4L);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isZero();
    }

    @Test
    void shouldSayOnceThatOneWasSetAside() throws IOException {
        CheckpointEntries.write(storage, 64, ENTRIES);
        List<Notice> heard = HeardNotices.during("checkpoint-", () -> {
            checkpoints.trySetAside(64);
            checkpoints.trySetAside(64); // another thread has found it out, too
        });
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0).level()).isEqualTo(Level.WARNING);
        assertThat(heard.get(0).text()).contains("file=" + CheckpointName.of(64) + ".aside");
        assertThat(checkpoints.list()).isEmpty();
    }

    /** {@code scopes} has a letter for each checkpoint, at 10, 20 and so on: w has all nodes, c those that changed. */
    private void write(String scopes) throws IOException {
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            for (int i = 0; i < scopes.length(); i++) {
                history.put(entry("key" + i, i, i));
                history.write(10L * (i + 1), scopes.charAt(i) == 'w' ? Scope.ALL : Scope.CHANGED);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "w, 0, 10",
        "wcc, 0, 10 20 30",
        "ww, 10, 10 20",
        "wcw, 20, 10 20 30",
        "wccwcc, 30, 10 20 30 40 50 60",
        "wwccw, 40, 20 30 40 50",
        "wccwcwcc, 50, 40 50 60 70 80",
        "wcwwcc, 30, 30 40 50 60"
    })
    void shouldKeepTwoChainsAndFallBackToTheEndOfTheOlderOne(String scopes, long fallback, String kept)
            throws IOException {
        write(scopes);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(fallback);
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list().stream().sorted().map(String::valueOf).collect(joining(" ")))
                .isEqualTo(kept);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID))
                .as("after that")
                .isEqualTo(fallback);
        for (long position : checkpoints.list()) {
            assertThat(CheckpointEntries.read(storage, position)).hasSize((int) position / 10);
        }
    }

    /** Or each checkpoint would open a chain of 64 files thousands of times, and so would each opening of the store. */
    @Test
    void shouldReadEachHeaderOnce() throws IOException {
        write("w" + "c".repeat(20) + "w" + "c".repeat(10));
        CountingStorage counting = new CountingStorage(storage);
        Checkpoints counted = new Checkpoints(counting);
        assertThat(counted.fallback(CheckpointEntries.LOG_ID)).isEqualTo(210);
        assertThat(counting.checkpointOpens()).isEqualTo(32);
        assertThat(counted.isWhole(320)).isTrue();
        assertThat(counting.checkpointOpens()).as("those of its chain").isEqualTo(32 + 11);
        counted.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(counting.checkpointOpens()).isEqualTo(32 + 11 + 32);
    }

    /** It may be the one that the others build on; so nothing that they need is deleted. And it is no fallback. */
    @ParameterizedTest
    @CsvSource({
        "wcwc, 30, 0, 10 20 30 40", // so there is one chain less, as far as one knows
        "wcwc, 40, 20, 10 20 30 40",
        "wcwcwc, 50, 20, 10 20 30 40 50 60",
        "wcwcwc, 40, 30, 30 40 50 60"
    })
    void shouldTakeOneThatCannotBeReadForAPartOfTheChainAroundIt(
            String scopes, long damaged, long fallback, String kept) throws IOException {
        write(scopes);
        byte[] content = storage.content(CheckpointName.of(damaged));
        content[CheckpointHeader.CHECKSUM_OFFSET] ^= 1;
        storage.replace(CheckpointName.of(damaged), content);
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list().stream().sorted().map(String::valueOf).collect(joining(" ")))
                .isEqualTo(kept);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(fallback);
    }

    /** It was found to be damaged: what is left of its chain is a part of the newest one, and not the older one. */
    @ParameterizedTest
    @CsvSource({
        "wcwcc, 40, 20", // and not 30
        "wcwccc, 50, 20",
        "wcwcc, 50, 20",
        "wwcwc, 40, 10", // nobody can tell that 30 does not belong to it
        "wcwcc, 30, 0" // nor 20
    })
    void shouldTakeWhatIsLeftOfAChainForAPartOfIt(String scopes, long missing, long fallback) throws IOException {
        write(scopes);
        assertThat(checkpoints.isWhole(10L * scopes.length())).isTrue();
        checkpoints.setAside(missing);
        assertThat(checkpoints.isWhole(10L * scopes.length())).isFalse();
        List<Long> all = checkpoints.list();
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(fallback);
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list()).isEqualTo(all);
    }

    /** It builds on what cannot be read: an opening would not come by without it. */
    @Test
    void shouldNotFallBackOnAChainWithAHole() throws IOException {
        write("wccw");
        byte[] content = storage.content(CheckpointName.of(20));
        content[CheckpointHeader.CHECKSUM_OFFSET] ^= 1;
        storage.replace(CheckpointName.of(20), content);
        assertThat(checkpoints.isWhole(30)).isFalse();
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(10);
        storage.replace(CheckpointName.of(40), content);
        assertThat(checkpoints.isWhole(40)).isFalse();
    }

    /** It is there, but its writer could not tell: the next one does not build on it, and both chains stay. */
    @Test
    void shouldKeepTwoChainsBesideACheckpointThatDoesNotCount() throws IOException {
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            history.put(entry("key", 1, 1));
            history.write(10, Scope.ALL);
            CheckpointHeader counts = history.write(20, Scope.CHANGED);
            history.write(30, Scope.ALL);
            history.forgetNewest(counts);
            history.write(40, Scope.CHANGED);
            checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
            assertThat(checkpoints.list()).containsExactly(40L, 30L, 20L, 10L);
            history.write(50, Scope.ALL);
            assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(40);
            checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
            assertThat(checkpoints.list()).containsExactly(50L, 40L, 30L, 20L, 10L);
            assertThat(CheckpointEntries.read(storage, 40)).hasSize(1);
            history.write(60, Scope.ALL);
            checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
            assertThat(checkpoints.list()).containsExactly(60L, 50L);
        }
    }

    /** It builds on what the newest chain builds on: if that is damaged, it is too. */
    @Test
    void shouldNotFallBackOnABranchOfTheNewestChain() throws IOException {
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            history.put(entry("key", 1, 1));
            history.write(10, Scope.ALL);
            history.write(20, Scope.CHANGED);
            history.write(30, Scope.ALL);
            CheckpointHeader counts = history.write(40, Scope.CHANGED);
            history.write(50, Scope.CHANGED);
            history.forgetNewest(counts);
            history.write(60, Scope.CHANGED);
            assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(20);
            checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
            assertThat(checkpoints.list()).containsExactly(60L, 50L, 40L, 30L, 20L, 10L);
        }
    }

    /** The damaged one was taken away; what builds on it is of no use any more. */
    @Test
    void shouldNotFallBackOnAChainWithoutItsBeginning() throws IOException {
        write("wwccw");
        checkpoints.setAside(20);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(10);
        checkpoints.setAside(10);
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isZero();
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list()).containsExactly(50L, 40L, 30L);
    }

    /** Somebody has moved them here, or they are what another store had in this directory before. */
    @Test
    void shouldLeaveCheckpointsOfOtherLogsAlone() throws IOException {
        write("wcwc");
        long otherLog = 7;
        for (long position : new long[] {5, 35, 70}) {
            CheckpointHeader header = checkpoints.header(otherLog, position, 3, null);
            try (CheckpointWriter writer = checkpoints.create(header, bytes -> {})) {
                CheckpointEntries.finish(writer, ENTRIES);
            }
        }
        assertThat(checkpoints.fallback(CheckpointEntries.LOG_ID)).isEqualTo(20);
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list()).containsExactly(70L, 40L, 35L, 30L, 20L, 10L, 5L);
        CheckpointEntries.write(storage, 50, ENTRIES);
        checkpoints.deleteOlder(CheckpointEntries.LOG_ID);
        assertThat(checkpoints.list()).containsExactly(70L, 50L, 40L, 35L, 30L, 5L);
    }

    @Test
    void shouldSetAsideOnce() throws IOException {
        CheckpointEntries.write(storage, 64, ENTRIES);
        byte[] content = storage.content(CheckpointName.of(64));
        checkpoints.setAside(64);
        checkpoints.setAside(64);
        checkpoints.trySetAside(64);
        assertThat(storage.list()).containsExactly(CheckpointName.of(64) + ".aside");
        assertThat(storage.content(CheckpointName.of(64) + ".aside")).isEqualTo(content);
        assertThat(checkpoints.list()).isEmpty();
    }

    @Test
    void shouldDeleteTemporariesOfCheckpointsOnly() throws IOException {
        CheckpointEntries.write(storage, 1, ENTRIES);
        storage.replace(CheckpointName.temporary(2), new byte[10]);
        storage.replace("billing.cursor.tmp", new byte[10]);
        storage.replace("00000000000000004096.log.tmp", new byte[10]);
        checkpoints.deleteTemporaries();
        assertThat(storage.list())
                .containsExactlyInAnyOrder(CheckpointName.of(1), "billing.cursor.tmp", "00000000000000004096.log.tmp");
    }

    @Test
    void shouldMakeAnotherSaltEachTime() throws IOException {
        CheckpointHeader[] headers = new CheckpointHeader[2];
        for (int i = 0; i < 2; i++) {
            CheckpointHeader header = checkpoints.header(7, 64, 3, null);
            List<Entry> entries = List.of(entry("key" + i, 64, 1));
            try (CheckpointWriter writer = checkpoints.create(header, bytes -> {})) {
                assertThat(CheckpointEntries.finish(writer, entries)).isEqualTo(checkpoints.length(64));
            }
            headers[i] = checkpoints.header(64);
            assertThat(headers[i]).isEqualTo(header);
            assertThat(CheckpointEntries.read(storage, 64))
                    .as("the second one replaces the first one")
                    .isEqualTo(entries);
        }
        assertThat(headers[0].salt()).isNotEqualTo(headers[1].salt());
        assertThat(headers[1].logId()).isEqualTo(7);
        assertThat(headers[1].sequence()).isEqualTo(3);
    }

    /** They may lie in the log's directory: the log leaves them alone, but clears up what was being made. */
    @Test
    void shouldLiveBesideALog() throws IOException {
        LogConfig config =
                LogConfig.builder(Path.of("unused")).segmentLength(4096).build();
        CheckpointEntries.write(storage, 64, ENTRIES);
        storage.replace(CheckpointName.temporary(128), new byte[10]);
        try (Log log = Log.open(config, storage)) {
            log.append(new byte[10], 0, 10);
            log.sync();
        }
        assertThat(storage.list()).doesNotContain(CheckpointName.temporary(128));
        assertThat(checkpoints.list()).containsExactly(64L);
        assertThat(CheckpointEntries.read(storage, 64)).isEqualTo(ENTRIES);
    }
}
