package io.persist.shard.upkeep;

import io.persist.shard.machine.Identity;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.Holders;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.Step;
import java.util.function.BiFunction;

/**
 * The writer whose objects the merged batches are. It is registered when it is first needed.
 *
 * <p><b>Threads:</b> one at a time; {@link #hear} and {@link #id} any.
 */
final class UpkeepWriter {

    private final ShardMachine machine;
    private final ShardConfig config;
    private volatile String id = "";

    UpkeepWriter(ShardMachine machine, ShardConfig config) {
        this.machine = machine;
        this.config = config;
    }

    /** What it was registered as last; empty if nothing. */
    String id() {
        return id;
    }

    /** The id of a writer that is registered now. */
    String registered() {
        long nowMs = config.clock().millis();
        if (id.isEmpty() || !machine.apply(state -> Holders.hearWriter(state, id, nowMs))) {
            String next = Identity.newWriter(machine);
            machine.apply(
                    state -> Holders.addWriter(state, next, config.writerLease().toMillis(), nowMs));
            id = next;
        }
        return id;
    }

    /** Says by one attempt that it lives, when it is time to. One that is not registered any more stays so. */
    void hear() {
        String last = id;
        if (!last.isEmpty()) {
            machine.attempt(
                    state -> Holders.hearWriter(state, last, config.clock().millis()));
        }
    }

    /** The same; one that is not registered any more is replaced. */
    void renew() {
        if (!id.isEmpty()) {
            registered();
        }
    }

    /** Gives the lease up. */
    void close() {
        giveUp(Holders::removeWriter);
    }

    /** The same of one that leaves objects: upkeep of any client looks for them. */
    void leave() {
        giveUp(Holders::leaveWriter);
    }

    private void giveUp(BiFunction<ShardState, String, Step<Boolean>> how) {
        if (!id.isEmpty()) {
            String last = id;
            id = "";
            machine.apply(state -> how.apply(state, last));
        }
    }
}
