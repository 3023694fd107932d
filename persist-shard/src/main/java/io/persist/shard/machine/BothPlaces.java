package io.persist.shard.machine;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.state.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether the blob and the consensus of a client are those of one shard: with a wrong URI they may not be. */
final class BothPlaces {

    private BothPlaces() {}

    /**
     * A state of its own would take the objects of another one for left over. A shard has a state before its first
     * object: so if there are objects, another process has created it a moment ago, or this is not its consensus.
     *
     * @param newest looks for the state again
     * @return what it has found; null if there is nothing of the shard
     */
    static @Nullable Known checkConsensus(PartStore store, Supplier<@Nullable Known> newest) {
        List<String> objects = store.list();
        Known found = objects.isEmpty() ? null : newest.get();
        if (!objects.isEmpty() && found == null) {
            throw new DamagedShardException(
                    "shard=" + store.shard() + ": the blob has " + objects.size() + " objects of it, " + objects.get(0)
                            + " is one, and the consensus does not know it; give the URI of its own consensus, or"
                            + " restore that from a copy",
                    null);
        }
        return found;
    }

    /**
     * What is written into another blob nobody else could read, and all would take the shard for damaged. If but some
     * of its objects are missing it can be opened: what does not need them can be read.
     */
    static void checkBlob(ShardMachine machine, PartStore store) {
        Set<String> named = Collection.named(machine.known());
        if (named.isEmpty() || mayHave(store, named.iterator().next())) {
            return;
        }
        Set<String> listed = new HashSet<>(store.list());
        named.retainAll(Collection.named(machine.refresh())); // what was merged meanwhile need not be there
        if (!named.isEmpty() && named.stream().noneMatch(listed::contains)) {
            throw new DamagedShardException(
                    "shard=" + store.shard() + ": the blob has none of its " + named.size() + " objects, "
                            + named.iterator().next() + " is one; give the URI of the blob that belongs to this"
                            + " consensus, or restore that from a copy",
                    null);
        }
    }

    /** A blob that does not answer says nothing: short batches need none. */
    private static boolean mayHave(PartStore store, String object) {
        try {
            return store.has(object);
        } catch (LocationException noAnswer) {
            return true;
        }
    }
}
