package io.persist.shard.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.postgres.server.PostgresServer;
import io.persist.shard.postgres.server.TestServer;
import io.persist.support.Await;
import org.junit.jupiter.api.Test;

/** The one host of a URI comes back as a standby: of what others do at the new primary it knows nothing. */
class StandbyTest {

    /** So many seconds for each answer: a pool that gets no connection waits for it as long. */
    private static final String SHORT = "&timeout=1";

    private static boolean answers(Consensus consensus) {
        try {
            return consensus.head("k") != null;
        } catch (DeterminateException isAway) {
            return false;
        }
    }

    /** Why it does not answer: at first that a connection was lost. */
    private static String refusal(Consensus consensus) {
        try {
            throw new AssertionError("it answers: " + consensus.head("k"));
        } catch (DeterminateException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void shouldNotBeAnsweredByAStandby() throws Exception {
        TestServer.get(); // or it is skipped
        try (PostgresServer server = PostgresServer.start("fsync=off")) {
            String uri = server.freshUri() + SHORT;
            try (Consensus consensus = Locations.consensus(uri);
                    Consensus ofAny = Locations.consensus(uri + "&targetServerType=any")) {
                assertThat(consensus.compareAndSet("k", Consensus.NONE, new Version(1, new byte[1])))
                        .isTrue();
                server.becomeStandby();
                Await.until("it answers who wants an answer of any server", () -> answers(ofAny));
                Await.until(
                        "it says what is wrong, and nothing else before",
                        () -> refusal(consensus).contains("it is a standby now, or read-only: name the primary"));
                assertThatThrownBy(() -> consensus.compareAndSet("k", 1, new Version(2, new byte[1])))
                        .isInstanceOf(DeterminateException.class)
                        .hasMessageContaining("it is a standby now");
            }
            assertThatThrownBy(() -> Locations.consensus(uri))
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("it is a standby now");
        }
    }
}
