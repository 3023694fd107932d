package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.file.disk.ProcessIdentity;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.process.ChildFailure;
import io.persist.peers.trial.process.ChildJvm;
import io.persist.peers.trial.process.StartedProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trials that do not end well leave nothing behind. */
class TrialProcessTest {

    @TempDir
    Path scratch;

    /** Those of other tests may still be about to die. */
    private final List<ProcessHandle> before =
            ProcessHandle.current().children().toList();

    private Stream<ProcessHandle> newChildren() {
        return ProcessHandle.current().children().filter(child -> !before.contains(child));
    }

    private TrialProcess processes(List<String> flags, Duration timeout, BooleanSupplier stopped) {
        return new TrialProcess(scratch, flags, timeout, stopped);
    }

    private static Trial trial(String engine) {
        return new Trial(engine, Mode.OPEN_LOOP, 1, 0, 1_000_000, 100, 0, 1_000_000, 256, 10, "");
    }

    @Test
    void shouldKillATrialThatHangs() {
        TrialProcess processes = processes(ChildJvm.flags(""), Duration.ofMillis(300), () -> false);

        assertThatThrownBy(() -> processes.run(trial("persist")))
                .isInstanceOf(ChildFailure.class)
                .hasMessageContaining("hence killed");
        assertThat(newChildren()).isEmpty();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void shouldKillATrialWhenTheUserWantsToEnd() {
        TrialProcess processes = processes(ChildJvm.flags(""), Duration.ofMinutes(1), () -> true);

        assertThatThrownBy(() -> processes.run(trial("persist"))).hasMessage("interrupted");
        assertThat(newChildren()).isEmpty();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void shouldSayWhyATrialFailed() {
        TrialProcess processes = processes(ChildJvm.flags(""), Duration.ofMinutes(1), () -> false);

        assertThatThrownBy(() -> processes.run(trial("nobody")))
                .isInstanceOf(ChildFailure.class)
                .hasMessageStartingWith("IllegalArgumentException: no engine: nobody (at ")
                .hasMessageEndingWith("(exit code 1)");
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void shouldEndWhatATrialThatDiedHasStarted() throws IOException {
        List<ProcessIdentity> started = new ArrayList<>();
        TrialProcess processes = processes(ChildJvm.flags(""), Duration.ofMinutes(1), () -> {
            if (started.isEmpty()) {
                started.addAll(startedByTrials());
                started.forEach(reader -> holdAndKillItsParent(reader.pid()));
            }
            return false;
        });
        Trial listening = new Trial("persist", Mode.LISTEN_PROCESS, 1, 0, 1_000_000, 100, 0, 1_000_000, 256, 10, "");

        try {
            assertThatThrownBy(() -> processes.run(listening)).hasMessageContaining("exit code 137");
            assertThat(started).hasSize(1).noneMatch(reader -> reader.presence() == Presence.ALIVE);
            assertThat(scratch).isEmptyDirectory();
        } finally {
            started.forEach(reader -> ProcessHandle.of(reader.pid()).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    private List<ProcessIdentity> startedByTrials() {
        List<ProcessIdentity> all = new ArrayList<>();
        try (DirectoryStream<Path> trials = Files.newDirectoryStream(scratch)) {
            for (Path trial : trials) {
                all.addAll(StartedProcesses.in(trial.resolve("logs")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** It would notice that its parent has gone, and end. */
    private static void holdAndKillItsParent(long pid) {
        ProcessHandle parent = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow();
        try {
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(pid))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        parent.destroyForcibly();
    }

    @Test
    void shouldSayWhyAJvmGaveUp() {
        TrialProcess processes = processes(List.of("-Xms2g", "-Xmx1g"), Duration.ofMinutes(1), () -> false);

        assertThatThrownBy(() -> processes.run(trial("persist")))
                .hasMessageContaining("heap size")
                .hasMessageEndingWith("(exit code 1)");
    }

    @Test
    void shouldSayWhyAJvmDidNotStart() {
        TrialProcess processes = processes(List.of("-XX:NoSuchFlag"), Duration.ofMinutes(1), () -> false);

        assertThatThrownBy(() -> processes.run(trial("persist")))
                .hasMessageContaining("NoSuchFlag")
                .hasMessageEndingWith("(exit code 1)");
    }
}
