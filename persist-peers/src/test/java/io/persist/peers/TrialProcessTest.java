package io.persist.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.process.ChildFailure;
import io.persist.peers.trial.process.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
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
        return new Trial(engine, Mode.OPEN_LOOP, 1, 0, 1_000_000, 100, 0, 256, 10, "");
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
    void shouldSayWhyAJvmDidNotStart() {
        TrialProcess processes = processes(List.of("-XX:NoSuchFlag"), Duration.ofMinutes(1), () -> false);

        assertThatThrownBy(() -> processes.run(trial("persist")))
                .hasMessageContaining("NoSuchFlag")
                .hasMessageEndingWith("(exit code 1)");
    }
}
