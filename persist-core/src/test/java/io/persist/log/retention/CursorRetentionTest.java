package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.cursor.CursorDirectory;
import io.persist.error.LogLockedException;
import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.LogCursors;
import io.persist.log.read.LogCursors.CursorState;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention and named cursors, and what is told about them. */
class CursorRetentionTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final LogConfig CONFIG = WriterKind.MAPPED.config().build();

    private final CrashableStorage storage = new CrashableStorage();

    private Log openWithRolls(int rolls) {
        Log log = Log.open(CONFIG, storage);
        Records.appendUntilRolled(log, rolls);
        log.flush();
        return log;
    }

    private Tailer tailer(String name) {
        return Tailer.open(storage, name, TailerConfig.defaults());
    }

    private long firstBase() {
        try {
            return LogFiles.basePositions(storage).first();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void storeInSegment(String name, int segment) {
        try (Tailer tailer = tailer(name)) {
            while (tailer.nextPosition() < (long) segment * LENGTH && tailer.next()) {
                // Up to there.
            }
            tailer.store();
        }
    }

    /** As the guide says: one that the log has not opened has to have a name. */
    @Test
    void shouldHoldNothingForATailerOfAnotherWithoutAName() {
        try (Log log = openWithRolls(5);
                Tailer other = Tailer.open(storage, TailerConfig.defaults())) {
            RetentionPlan all = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(all.retired()).hasSize(5);
            assertThat(all.held()).isEmpty();
            try (Tailer own = log.tailer()) {
                RetentionPlan none = log.planRetention(RetentionRule.keepBytes(0));
                assertThat(none.retired()).isEmpty();
                assertThat(none.held())
                        .extracting(RetentionPlan.Held::why)
                        .containsOnly("a tailer that this log has opened reads at position " + own.neededPosition());
            }
            assertThat(other.next()).isTrue();
            log.sync();
            log.retire(all, Retirement.DELETE);
            assertThatExceptionOfType(RetiredException.class)
                    .isThrownBy(() -> Records.readOn(other, 2))
                    .withMessageContaining("A tailer with a name, or one that the log's writer opens, holds");
        }
    }

    @Test
    void shouldHoldWhatACursorHasNotPassedUntilItMovesOn() {
        try (Log log = openWithRolls(5)) {
            storeInSegment("slow", 2);
            storeInSegment("fast", 4);
            long slow = new LogCursors(storage).list().get(1).position();
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.retired()).hasSize(2);
            assertThat(plan.held())
                    .hasSize(3)
                    .allSatisfy(held -> assertThat(held.why()).isEqualTo("cursor slow is at position " + slow));
            log.retire(plan, Retirement.RECYCLE);
            assertThat(firstBase()).isEqualTo(2 * LENGTH);
            storeInSegment("slow", 100);
            plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.held().get(0).why()).startsWith("cursor fast is at position ");
            log.retire(plan, Retirement.DELETE);
            assertThat(firstBase()).isEqualTo(4 * LENGTH);
            new LogCursors(storage).remove("fast");
            log.retire(log.planRetention(RetentionRule.keepBytes(0)), Retirement.DELETE);
            assertThat(firstBase()).isEqualTo(5 * LENGTH);
            try (Tailer tailer = log.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(Records.readOn(tailer, tailer.sequence() + 1)).isEqualTo(log.lastSequence() + 1);
            }
        }
    }

    @Test
    void shouldHoldForRetentionByAnotherProcessToo() {
        openWithRolls(5).close();
        storeInSegment("slow", 2);
        LogRetention retention = new LogRetention(storage);
        assertThat(retention.plan(RetentionRule.keepBytes(0)).held().get(0).why())
                .startsWith("cursor slow is at position ");
        assertThat(retention.apply(RetentionRule.keepBytes(0)).retired()).hasSize(2);
        assertThat(firstBase()).isEqualTo(2 * LENGTH);
    }

    /** Behind each look at what files there are. */
    @Test
    void shouldPlanWhileACursorIsRemoved() {
        openWithRolls(5).close();
        AtomicInteger ahead = new AtomicInteger();
        for (int n = 1; ahead.get() == 0; n++) {
            storeInSegment("slow", 2);
            ahead.set(n);
            Storage racing = Interposed.after(Storage.class, storage, (call, arguments, result) -> {
                if (call.equals("list") && ahead.decrementAndGet() == 0) {
                    new LogCursors(storage).remove("slow");
                }
                return result;
            });
            int planned = new LogRetention(racing)
                    .plan(RetentionRule.keepBytes(0))
                    .retired()
                    .size();
            assertThat(planned).isIn(2, ahead.get() > 0 ? 2 : 5);
            ahead.updateAndGet(left -> Math.max(left, 0));
        }
    }

    @Test
    void shouldLookAgainBeforeEachDeletion() {
        try (Log log = openWithRolls(5)) {
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.retired()).hasSize(5);
            tailer("late").close();
            log.retire(plan, Retirement.DELETE);
            assertThat(firstBase()).isZero();
        }
    }

    @Test
    void shouldHoldEverythingIfACursorCannotBeRead() {
        try (Log log = openWithRolls(3)) {
            storeInSegment("slow", 2);
            storage.replace("broken.cursor", new byte[8192]);
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            assertThat(plan.retired()).isEmpty();
            assertThat(plan.held().get(0).why())
                    .startsWith("cursor broken cannot be read")
                    .contains("file=broken.cursor");
            CursorState broken = new LogCursors(storage).list().get(0);
            assertThat(broken.damage()).contains("neither slot");
            assertThat(broken.file()).isEqualTo(LogFileName.segment(0));
            new LogCursors(storage).remove("broken");
            assertThat(log.planRetention(RetentionRule.keepBytes(0)).retired()).hasSize(2);
        }
    }

    /** A store that retention sees may not be on the device yet: it has to be, before retention relies on it. */
    @Test
    void shouldSyncACursorBeforeItReliesOnIt() throws IOException {
        try (Log log = openWithRolls(3)) {
            storeInSegment("slow", 100);
            RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
            List<String> operations = new ArrayList<>();
            storage.hook((number, what) -> operations.add(what));
            log.retire(plan, Retirement.DELETE);
            storage.hook((number, what) -> {});
            int deletion = operations.indexOf("delete " + LogFileName.segment(0));
            assertThat(operations.subList(0, deletion)).contains("tryLock cursors.lock", "sync slow.cursor");
        }
    }

    @Test
    void shouldNeverMakeACursorIntoNothing(@TempDir Path directory) throws Exception {
        LogConfig config = WriterKind.MAPPED.config(directory).build();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (Log log = Log.open(config)) {
            for (int round = 0; round < 40; round++) {
                Records.appendUntilRolled(log, 3);
                RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(0));
                log.handOver();
                CyclicBarrier barrier = new CyclicBarrier(2);
                String name = "cursor-" + round;
                Future<Long> registration = threads.submit(() -> {
                    barrier.await();
                    try (Tailer tailer = Tailer.open(config.directory(), name)) {
                        assertThat(tailer.next()).isTrue();
                        return tailer.position();
                    }
                });
                Future<?> retention = threads.submit(() -> {
                    barrier.await();
                    log.retire(plan, Retirement.values()[log.lastSequence() % 2 == 0 ? 0 : 1]);
                    log.handOver();
                    return null;
                });
                long position = registration.get(30, TimeUnit.SECONDS);
                retention.get(30, TimeUnit.SECONDS);
                try (Tailer again = Tailer.open(config.directory(), name)) {
                    assertThat(again.next()).isTrue();
                    assertThat(again.position()).isEqualTo(position);
                }
                LogCursors.open(directory).remove(name);
            }
        } finally {
            threads.shutdown();
        }
    }

    // ---- what is told

    @Test
    void shouldTellAboutEachCursor() throws IOException {
        assertThat(new LogCursors(storage).list()).isEmpty();
        assertThat(storage.list()).as("nothing was made").isEmpty();
        try (Log log = openWithRolls(3)) {
            log.commit(Durability.BUFFERED);
            storeInSegment("b", 2);
            try (Tailer tailer = tailer("a")) {
                assertThat(tailer.next()).isTrue();
                tailer.store();
                List<CursorState> states = new LogCursors(storage).list();
                assertThat(states).extracting(CursorState::name).containsExactly("a", "b");
                CursorState a = states.get(0);
                assertThat(a.position()).isEqualTo(tailer.nextPosition());
                assertThat(a.sequence()).isEqualTo(2);
                assertThat(a.file()).isEqualTo(LogFileName.segment(0));
                assertThat(a.lagBytes()).isEqualTo(log.committedPosition() - a.position());
                assertThat(a.inUse()).isTrue();
                assertThat(a.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(a.damage()).isNull();
                CursorState b = states.get(1);
                assertThat(b.file()).isEqualTo(LogFileName.segment(2 * LENGTH));
                assertThat(b.inUse()).isFalse();
                assertThat(b.pid()).isZero();
                assertThat(b.storedAtMs())
                        .isEqualTo(new CursorDirectory(storage).read("b").storedAtMs());
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> new LogCursors(storage).remove("a"))
                        .withMessageContaining("cursor is in use: name=a");
                tailer.store();
            }
        }
        LogCursors cursors = new LogCursors(storage);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cursors.remove("c"))
                .withMessageContaining("no such cursor: name=c")
                .withMessageContaining("cursors=[a, b]; name one of these");
        cursors.remove("a");
        assertThat(cursors.list()).extracting(CursorState::name).containsExactly("b");
        assertThat(storage.list()).doesNotContain("a.cursor", "a.cursor.lock");
        cursors.remove("b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cursors.remove("b"))
                .withMessageContaining("no such cursor: name=b")
                .withMessageEndingWith("which has no cursors: there is nothing to remove");
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldLeaveTheFilesOfCursorsAloneWhenTheLogIsOpened() {
        openWithRolls(2).close();
        tailer("a").close();
        storage.replace("b.cursor.tmp", new byte[1]);
        byte[] before = storage.content("a.cursor");
        Log.open(CONFIG, storage).close();
        assertThat(storage.list()).contains("a.cursor", "a.cursor.lock", "b.cursor.tmp");
        assertThat(storage.content("a.cursor")).isEqualTo(before);
    }
}
