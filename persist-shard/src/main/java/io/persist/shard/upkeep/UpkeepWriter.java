package io.persist.shard.upkeep;

import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.Holders;
import java.util.UUID;

/** The writer whose objects the merged batches are. It is registered when it is first needed. One thread at a time. */
final class UpkeepWriter {

    private final ShardMachine machine;
    private final ShardConfig config;
    private String id = "";

    UpkeepWriter(ShardMachine machine, ShardConfig config) {
        this.machine = machine;
        this.config = config;
    }

    /** The id of a writer that is registered now. */
    String registered() {
        long nowMs = config.clock().millis();
        if (id.isEmpty() || !machine.apply(state -> Holders.hearWriter(state, id, nowMs))) {
            String next = "w" + UUID.randomUUID();
            machine.apply(
                    state -> Holders.addWriter(state, next, config.writerLease().toMillis(), nowMs));
            id = next;
        }
        return id;
    }

    void renew() {
        if (!id.isEmpty()) {
            registered();
        }
    }

    void close() {
        if (!id.isEmpty()) {
            String last = id;
            id = "";
            machine.apply(state -> Holders.removeWriter(state, last));
        }
    }
}
