package io.persist.shard.upkeep;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.machine.BothPlaces;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.state.Collection;
import io.persist.shard.state.Merges;
import io.persist.shard.state.ShardState;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Deletes objects that nobody needs. */
public final class Collector {

    private final ShardMachine machine;
    private final PartStore store;

    /** A collector of the objects in {@code store}. */
    public Collector(ShardMachine machine, PartStore store) {
        this.machine = machine;
        this.store = store;
    }

    /** Deletes garbage that no reader holds; says how many objects. */
    int collect() {
        Set<String> objects = Collection.deletable(machine.known());
        if (objects.isEmpty()) {
            return 0;
        }
        machine.confirmNewest();
        store.deleteAll(objects); // before they are forgotten: what is deleted twice does no harm
        return forget(machine, objects);
    }

    /**
     * Takes {@code deleted} objects off the shard's list of garbage; says how many were on it. A version names a part
     * of them only: what a slow reader has held back may be more than a consensus takes at once.
     */
    public static int forget(ShardMachine machine, Set<String> deleted) {
        int forgotten = 0;
        Iterator<String> left = deleted.iterator();
        while (left.hasNext()) {
            Set<String> some = new HashSet<>();
            while (left.hasNext() && some.size() < Merges.MOST_NAMES) {
                some.add(left.next());
            }
            forgotten += machine.apply(state -> Merges.forget(state, some));
        }
        return forgotten;
    }

    /**
     * Deletes objects that no state names or will name; says how many.
     *
     * @throws DamagedShardException if an object is missing that the state names, or there are objects of a shard of
     *     this id that another consensus has: this may be its blob; or if the consensus has gone back; nothing was
     *     deleted
     */
    int sweep() {
        List<String> listed = store.list();
        ShardState state = machine.refresh(); // after the listing: what was listed and named since is in it
        checkThatAllIsThere(state, listed);
        BothPlaces.checkOwn(machine, store, listed);
        List<String> orphans = BothPlaces.orphans(state, store, listed);
        if (!orphans.isEmpty()) {
            machine.confirm(); // they may be another history's
        }
        store.deleteAll(orphans);
        return orphans.size();
    }

    private void checkThatAllIsThere(ShardState state, List<String> listed) {
        Set<String> missing = Collection.named(state);
        missing.removeAll(new HashSet<>(listed));
        if (!missing.isEmpty()) { // or they are newer than the list, or were merged meanwhile
            missing.removeAll(new HashSet<>(store.list()));
            missing.retainAll(Collection.named(machine.refresh()));
        }
        if (!missing.isEmpty()) {
            throw new DamagedShardException(
                    "shard=" + state.id() + ": " + missing.size() + " objects are missing, "
                            + missing.iterator().next() + " is one, so no other one was swept; restore them from a"
                            + " copy, or give the URI of the blob that belongs to this consensus",
                    null);
        }
    }

    /**
     * Deletes objects that were made for a state that did not come about. If that fails the sweep finds them later.
     *
     * @return whether those that are left are named by the newest known state
     */
    public boolean discard(List<String> objects) {
        List<String> needless = needless(objects);
        try {
            store.deleteAll(needless);
            return true;
        } catch (LocationException leftToTheSweep) { // it finds them when their writer is gone
            return false;
        }
    }

    /** Whether the newest known state names all of {@code objects}, if only to delete them. */
    public boolean isNamed(List<String> objects) {
        return needless(objects).isEmpty();
    }

    private List<String> needless(List<String> objects) {
        if (objects.isEmpty()) {
            return List.of(); // of small appends; to look through a state takes longer than they do
        }
        return Collection.orphans(machine.known(), objects, any -> false);
    }
}
