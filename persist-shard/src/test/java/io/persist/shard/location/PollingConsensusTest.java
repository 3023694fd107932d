package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.shard.location.mem.MemConsensus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One that cannot wake the threads that wait, as those of other machines. */
class PollingConsensusTest extends ConsensusContract {

    private final MemConsensus versions = new MemConsensus();
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    protected Consensus open() {
        return new Consensus() {
            @Override
            public List<String> keys() {
                return versions.keys();
            }

            @Override
            public @Nullable Version head(String key) {
                looks.incrementAndGet();
                return versions.head(key);
            }

            @Override
            public boolean compareAndSet(String key, long expected, Version next) {
                return versions.compareAndSet(key, expected, next);
            }

            @Override
            public List<Version> scan(String key, long from, int limit) {
                return versions.scan(key, from, limit);
            }

            @Override
            public int truncate(String key, long number) {
                return versions.truncate(key, number);
            }

            @Override
            public void close() {}
        };
    }

    /** The pauses grow for as long as it waits. */
    @Test
    void shouldLookOnceForEachTimeThatItAsks() {
        AtomicInteger asked = new AtomicInteger();
        Runnable closedThen = () -> {
            if (asked.incrementAndGet() == 8) {
                throw new IllegalStateException("closed");
            }
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> open().awaitChange("k", Consensus.NONE, Duration.ofMinutes(2), closedThen));
        assertThat(looks).hasValue(8);
    }

    @Override
    protected boolean survives() {
        return true;
    }
}
