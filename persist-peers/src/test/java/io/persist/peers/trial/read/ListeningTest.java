package io.persist.peers.trial.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Sampling;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader that sees only what comes from then on is there before the first message. */
@Timeout(60)
class ListeningTest {

    private static final int MESSAGES = 300;

    @TempDir
    Path directory;

    private Trial trial(Mode mode) {
        return new Trial("aeron-live", mode, 1, 0, MESSAGES, 10, 0, 2, 64, 10_000, directory.toString());
    }

    @Test
    void shouldListenToAPublicationFromItsFirstMessageOn() throws Exception {
        Trial trial = trial(Mode.LISTEN_THREAD);
        TrialResult result = Listening.inThread(trial, new Logs(trial), Sampling.NONE);
        assertThat(result.histogram().getTotalCount()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldDoSoInAnotherProcess() throws Exception {
        Trial trial = trial(Mode.LISTEN_PROCESS);
        TrialResult result = Listening.inProcess(trial, new Logs(trial), Sampling.NONE);
        assertThat(result.histogram().getTotalCount()).isEqualTo(MESSAGES);
    }
}
