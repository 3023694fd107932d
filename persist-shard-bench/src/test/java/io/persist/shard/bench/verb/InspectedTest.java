package io.persist.shard.bench.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.Consensus;
import io.persist.shard.location.ForwardingConsensus;
import io.persist.shard.location.Version;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What operators look at may be longer than their memory. */
class InspectedTest {

    private static final int VERSIONS = 100;
    private static final int COLLECTIONS = 10;

    /** The versions that were read. */
    private final List<WeakReference<byte[]>> read = new ArrayList<>();

    private final MemConsensus memory = new MemConsensus();

    private final Consensus consensus = new ForwardingConsensus(memory) {
        @Override
        public List<Version> scan(String key, long from, int limit) {
            assertThat(limit).isLessThanOrEqualTo(Inspected.AT_ONCE);
            assertThat(areFree())
                    .as("those that were read, when the next ones are")
                    .isTrue();
            return super.scan(key, from, limit).stream().map(this::copy).toList();
        }

        private Version copy(Version version) {
            byte[] bytes = version.data().clone();
            read.add(new WeakReference<>(bytes));
            return new Version(version.number(), bytes);
        }

        @Override
        public void close() {}
    };

    private boolean areFree() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            if (read.stream().allMatch(bytes -> bytes.refersTo(null))) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldCountVersionsOfWhichItKeepsNone() {
        for (int number = 0; number < VERSIONS; number++) {
            memory.compareAndSet("s1", number - 1, new Version(number, new byte[1]));
        }
        try (Inspected place = new Inspected(new MemBlob(), consensus, Duration.ZERO)) {
            assertThat(place.versionsBelow("s1", Long.MAX_VALUE)).isEqualTo(VERSIONS);
            assertThat(place.versionsBelow("s1", 42)).isEqualTo(42);
        }
    }
}
