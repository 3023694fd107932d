package io.persist.shard.machine;

import io.persist.shard.batch.PartStore;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.state.Collection;
import io.persist.shard.state.ShardState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether the blob and the consensus of a client are those of one shard: with a wrong URI they may not be. */
public final class BothPlaces {

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
        if (named.isEmpty()) {
            checkOwn(machine, store, mayList(store));
            return;
        }
        if (mayHave(store, named.iterator().next())) {
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

    /**
     * A shard of the same id in another consensus has another identity: of the {@code listed} objects it may need those
     * that look needless here.
     *
     * @throws DamagedShardException if there are objects of such a shard
     */
    public static void checkOwn(ShardMachine machine, PartStore store, List<String> listed) {
        List<String> others = others(machine.known(), store, listed);
        if (!others.isEmpty()) {
            throw new DamagedShardException(
                    "shard=" + store.shard() + ": the blob has " + others.size() + " objects, " + others.get(0)
                            + " is one, of a shard of this id that another consensus has, so nothing was deleted; give"
                            + " the URI of the blob that belongs to this consensus, or each shard an id of its own",
                    null);
        }
    }

    /** The {@code listed} objects that are of a shard of this id which another consensus has. */
    public static List<String> others(ShardState state, PartStore store, List<String> listed) {
        return listed.stream()
                .filter(object -> !identityOf(object, store).isEmpty()
                        && !identityOf(object, store).equals(state.identity()))
                .toList();
    }

    private static String identityOf(String object, PartStore store) {
        return Identity.of(store.ownerOf(object));
    }

    /**
     * Of objects that were listed before {@code state} was read: those of this shard that no state names and none will.
     * Whose those are that name no identity nobody knows: they stay.
     */
    public static List<String> orphans(ShardState state, PartStore store, List<String> listed) {
        String mine = state.identity();
        return Collection.orphans(
                state,
                listed,
                object -> !identityOf(object, store).equals(mine)
                        || state.writers().containsKey(store.ownerOf(object)));
    }

    /** A blob that does not answer says nothing: short batches need none. */
    private static List<String> mayList(PartStore store) {
        try {
            return store.listOnce();
        } catch (LocationException noAnswer) {
            return List.of();
        }
    }

    /** The same. */
    private static boolean mayHave(PartStore store, String object) {
        try {
            return store.has(object);
        } catch (LocationException noAnswer) {
            return true;
        }
    }
}
