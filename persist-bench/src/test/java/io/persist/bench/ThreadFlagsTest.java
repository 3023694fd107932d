package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.bench.Program.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The flags about threads: which ones each program has, what they do, and on which CPUs. */
class ThreadFlagsTest {

    private static final String WRITER = "persist-writer";

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--detached")
    void shouldWriteOnAThreadOfItsOwnOnlyIfDetached(Kind kind) throws IOException {
        assertThat(writingThreads(kind, "-d")).isNotEmpty().allMatch(name -> name.startsWith("write "));
        assertThat(writingThreads(kind, "-d", "false"))
                .containsOnly(Thread.currentThread().getName());
    }

    private List<String> writingThreads(Kind kind, String... flags) throws IOException {
        List<String> args = new ArrayList<>(List.of("-c", "100", "--writeMode", "file", "-f"));
        args.addAll(List.of(flags));
        Recorded recorded = Recorded.during(directory, () -> kind.small(directory, args.toArray(new String[0])));
        return recorded.writes().stream()
                .filter(call -> call.isOfSegment(kind.log(directory.resolve("logs"))))
                .map(Recorded.Call::thread)
                .toList();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--producers")
    void shouldHaveSoManyProducers(Kind kind) throws IOException {
        Recorded recorded =
                Recorded.during(directory, () -> kind.small(directory, "-c", "100", "-d", "--producers", "3"));

        // The first of them is the program's own thread.
        assertThat(recorded.startedThreads().stream().filter(name -> name.startsWith("producer-")))
                .containsExactlyInAnyOrder("producer-1", "producer-2");
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf({"--queueDepth", "--whenFull"})
    void shouldFillTheQueueAndThenDoAsItIsTold(Kind kind) {
        // Each write waits for the device, so there is soon no place left.
        String flags = "-c 200 -d -q 4 --logMode rwd";
        Program blocked = kind.small(directory, flags.split(" "));
        Program refused = kind.small(directory, (flags + " --whenFull fail").split(" "));

        assertThat(blocked.out()).contains("4 of 4 entries used at most").doesNotContain("refused");
        assertThat(blocked.number("times?, for which producers waited")).isPositive();
        assertThat(refused.number("appends?, and tried again")).isPositive();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--queueBytes")
    void shouldFillTheBytesOfTheQueueBeforeItsEntries(Kind kind) {
        Program program = kind.small(directory, "-c 200 -d --queueBytes 4KB --logMode rwd".split(" "));

        assertThat(program.parameter("queueBytes")).isEqualTo("4096");
        assertThat(program.number("times?, for which producers waited")).isPositive();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--affinity")
    void shouldBindTheWriterThread(Kind kind) {
        String cpu = oneOfSeveralCpus();
        List<String> bound = new ArrayList<>();
        kind.watched(
                directory,
                line -> bound.addAll(line.startsWith("Wrote ") ? boundThreads("self", cpu) : List.of()),
                "-c",
                "10",
                "-d",
                "-j",
                "[" + cpu + "]");

        assertThat(bound).containsExactly(WRITER);
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--affinity")
    void shouldBindTheAppendingThreadWhileItWrites(Kind kind) throws Exception {
        String cpu = oneOfSeveralCpus();
        List<String> flags = kind.withoutIgnored(
                "-c",
                "30000",
                "-r",
                "1000",
                "-t",
                "0",
                "-i",
                "0",
                "-j",
                "[" + cpu + "]",
                kind.logLocation,
                "logs",
                "--segmentSize",
                "1");
        String program = "io.persist.bench.Main " + kind.command + " " + String.join(" ", flags);
        Process process = ChildProgram.start(directory, program);
        try {
            Program.await(
                    "a thread on CPU " + cpu,
                    () -> !boundThreads(Long.toString(process.pid()), cpu).isEmpty());
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    /** The first CPU that may be used; bound to it is as good as not bound if there is no other one. */
    private static String oneOfSeveralCpus() {
        Path status = Path.of("/proc/self/status");
        assumeTrue(Files.exists(status));
        String cpus = allowed(status);
        assumeTrue(cpus.matches("\\d+[-,].*"));
        return cpus.split("[-,]")[0];
    }

    /** The names of a process's threads that may use this one CPU only. */
    private static List<String> boundThreads(String process, String cpu) {
        List<String> names = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc", process, "task"))) {
            for (Path thread : threads.toList()) {
                if (isBound(thread, cpu)) {
                    names.add(Files.readString(thread.resolve("comm")).strip());
                }
            }
        } catch (IOException | UncheckedIOException e) {
            return names; // the process has just ended
        }
        return names;
    }

    private static boolean isBound(Path thread, String cpu) {
        try {
            return allowed(thread.resolve("status")).equals(cpu);
        } catch (UncheckedIOException e) {
            return false; // it has just ended
        }
    }

    private static String allowed(Path status) {
        try {
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
