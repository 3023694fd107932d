package io.persist.shard.bench.verb;

import io.persist.shard.bench.place.ShardCommand;
import java.io.IOException;

/** One of the verbs of {@code shards}: it opens a place, and does something with each shard that is named. */
abstract class Verb extends ShardCommand {

    static final String OPERANDS = "BLOB_URI CONSENSUS_URI [SHARD...]";
    static final String PLACES = "file:///data/objects journal:///data/journal";
    static final String ONE_PROCESS =
            "A journal has one process at a time: while another one has it open it is refused.";

    @Override
    protected int work(ShardCall call) throws IOException, InterruptedException {
        try (Inspected place = Inspected.of(call.operands())) {
            return work(place, call);
        }
    }

    abstract int work(Inspected place, ShardCall call) throws IOException;
}
