package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.CommitTimeoutException;
import io.persist.error.LogIOException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The thread that writes begins, and there is no memory. */
class WriterWithoutMemoryTest {

    @TempDir
    Path directory;

    @Test
    void shouldWriteOrSayThatItCannot() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("24m", NoMemory.class, directory))) {
            assertThat(child.hear()).isIn("written", "failed");
        }
    }

    static final class NoMemory {

        private NoMemory() {}

        public static void main(String[] arguments) {
            Object[] ballast = new Object[500_000];
            run(ballast, Thread::new); // what is needed at first only is made here
            String end = run(
                    ballast,
                    writer -> new Thread(() -> {
                        FullHeap.fill(ballast);
                        writer.run();
                    }));
            System.out.println(end);
            System.exit(0);
        }

        private static String run(Object[] ballast, ThreadFactory threads) {
            LogConfig config =
                    LogConfig.builder(Path.of("memory")).segmentLength(4096).build();
            Log log = Log.open(config, new CrashableStorage());
            DetachedConfig detached =
                    DetachedConfig.builder().threadFactory(threads).build();
            DetachedLog writing = DetachedLog.over(log, detached);
            Arrays.fill(ballast, null);
            try {
                writing.append(new byte[8], 0, 8);
                writing.commit(Durability.FLUSHED, Duration.ofSeconds(10));
                return "written";
            } catch (CommitTimeoutException e) {
                return "nobody knows";
            } catch (LogIOException e) {
                return "failed";
            }
        }
    }
}
