package io.persist.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The help shows what works where it is read. */
class LauncherTest {

    @ParameterizedTest
    @CsvSource({
        "io.persist.bench.Main verify log, bin/persist",
        "io.persist.bench.Main verify persist-tools.jar, bin/persist",
        "/tmp/surefirebooter-7.jar /tmp/x, bin/persist",
        "/src/persist-tools/target/surefire/surefirebooter-7.jar /tmp/x, bin/persist",
        "'', bin/persist",
        "persist-tools-0.1.0-all.jar verify log, java -jar persist-tools-0.1.0-all.jar",
        "/opt/persist/persist-tools.jar, java -jar persist-tools.jar",
    })
    void shouldNameWhatWasStarted(String command, String launcher) {
        assertThat(Launcher.of(command)).isEqualTo(launcher);
    }

    @Test
    void shouldBeginTheUsageAndTheExamples() {
        Manual manual = Manual.of("verify", "LOG...", "Says it.").example("one log", "./log");

        assertThat(manual.usage()).isEqualTo("bin/persist verify [flags] LOG...");
        assertThat(manual.examples().get(0).command()).containsExactly("bin/persist verify ./log");
    }
}
