package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.MessageLogger;
import io.persist.error.LogLockedException;
import io.persist.event.ProgressTime;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.ProcessIdentity;
import io.persist.format.LogFileName;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.support.ChildJvm;
import io.persist.support.HeardNotices;
import io.persist.support.HolderMark;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said while an opening waits for the writer before. */
@Timeout(120)
class LockWaitNoticeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final ProgressTime time = new ProgressTime();

    /** Of {@link #openUntilTheFourthLook}. */
    private int looks;

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(64 << 10).build();
    }

    /** Before each look at the lock, and at the control file, so much time goes by, and then something happens. */
    private record Slow(Storage storage, Runnable before) implements ForwardingStorage {

        @Override
        public @Nullable WriterLock tryLock(String name) throws IOException {
            before.run();
            return storage.tryLock(name);
        }
    }

    /** Of a log whose writer closes it before the fourth look; before each one so many ms go by. */
    private Storage openUntilTheFourthLook(long ms) throws IOException {
        MessageLogger before = MessageLogger.open(config());
        return new Slow(DirectoryStorage.create(directory), () -> {
            time.pass(ms);
            if (++looks == 4) {
                before.close();
            }
        });
    }

    private List<String> heard(Runnable action) {
        return HeardNotices.during(directory.getFileName().toString(), action).stream()
                .filter(notice -> notice.text().contains("still opening"))
                .peek(notice -> assertThat(notice.level()).isEqualTo(Level.INFO))
                .map(HeardNotices.Notice::text)
                .toList();
    }

    private void take(Storage storage, Duration timeout) {
        try {
            WriterHold.take(storage, timeout, time.of("log " + storage.description()))
                    .close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void takeInVain(Storage storage) {
        assertThatExceptionOfType(LogLockedException.class)
                .isThrownBy(() -> take(storage, MINUTE))
                .withMessageContaining(", waited=PT");
    }

    @Test
    void shouldSayForWhomItWaits_AfterASecondAndThenEachThirty() throws IOException {
        Storage slow = new Slow(DirectoryStorage.create(directory), () -> time.pass(5000));
        try (MessageLogger before = MessageLogger.open(config())) {
            String who = "waiting for the writer that has the log, pid="
                    + ProcessHandle.current().pid() + " \\(in this process: .*thread=.*\\), for at most ";
            List<String> heard = heard(() -> takeInVain(slow));
            assertThat(heard).hasSize(2);
            assertThat(heard.get(0)).matches("log .*: still opening after 5 s: " + who + "55 s more");
            assertThat(heard.get(1)).matches("log .*: still opening after 35 s: " + who + "25 s more");
            assertThat(before.hasFailed()).isFalse();
        }
    }

    @Test
    void shouldNotSayAShortWait() throws IOException {
        Storage slow = openUntilTheFourthLook(300);
        assertThat(heard(() -> take(slow, MINUTE))).isEmpty();
        assertThat(looks).isEqualTo(4);
    }

    @Test
    void shouldSayThatItWaitsWithoutALimit() throws IOException {
        Storage slow = openUntilTheFourthLook(600);
        assertThat(heard(() -> take(slow, DetachedConfig.FOREVER)))
                .singleElement()
                .asString()
                .endsWith(", without a limit");
    }

    /** Each look at the mark takes that long. */
    private record SlowControl(Storage storage, ProgressTime time) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            time.pass(name.equals(LogFileName.CONTROL) ? 5000 : 0);
            return storage.open(name, access);
        }
    }

    @Test
    void shouldSayThatItWaitsForAHolderWithoutALock() throws Exception {
        MessageLogger.open(config()).close();
        try (ChildJvm writer = WriterProcess.start(directory)) {
            HolderMark.put(directory, ProcessIdentity.of(writer.pid()));
            Storage slow = new SlowControl(DirectoryStorage.create(directory), time);
            List<String> heard = heard(() -> take(slow, Duration.ofSeconds(30)));
            assertThat(heard)
                    .singleElement()
                    .asString()
                    .matches("log .*: still opening after 5 s: waiting for the writer that has the log, pid="
                            + writer.pid() + ", for at most 25 s more");
        }
    }

    /** It is no reason to fail that the holder cannot be named. */
    @Test
    void shouldWaitOnIfTheHolderCannotBeNamed() throws IOException {
        Storage slow = openUntilTheFourthLook(600);
        Storage unreadable = new Unreadable(slow);
        assertThat(heard(() -> take(unreadable, MINUTE)))
                .singleElement()
                .asString()
                .contains("for the writer that has the log, for at most");
        assertThat(looks).isEqualTo(4);
    }

    private static final class Unreadable implements ForwardingStorage {

        private final Storage storage;
        private boolean isLocked;

        Unreadable(Storage storage) {
            this.storage = storage;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public @Nullable WriterLock tryLock(String name) throws IOException {
            WriterLock lock = storage.tryLock(name);
            isLocked = lock != null;
            return lock;
        }

        @Override
        public List<String> list() throws IOException {
            return isLocked ? storage.list() : refuse();
        }

        @Override
        public String lockedHere(String name) throws IOException {
            return isLocked ? storage.lockedHere(name) : refuse();
        }

        private static <T> T refuse() throws IOException {
            throw new IOException("refused");
        }
    }
}
