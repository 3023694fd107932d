package io.persist.log.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the threads of a log are called, and what they have of the thread that opens it. */
class LogThreadTest {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final List<String> ROLES = List.of("fill", "make", "sync", "tend", "write");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "fill, /data/logs/orders, 'fill ogs/orders, persist /data/logs/orders'",
        "write, /data/shard-07/log, 'write rd-07/log, persist /data/shard-07/log'",
        "sync, log, 'sync log, persist log'",
    })
    void shouldBeginTheNameWithTheRoleAndTheEndOfTheDirectory(String role, String log, String name) {
        assertThat(LogThread.name(role, log)).isEqualTo(name);
    }

    private LogConfig config(int number) {
        return LogConfig.builder(directory.resolve(String.format("shard-%02d/log", number)))
                .segmentLength(4096)
                .build();
    }

    private StoreLogger openDetached(int number) {
        return StoreLogger.open(
                StoreConfig.builder(config(number)).build(),
                DetachedConfig.builder().build());
    }

    /** What the kernel has of the threads of this process that belong to logs of this test. */
    private static List<Path> ofLogs() {
        try (Stream<Path> tasks = Files.list(TASKS)) {
            return tasks.filter(task -> name(task).matches("(" + String.join("|", ROLES) + ") .*-[0-9]{2}/log"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException ended) {
            return "";
        }
    }

    @Test
    void shouldHaveADifferentNameForTheKernelInEachOfManyLogs() {
        assumeThat(TASKS).exists();
        int logs = 20;
        List<StoreLogger> open = new ArrayList<>();
        try {
            for (int i = 0; i < logs; i++) {
                open.add(openDetached(i));
            }
            assertThat(ofLogs().stream().map(LogThreadTest::name))
                    .hasSize(logs * ROLES.size())
                    .doesNotHaveDuplicates();
        } finally {
            open.forEach(StoreLogger::close);
        }
    }

    /** Which is how an application chooses these things: it opens the log in a thread that has them. */
    @Test
    void shouldHaveTheGroupAndThePriorityOfTheThreadThatOpensTheLog() throws Exception {
        ThreadGroup group = new ThreadGroup("logs");
        FutureTask<StoreLogger> opening = new FutureTask<>(() -> openDetached(1));
        Thread opener = new Thread(group, opening, "opener");
        opener.setPriority(Thread.MIN_PRIORITY);
        opener.start();
        try (StoreLogger store = opening.get()) {
            opener.join();
            assertThat(store.hasFailed()).isFalse();
            Thread[] threads = new Thread[ROLES.size() + 10];
            int count = group.enumerate(threads);
            assertThat(Arrays.asList(threads).subList(0, count))
                    .allMatch(thread -> thread.isDaemon() && thread.getPriority() == Thread.MIN_PRIORITY)
                    .extracting(thread -> thread.getName().split(" ")[0])
                    .containsExactlyInAnyOrderElementsOf(ROLES);
        }
    }

    @Test
    void shouldHaveTheCpusOfTheThreadThatOpensTheLog() throws Exception {
        assumeThat(TASKS).exists();
        assumeThat(Path.of("/usr/bin/taskset")).exists();
        FutureTask<MessageLogger> opening = new FutureTask<>(() -> {
            bind();
            return MessageLogger.open(config(2));
        });
        new Thread(opening, "opener").start();
        try (MessageLogger logger = opening.get()) {
            assertThat(logger.hasFailed()).isFalse();
            Await.until("each has begun, and given itself its name", () -> ofLogs().size() == 3);
            for (Path thread : ofLogs()) {
                assertThat(Files.readAllLines(thread.resolve("status")))
                        .as(name(thread))
                        .contains("Cpus_allowed_list:\t0");
            }
        }
    }

    /** The current thread to the first CPU. */
    private static void bind() throws IOException, InterruptedException {
        Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        String id = thread.getFileName().toString();
        Process binding = new ProcessBuilder("/usr/bin/taskset", "-cp", "0", id)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assumeThat(binding.waitFor()).as("may use the first CPU").isZero();
    }
}
