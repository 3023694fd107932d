package io.persist.log.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.cursor.CursorDirectory;
import io.persist.cursor.CursorName;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.LogFileName;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.Await;
import io.persist.support.ForwardingFile;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked, and who has to wait, while many segments are taken away. */
class RetirementHoldTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int SEGMENTS = 40;

    private final CrashableStorage storage = new CrashableStorage();
    private final Log log = Log.open(WriterKind.MAPPED.config().build(), storage);

    @BeforeEach
    void append() {
        Records.appendUntilRolled(log, SEGMENTS);
        log.sync();
    }

    @AfterEach
    void close() {
        log.close();
    }

    /** A device on which a sync of the directory takes its time; counts what is asked of it. */
    private class Slow implements ForwardingStorage {

        private final long syncNs;
        private long nowNs;
        private int synced;
        private int listed;
        private int locked;

        Slow(long syncMs) {
            this.syncNs = TimeUnit.MILLISECONDS.toNanos(syncMs);
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public void syncDirectory() throws IOException {
            storage.syncDirectory();
            nowNs += syncNs;
            synced++;
            synced(synced);
        }

        /** Behind a deletion; so many there were. */
        void synced(int count) throws IOException {}

        @Override
        public List<String> list() throws IOException {
            listed++;
            return storage.list();
        }

        @Override
        public WriterLock tryLock(String name) throws IOException {
            locked += name.equals(LogFileName.CURSORS_LOCK) ? 1 : 0;
            return storage.tryLock(name);
        }

        RetentionPlan retireAll() throws IOException {
            return retireAll(System::nanoTime);
        }

        /** With another clock for those who wait for the lock of the cursors. */
        RetentionPlan retireAll(LongSupplier waitNs) throws IOException {
            CursorDirectory cursors = new CursorDirectory(this, waitNs);
            LogNeeds needs = new LogNeeds(new OpenTailers(), cursors, () -> nowNs);
            Retention retention = new Retention(this, LENGTH, log.logId(), needs);
            RetentionPlan plan = retention.plan(RetentionRule.keepBytes(0), log.lastPosition(), log.position());
            assertThat(plan.retired()).hasSize(SEGMENTS);
            synced = 0;
            listed = 0;
            return retention.apply(plan, Retirement.DELETE, log.lastPosition(), spare -> {});
        }
    }

    /** A directory of a hundred thousand files takes a tenth of a second to list, and the owner's thread waits. */
    @Test
    void shouldLookOnceIfTheDeviceIsFast() throws IOException {
        Slow fast = new Slow(0);
        assertThat(fast.retireAll().retired()).hasSize(SEGMENTS);
        assertThat(fast.synced).isEqualTo(SEGMENTS);
        assertThat(fast.locked).isEqualTo(1);
        assertThat(fast.listed)
                .as("for the plan that is checked, for the cursors, and for those that are new")
                .isEqualTo(3);
    }

    /** Who opens a named tailer waits for it, and gives up at some time. */
    @Test
    void shouldNotKeepTheLockForLongIfTheDeviceIsSlow() throws IOException {
        Slow slow = new Slow(60);
        assertThat(slow.retireAll().retired()).hasSize(SEGMENTS);
        assertThat(slow.locked).isEqualTo(SEGMENTS / 2);
        Slow verySlow = new Slow(1000);
        Records.appendUntilRolled(log, SEGMENTS);
        log.sync();
        assertThat(verySlow.retireAll().retired()).hasSize(SEGMENTS);
        assertThat(verySlow.locked).isEqualTo(SEGMENTS);
    }

    /** Who opens a named tailer would wait for the syncs of all the others. */
    @Test
    void shouldSyncUnderTheLockOnlyWhatWasStoredSince() throws IOException {
        try (Tailer first = log.tailer("first");
                Tailer second = log.tailer("second")) {
            first.toEnd();
            first.store();
            second.toEnd();
            second.store();
            List<String> synced = new ArrayList<>();
            Slow slow = new Slow(60) {
                @Override
                public WriterLock tryLock(String name) throws IOException {
                    if (super.locked == 2) {
                        second.store();
                    }
                    return super.tryLock(name);
                }

                @Override
                public StorageFile open(String name, Access access) throws IOException {
                    StorageFile file = storage.open(name, access);
                    return CursorName.isFile(name) ? new Watched(file, name, synced) : file;
                }
            };
            assertThat(slow.retireAll().retired()).hasSize(SEGMENTS);
            assertThat(synced).containsExactly("first.cursor", "second.cursor", "second.cursor under the lock");
        }
    }

    /** Tells whether somebody had the lock of the cursors when the file was synced. */
    private final class Watched implements ForwardingFile {

        private final StorageFile file;
        private final String name;
        private final List<String> synced;

        Watched(StorageFile file, String name, List<String> synced) {
            this.file = file;
            this.name = name;
            this.synced = synced;
        }

        @Override
        public StorageFile file() {
            return file;
        }

        @Override
        public void sync() throws IOException {
            try (WriterLock lock = storage.tryLock(LogFileName.CURSORS_LOCK)) {
                synced.add(lock == null ? name + " under the lock" : name);
            }
            file.sync();
        }
    }

    /** Each reading opens the files of all cursors: of many on a slow device that takes longer than the segments. */
    @Test
    void shouldReadTheCursorsForManySegmentsIfThatTakesLong() throws IOException {
        try (Tailer tailer = log.tailer("late")) {
            tailer.toEnd();
            tailer.store();
        }
        Slow slow = new Slow(0) {
            @Override
            public StorageFile open(String name, Access access) throws IOException {
                if (CursorName.isFile(name)) {
                    super.nowNs += TimeUnit.SECONDS.toNanos(1);
                }
                return storage.open(name, access);
            }
        };
        assertThat(slow.retireAll().retired()).hasSize(SEGMENTS);
        assertThat(slow.locked).isEqualTo(1);
    }

    /** A thread that waits for the lock only looks now and then whether it is free. */
    @Test
    void shouldLetOthersHaveTheLockMeanwhile() throws IOException {
        AtomicBoolean hasWaited = new AtomicBoolean();
        AtomicBoolean hasHadIt = new AtomicBoolean();
        List<Boolean> seen = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                new CursorDirectory(refused(hasWaited)).exclusive().close();
                hasHadIt.set(true);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        Slow slow = new Slow(1000) {
            @Override
            void synced(int count) {
                seen.add(hasHadIt.get());
                if (count == 1) {
                    other.start();
                    Await.until("another thread waits for the lock", hasWaited::get);
                }
            }
        };
        long longAgoNs = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
        slow.retireAll(() -> hasHadIt.get() ? System.nanoTime() : longAgoNs); // time goes on when it has had it
        assertThat(seen.subList(0, 2)).containsExactly(false, true);
    }

    private Storage refused(AtomicBoolean hasWaited) {
        return new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public WriterLock tryLock(String name) throws IOException {
                WriterLock lock = storage.tryLock(name);
                if (lock == null) {
                    hasWaited.set(true);
                }
                return lock;
            }
        };
    }

    /** A cursor is made after some deletions. */
    @Test
    void shouldTellWhatItHasReallyDeleted() throws IOException {
        Slow slow = new Slow(60) {
            @Override
            public WriterLock tryLock(String name) throws IOException {
                WriterLock lock = super.tryLock(name);
                if (lock != null && super.locked == 4) {
                    lock.close();
                    Tailer.open(storage, "late", TailerConfig.defaults()).close();
                    return storage.tryLock(name);
                }
                return lock;
            }
        };
        RetentionPlan done = slow.retireAll();
        long left = 6L * LENGTH;
        assertThat(done.retired())
                .extracting(RetentionPlan.Item::endPosition)
                .hasSize(6)
                .endsWith(left);
        assertThat(done.held())
                .hasSize(SEGMENTS - 6)
                .allMatch(held -> held.why().startsWith("cursor late is at position "));
        assertThat(done.held().get(0).segment().file()).isEqualTo(LogFileName.segment(left));
        assertThat(LogFiles.basePositions(storage).first()).isEqualTo(left);
    }
}
