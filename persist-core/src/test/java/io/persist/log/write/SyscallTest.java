package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.event.FillerStallEvent;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.ChildJvm;
import io.persist.support.Records;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at the system calls of an appending thread, if strace is there. */
class SyscallTest {

    private static final int RECORDS = 20_000;

    /** What a JVM does for its own sake: locks, safepoints, memory. */
    private static final Set<String> OF_THE_JVM = Set.of(
            "futex",
            "gettid",
            "mprotect",
            "madvise",
            "sched_yield",
            "rt_sigprocmask",
            "rt_sigreturn",
            "clock_gettime",
            "getrusage");

    /** Only what it looks for stops a thread: the JVM's own calls are most of all. */
    private static final List<String> STRACE = List.of(
            "strace", "-f", "--seccomp-bpf", "-e", "signal=none", "-e", "trace=!" + String.join(",", OF_THE_JVM));

    @TempDir
    Path directory;

    private List<String> callsOfTheAppendingThread(WriterKind kind) throws IOException, InterruptedException {
        Path trace = directory.resolve("trace");
        List<String> command = new ArrayList<>(STRACE);
        command.addAll(List.of("-s", "64", "-o", trace.toString()));
        int java = command.size();
        command.addAll(ChildJvm.briefly(Writer.class, directory.resolve("log"), kind));
        // The thread whose call makes a method hot waits until it is compiled. Else that takes as long as other
        // processes leave no CPU to the compiler; then methods become hot later, and before the JVM compiles one, the
        // calling thread loads the classes that its signature names.
        command.add(java + 1, "-Xbatch");
        try (ChildJvm child = ChildJvm.run(command)) {
            String first = child.hear();
            if (first == null) {
                System.out.println("SKIPPED SyscallTest: strace cannot trace here");
                assumeTrue(false, "strace can trace");
            }
            assertThat(first).isEqualTo("WARM");
            assertThat(child.hear()).isEqualTo("BEGIN");
            assertThat(child.hear()).isEqualTo("END");
            assertThat(child.awaitEnd()).isZero();
        }
        List<String> calls = new ArrayList<>();
        String thread = null;
        for (String line : Files.readAllLines(trace)) {
            if (line.contains("\"BEGIN")) {
                thread = line.substring(0, line.indexOf(' '));
            } else if (line.contains("\"END")) {
                return calls;
            } else if (thread != null && line.startsWith(thread + " ") && line.contains("(")) {
                String call =
                        line.substring(line.indexOf(' '), line.indexOf('(')).strip();
                if (!call.startsWith("<...")) {
                    calls.add(line);
                }
            }
        }
        throw new AssertionError("no marks in the trace");
    }

    private static void assumeStrace() throws InterruptedException {
        boolean found;
        try {
            found = new ProcessBuilder("strace", "--seccomp-bpf", "-f", "-V")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            found = false;
        }
        if (!found) {
            System.out.println("SKIPPED SyscallTest: strace is not installed, or older than 5.3");
        }
        assumeTrue(found, "strace is there");
    }

    @Test
    void shouldAppendAndCommitWithoutAnySystemCall() throws IOException, InterruptedException {
        assumeStrace();
        assertThat(callsOfTheAppendingThread(WriterKind.MAPPED)).isEmpty();
    }

    /** The counterpart: the same look finds the calls of a writer that makes some. */
    @Test
    void shouldWriteOnlyWholeBuffersInFileMode() throws IOException, InterruptedException {
        assumeStrace();
        List<String> calls = callsOfTheAppendingThread(WriterKind.FILE_RW);
        assertThat(calls).isNotEmpty().allMatch(call -> call.contains("write("));
        assertThat(calls.size()).isLessThan(RECORDS);
    }

    /** Appends until it is warm, then between two marks. */
    static final class Writer {

        public static void main(String[] arguments) throws IOException {
            LogConfig config = WriterKind.valueOf(arguments[1])
                    .config(Path.of(arguments[0]))
                    .segmentLength(16 << 20)
                    .build();
            byte[] record = Records.of(1, 60);
            try (Log log = Log.open(config)) {
                append(log, record);
                // Traced, the filler is slow, and may slow the appender down for the first time between the marks.
                assertThat(FillerStallEvent.Cause.values()).isNotEmpty();
                System.out.println("WARM"); // the JVM has memory of its own for each method that is called at last
                System.out.println("BEGIN");
                append(log, record);
                System.out.println("END");
            }
            try (BufferedReader end = ChildJvm.questions()) {
                end.readLine();
            }
        }

        private static void append(Log log, byte[] record) {
            for (int i = 0; i < RECORDS; i++) {
                log.append(record, 0, record.length);
                log.commit(Durability.BUFFERED);
            }
        }
    }
}
