package io.persist.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The shards that a client keeps up. It lets go of a tombstone when nothing is left to do for it: whoever still has
 * that shard goes on with it, and with a new handle it is kept up again.
 *
 * <p><b>Threads:</b> any.
 */
final class OpenShards {

    private final Map<String, OpenShard> byId = new ConcurrentHashMap<>();

    /** Those that were let go of and have a handle again, while another one has their id by now. */
    private final Set<OpenShard> others = ConcurrentHashMap.newKeySet();

    private final Runnable upkeep;
    private volatile boolean isEnded;

    /** {@code upkeep} is run when a shard asks for upkeep soon. */
    OpenShards(Runnable upkeep) {
        this.upkeep = upkeep;
    }

    /** The shard of the id; {@code opener} makes it if none is kept up. */
    OpenShard of(String id, Supplier<OpenShard> opener) {
        return byId.computeIfAbsent(id, missing -> opener.get());
    }

    /** All that are kept up now. */
    List<OpenShard> all() {
        List<OpenShard> all = new ArrayList<>(byId.values());
        all.addAll(others);
        return all;
    }

    /** Keeps {@code shard} up from now on, if it was let go of. */
    void keep(OpenShard shard) {
        OpenShard now = byId.putIfAbsent(shard.id(), shard);
        if (now != null && now != shard) {
            others.add(shard);
        }
    }

    /** Lets go of {@code shard} if nothing is left to do for it. */
    void letGoIfDone(OpenShard shard) {
        if (shard.isDone()) {
            byId.remove(shard.id(), shard);
            others.remove(shard);
            if (!shard.isDone()) {
                keep(shard); // it has got a handle meanwhile
            }
        }
    }

    void requestUpkeep() {
        upkeep.run();
    }

    /** Whether the client is closed; shards that were let go of are told, too. */
    boolean isEnded() {
        return isEnded;
    }

    /** From now on all shards refuse, and their handles let go. */
    void end() {
        isEnded = true;
        all().forEach(OpenShard::end);
    }
}
