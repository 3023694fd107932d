package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.mem.MemConsensus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class MemConsensusTest extends ConsensusContract {

    private static final int ROUNDS = 50;
    private static final int VERSIONS = 3_000;

    private final String place = "mem://" + UUID.randomUUID();

    @Override
    protected Consensus open() {
        return Locations.consensus(place);
    }

    @Override
    protected boolean survives() {
        return false;
    }

    /** What is missing between two versions would be taken for damage. */
    @Test
    void shouldScanAllOrNothingOfWhatIsTruncatedMeanwhile() {
        for (int round = 0; round < ROUNDS; round++) {
            MemConsensus consensus = new MemConsensus();
            for (int number = 0; number <= VERSIONS; number++) {
                consensus.compareAndSet("k", number - 1, new Version(number, new byte[0]));
            }
            CompletableFuture<Integer> truncated =
                    CompletableFuture.supplyAsync(() -> consensus.truncate("k", VERSIONS));
            List<Version> found = consensus.scan("k", 0, VERSIONS + 1);
            while (found.size() > 1) {
                checkThatNoneIsMissing(found);
                found = consensus.scan("k", 0, VERSIONS + 1);
            }
            assertThat(truncated.join()).isEqualTo(VERSIONS);
        }
    }

    private static void checkThatNoneIsMissing(List<Version> found) {
        List<String> gaps = new ArrayList<>();
        for (int i = 1; i < found.size(); i++) {
            long before = found.get(i - 1).number();
            if (found.get(i).number() != before + 1) {
                gaps.add(before + " is followed by " + found.get(i).number());
            }
        }
        assertThat(gaps).isEmpty();
    }

    @Test
    void shouldKeepNothingOfKeysThatHaveNoVersion() throws Exception {
        assertKeepsNothingOfKeysThatHaveNoVersion(new MemConsensus(), "versions");
    }
}
