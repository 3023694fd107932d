package io.persist.shard.location;

import io.persist.shard.location.mem.MemConsensus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One that cannot wake the threads that wait, as those of other machines. */
class PollingConsensusTest extends ConsensusContract {

    private final MemConsensus versions = new MemConsensus();

    @Override
    protected Consensus open() {
        return new Consensus() {
            @Override
            public List<String> keys() {
                return versions.keys();
            }

            @Override
            public @Nullable Version head(String key) {
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

    @Override
    protected boolean survives() {
        return true;
    }
}
