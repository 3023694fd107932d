package io.persist.peers.trial.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClosedLoopTest {

    private static final long LOG_MESSAGES = 200;
    private static final double WARM_UP_SECONDS = 0.02;

    @TempDir
    Path directory;

    /** Else an engine that appends fast is warm, and one that the compiler takes longer for is not. */
    @ParameterizedTest
    @EnumSource(names = {"BUFFERED", "PRODUCERS_2", "SYNC_100"})
    void shouldWarmUpByTimeWhateverFitsALog(Mode mode) throws IOException, InterruptedException {
        Trial trial =
                new Trial("bare-copy", mode, 1, 0, 100, 1, WARM_UP_SECONDS, LOG_MESSAGES, 64, 1, directory.toString());

        assertThat(ClosedLoop.warmUp(trial, new Logs(trial))).isGreaterThanOrEqualTo((long) (WARM_UP_SECONDS * 1e9));
        assertThat(directory).isEmptyDirectory();
    }
}
