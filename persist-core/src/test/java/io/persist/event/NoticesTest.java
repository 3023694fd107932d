package io.persist.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.format.PersistVersion;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.store.StoreConfig;
import io.persist.support.DeadLog;
import io.persist.support.Docs;
import io.persist.support.HeardNotices;
import io.persist.support.HeardNotices.Notice;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What the application's logging is told. */
class NoticesTest {

    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(1001);

    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    private final CrashableStorage storage = new CrashableStorage();

    /** Without what is said of slow syncs: where this thread has no CPU for a second, any sync may be one. */
    private static List<Notice> during(Runnable action) {
        return HeardNotices.during("memory", action).stream()
                .filter(notice -> !isOfASync(notice))
                .toList();
    }

    private static boolean isOfASync(Notice notice) {
        return notice.logger().equals("io.persist.sync");
    }

    private static List<Notice> duringOpen(Storage storage, RecoveryReport[] report) {
        return during(() -> {
            try (Log log = Log.open(CONFIG, storage)) {
                report[0] = log.recovery();
                Records.append(log, 3);
                log.commit(Durability.SYNCED);
            }
        });
    }

    @Test
    void shouldSayEachOpening() {
        RecoveryReport[] report = new RecoveryReport[1];
        for (int life = 0; life < 2; life++) {
            assertThat(duringOpen(storage, report))
                    .containsExactly(new Notice(
                            "io.persist.open",
                            Level.DEBUG,
                            "log memory: " + report[0].describe() + ", by Persist " + PersistVersion.NAME,
                            null));
        }
    }

