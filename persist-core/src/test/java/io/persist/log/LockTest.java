package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogLockedException;
import io.persist.error.PersistException;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockTest {

    @TempDir
    Path directory;

    private LogConfig config() {
        return WriterKind.MAPPED.config(directory).build();
    }

    @Test
    void shouldRefuseASecondWriterInTheSameProcess() {
        try (Log log = Log.open(config())) {
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(LogLockedException.class)
                        .isThrownBy(() -> Log.open(config()))
                        .withMessageContaining("log is open for writing elsewhere")
                        .withMessageContaining("pid=" + ProcessHandle.current().pid())
                        .withMessageContaining("directory=" + directory)
                        .withMessageContaining("close it there first");
            }
            Records.append(log, 10);
            log.commit(Durability.SYNCED);
        }
        try (Log log = Log.open(config())) {
            assertThat(log.lastSequence()).isEqualTo(10);
        }
    }

    @Test
    void shouldRefuseASecondWriterInAnotherProcess() throws IOException, InterruptedException {
        try (ChildJvm child = ChildJvm.start(Holder.class, directory)) {
            Log log = Log.open(config());
            Records.append(log, 1);
            assertThat(child.ask("open"))
                    .startsWith("LogLockedException")
                    .contains("pid=" + ProcessHandle.current().pid());
            for (int i = 0; i < 20; i++) {
                try (Tailer tailer = Tailer.open(config())) {
                    assertThat(tailer.next()).isTrue();
                }
            }
            assertThat(child.ask("open")).as("readers leave the lock alone").startsWith("LogLockedException");
            log.close();
            assertThat(child.ask("open")).isEqualTo("open");
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(() -> Log.open(config()))
                    .withMessageContaining("pid=" + child.pid());
            assertThat(child.ask("read")).as("a reader needs no lock").isEqualTo("1");
            try (Tailer tailer = Tailer.open(config())) {
                assertThat(Records.readOn(tailer, 1)).isEqualTo(2);
            }
            assertThat(child.ask("close")).isEqualTo("closed");
            try (Log again = Log.open(config())) {
                assertThat(again.recovery().start()).isEqualTo(RecoveryReport.Left.CLOSED);
            }
            assertThat(child.ask("open")).isEqualTo("open");
            child.kill();
            try (Log again = Log.open(config())) {
                assertThat(again.recovery().start()).isEqualTo(RecoveryReport.Left.KILLED);
                assertThat(again.lastSequence()).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldHaveOneWinnerWhenManyOpenAtOnce() throws Exception {
        int racers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(racers);
        CyclicBarrier barrier = new CyclicBarrier(racers);
        for (int round = 0; round < 20; round++) {
            List<Future<Log>> races = new ArrayList<>();
            for (int i = 0; i < racers; i++) {
                races.add(threads.submit(() -> {
                    barrier.await();
                    try {
                        return Log.open(config());
                    } catch (LogLockedException lost) {
                        return null;
                    }
                }));
            }
            int winners = 0;
            Log won = null;
            for (Future<Log> race : races) {
                Log log = race.get(30, TimeUnit.SECONDS);
                winners += log == null ? 0 : 1;
                won = log == null ? won : log;
            }
            assertThat(winners).isEqualTo(1);
            won.close();
        }
        threads.shutdown();
    }

    /** Opens, closes and reads the log when told. */
    static final class Holder {

        public static void main(String[] arguments) throws IOException {
            LogConfig config = WriterKind.MAPPED.config(Path.of(arguments[0])).build();
            BufferedReader questions = ChildJvm.questions();
            Log log = null;
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                switch (line) {
                    case "open" -> {
                        try {
                            log = Log.open(config);
                            System.out.println("open");
                        } catch (PersistException e) {
                            System.out.println(e.getClass().getSimpleName() + " " + e.getMessage());
                        }
                    }
                    case "close" -> {
                        if (log != null) {
                            log.close();
                        }
                        System.out.println("closed");
                    }
                    default -> {
                        try (Tailer tailer = Tailer.open(config)) {
                            System.out.println(Records.readAll(tailer));
                        }
                    }
                }
            }
        }
    }
}
