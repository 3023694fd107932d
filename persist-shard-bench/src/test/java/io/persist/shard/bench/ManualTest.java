package io.persist.shard.bench;

import io.persist.command.ManualContract;
import java.util.List;

class ManualTest extends ManualContract {

    @Override
    protected List<String> names() {
        return List.of("shard-bench", "shard", "shard-cas", "shards list", "shards show", "shards verify", "shards gc");
    }
}
