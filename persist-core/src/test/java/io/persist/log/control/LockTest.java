package io.persist.log.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogLockedException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
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
}