    @Test
    void shouldSayThatAWriterWasKilled() {
        Log log = Log.open(CONFIG, storage);
        Records.append(log, 10);
        CrashableStorage after = DeadLog.kill(log, storage);
        RecoveryReport[] report = new RecoveryReport[1];
        List<Notice> heard = duringOpen(after, report);
        assertThat(report[0].cut().bytes()).isZero();
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0).level()).isEqualTo(Level.INFO);
        assertThat(heard.get(0).text()).contains("writer was killed").contains("nothing cut");
    }

    @Test
    void shouldWarnOfWhatARecoveryCut() {
        Log log = Log.open(CONFIG, storage);
        Records.append(log, 10);
        int end = (int) log.positions().published();
        CrashableStorage after = DeadLog.kill(log, storage);
        byte[] torn = after.content(LogFileName.segment(0));
        torn[end + 16] = 1; // stored and not published
        after.replace(LogFileName.segment(0), torn);
        RecoveryReport[] report = new RecoveryReport[1];
        List<Notice> heard = duringOpen(after, report);
        assertThat(report[0].cut().bytes()).isPositive();
        assertThat(heard).hasSize(1);
        assertThat(heard.get(0).level()).isEqualTo(Level.WARNING);
        assertThat(heard.get(0).text()).contains("unacknowledged bytes cut");
    }

    @Test
    void shouldSayHowAStoreWasOpened() {
        StoreConfig config = StoreConfig.builder(CONFIG).build();
        List<Notice> heard = during(() -> {
            try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
                assertThat(store.size()).isZero();
            }
        });
        assertThat(heard).allMatch(notice -> notice.level() == Level.DEBUG);
        assertThat(heard.stream().map(Notice::text))
                .hasSize(2)
                .anyMatch(text -> text.startsWith("log memory: new log"))
                .anyMatch(text -> text.startsWith("store memory: no checkpoint"));
    }

    private record OnFileSystem(Storage storage, String fileSystem) implements ForwardingStorage {}

    /** Of a store as well once: its checkpoints are in the same directory. */
    @Test
    void shouldWarnOfAFileSystemOfTheNetworkOnce() {
        Storage remote = new OnFileSystem(storage, "nfs4");
        StoreConfig config = StoreConfig.builder(CONFIG).build();
        List<List<Notice>> openings = List.of(
                during(() -> Log.open(CONFIG, new OnFileSystem(new CrashableStorage(), "nfs4"))
                        .close()),
                during(() -> StoreLogger.open(config, remote, remote).close()));
        assertThat(openings).allSatisfy(heard -> {
            List<Notice> warnings = heard.stream()
                    .filter(notice -> notice.level() != Level.DEBUG)
                    .toList();
            assertThat(warnings).hasSize(1);
            assertThat(warnings.get(0).logger()).isEqualTo("io.persist.filesystem");
            assertThat(warnings.get(0).level()).isEqualTo(Level.WARNING);
            assertThat(warnings.get(0).text())
                    .startsWith("log memory: ")
                    .contains("file system=nfs4", "lock", "SYNCED")
                    .doesNotContain("\n");
        });
        assertThat(during(() -> Log.open(CONFIG, new OnFileSystem(new CrashableStorage(), "ext4"))
                        .close()))
                .allMatch(notice -> notice.level() == Level.DEBUG);
    }

    @Test
    void shouldSayTheFirstFailureOnly() {
        List<Notice> heard = during(() -> {
            Log log = Log.open(CONFIG, storage);
            Records.append(log, 1);
            breakSyncs();
            assertThatThrownBy(log::sync).isInstanceOf(LogIOException.class);
            assertThatThrownBy(log::sync).isInstanceOf(LogIOException.class);
            DeadLog.end(log);
        });
        List<Notice> failures =
                heard.stream().filter(notice -> notice.level() == Level.ERROR).toList();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).logger()).isEqualTo("io.persist.failure");
        assertThat(failures.get(0).text()).startsWith("log memory: ").contains("the device is gone");
        assertThat(failures.get(0).thrown()).isInstanceOf(LogIOException.class);
    }

    private void breakSyncs() {
        storage.hook((number, what) -> {
            if (what.startsWith("force 0")) {
                throw new IOException("the device is gone");
            }
        });
    }

    @Test
    void shouldWarnOfASlowSyncOnce() {
        List<Notice> heard = HeardNotices.during("memory", () -> {
            try (Log log = Log.open(CONFIG, storage)) {
                Records.append(log, 1);
                log.commit(Durability.SYNCED);
                storage.hook((number, what) -> {
                    long startNs = System.nanoTime();
                    while (what.startsWith("force 0") && System.nanoTime() - startNs < SLOW_NS) {
                        LockSupport.parkNanos(SLOW_NS); // the device's time
                    }
                });
                Records.append(log, 1);
                log.commit(Durability.SYNCED);
                storage.hook((number, what) -> {});
                Records.append(log, 1);
                log.commit(Durability.SYNCED);
            }
        });
        List<Notice> slow = heard.stream().filter(NoticesTest::isOfASync).toList();
        assertThat(slow).hasSize(1);
        assertThat(slow.get(0).level()).isEqualTo(Level.WARNING);
        assertThat(slow.get(0).text())
                .containsPattern("a sync took \\d{4,} ms")
                .contains("slow from 1000 ms on")
                .endsWith("since the log was opened: 1");
    }

    @Test
    void shouldSayOnceThatAListenerThrew() {
        Throwable thrown = new StackOverflowError("thrown by the listener");
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        List<Notice> heard = during(() -> {
            try (Log log = Log.open(CONFIG, storage)) {
                log.listen(Durability.SYNCED, position -> {
                    throw NoticesTest.<RuntimeException>unchecked(thrown);
                });
                for (int i = 0; i < 3; i++) {
                    Records.append(log, 1);
                    log.commit(Durability.SYNCED);
                }
                assertThat(log.positions().synced()).isEqualTo(log.position());
            } finally {
                Thread.currentThread().setUncaughtExceptionHandler(before);
            }
        });
        List<Notice> failures = heard.stream()
                .filter(notice -> notice.logger().equals("io.persist.listener"))
                .toList();
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).level()).isEqualTo(Level.ERROR);
        assertThat(failures.get(0).text())
                .startsWith("log memory: a listener of SYNCED positions threw, and is not called again: ")
                .contains("NoticesTest")
                .contains("thrown by the listener");
        assertThat(failures.get(0).thrown()).isSameAs(thrown);
        assertThat(uncaught).isEmpty();
    }

    /** Whatever it throws: the log goes on, and fails as it would without it. */
    @Test
    void shouldNotMindABrokenLogging() {
        int[] asked = {0};
        for (Throwable broken : List.of(new IllegalStateException("broken"), new StackOverflowError())) {
            CrashableStorage each = new CrashableStorage();
            HeardNotices.answering(
                    notice -> {
                        asked[0] += isOfASync(notice) ? 0 : 1;
                        throw NoticesTest.<RuntimeException>unchecked(broken);
                    },
                    () -> {
                        Log log = Log.open(CONFIG, each);
                        Records.append(log, 1);
                        log.commit(Durability.SYNCED);
                        each.hook((number, what) -> {
                            if (what.startsWith("force 0")) {
                                throw new IOException("the device is gone");
                            }
                        });
                        Records.append(log, 1);
                        assertThatThrownBy(log::sync)
                                .isInstanceOf(LogIOException.class)
                                .hasMessageContaining("the device is gone");
                        DeadLog.end(log);
                    });
        }
        assertThat(asked[0]).isEqualTo(4);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** operations.md has each logger, and the levels at which it says something. */
    @Test
    void shouldBeDocumented() {
        List<List<String>> rows = Docs.table("docs/operations.md", "notices");
        assertThat(rows.stream().map(row -> row.get(0) + " " + row.get(1)))
                .containsExactly(
                        Notices.OPEN + " " + Level.DEBUG,
                        Notices.OPEN + " " + Level.INFO,
                        Notices.OPEN + " " + Level.INFO,
                        Notices.OPEN + " " + Level.WARNING,
                        Notices.FILE_SYSTEM + " " + Level.WARNING,
                        Notices.FAILURE + " " + Level.ERROR,
                        Notices.SYNC + " " + Level.WARNING,
                        Notices.SPACE + " " + Level.WARNING,
                        Notices.SPACE + " " + Level.INFO,
                        Notices.STORE + " " + Level.WARNING,
                        Notices.STORE + " " + Level.INFO,
                        Notices.LISTENER + " " + Level.ERROR);
    }
}
