package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.peers.engine.PeerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks at what the commits of the peers ask the operating system for, if strace is there. */
@Timeout(120)
class SyncSyscallsTest {

    /** One of these, once, is what each commit of one message comes down to. */
    private static final Map<String, Pattern> SYNC_OF_EACH_COMMIT = Map.of(
            "chronicle", Pattern.compile("msync\\(.*MS_SYNC"),
            "aeron", Pattern.compile("fdatasync\\("),
            "artemis-nio", Pattern.compile("fdatasync\\("),
            "artemis-mapped", Pattern.compile("msync\\(.*MS_SYNC"),
            "artemis-aio", Pattern.compile("fdatasync\\("),
            "rocksdb", Pattern.compile("fdatasync\\("),
            "sqlite", Pattern.compile("fsync\\("));

    @TempDir
    Path directory;

    @Test
    void shouldSyncOnceForEachCommit() throws IOException, InterruptedException {
        Path trace = directory.resolve("trace");
        List<String> strace = List.of(
                "strace",
                "-f",
                "--seccomp-bpf", // nothing else stops a thread
                "-e",
                "signal=none",
                "-e",
                "trace=fsync,fdatasync,msync,%file",
                "-o",
                trace.toString());
        assumeThatItTraces(strace);
        List<String> ids = SYNC_OF_EACH_COMMIT.keySet().stream()
                .filter(id -> Engines.byId(id).orElseThrow().missing().get().isEmpty())
                .sorted()
                .toList();
        String[] arguments =
                Stream.concat(Stream.of(directory.toString()), ids.stream()).toArray(String[]::new);
        try (PeerProcess process = PeerProcess.start(strace, PeerProcess.Committing.class, arguments)) {
            assertThat(process.hear()).isEqualTo("DONE");
        }
        List<String> calls = Files.readAllLines(trace);
        for (String id : ids) {
            Pattern sync = SYNC_OF_EACH_COMMIT.get(id);
            assertThat(between(calls, "/begin-" + id, "/end-" + id)
                            .filter(call -> sync.matcher(call).find()))
                    .as(id)
                    .hasSize(PeerProcess.Committing.COMMITS);
        }
    }

    private static Stream<String> between(List<String> calls, String begin, String end) {
        return calls.stream()
                .dropWhile(call -> !call.contains(begin))
                .takeWhile(call -> !call.contains(end))
                .filter(call -> !call.contains("resumed>"));
    }

    private static void assumeThatItTraces(List<String> strace) throws InterruptedException {
        boolean traces;
        try {
            traces = new ProcessBuilder(Stream.concat(strace.stream(), Stream.of("true"))
                                    .toList())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            traces = false;
        }
        if (!traces) {
            System.out.println("SKIPPED SyncSyscallsTest: strace is not there, is older than 5.3, or cannot trace");
        }
        assumeTrue(traces, "strace can trace");
    }
}
