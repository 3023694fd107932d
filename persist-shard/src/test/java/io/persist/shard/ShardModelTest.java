package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.support.Seeds;
import org.junit.jupiter.api.AfterEach;

/** In memory: very many. */
class ShardModelTest extends ShardModelContract {

    @Override
    protected Blob blob() {
        return new MemBlob();
    }

    @Override
    protected Consensus consensus() {
        return new MemConsensus();
    }

    @Override
    protected int cases() {
        return 12;
    }

    @Override
    protected int steps() {
        return Seeds.isNightly() ? 300 : 150;
    }

    @AfterEach
    void shouldHaveDoneAllOfIt() {
        assertThat(sum("snapshots")).isPositive();
        assertThat(sum("holds moved")).isPositive();
    }
}
