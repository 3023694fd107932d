package io.persist.shard;

import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.util.List;

/** What a listener is told. */
public sealed interface ShardEvent<K, V> {

    /**
     * Updates with times from the last progress on and below the next one, in no order: at most 1,024, and none
     * behind the first MiB of keys and values.
     *
     * @param updates at least one
     */
    record Updates<K, V>(List<Update<K, V>> updates) implements ShardEvent<K, V> {

        /** Keeps a copy. */
        public Updates {
            updates = List.copyOf(updates);
        }
    }

    /**
     * All updates below {@code frontier} were given.
     *
     * @param frontier EMPTY if there will be no more
     */
    record Progress<K, V>(Frontier frontier) implements ShardEvent<K, V> {}
}
