package io.persist.shard.bench.verb;

import com.beust.jcommander.Parameter;
import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.machine.BothPlaces;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.Collection;
import io.persist.shard.state.Holders;
import io.persist.shard.state.Merges;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.Step;
import io.persist.shard.upkeep.Collector;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** {@code shards gc}: removes what nothing refers to any more, by the rules that upkeep has. */
final class GcVerb extends Verb {

    @Parameter(names = "--dry-run", arity = 1, order = 1, description = "only say what would be removed")
    private boolean dryRun = false;

    /** How much was removed. */
    private static final class Removed {
        private int leases;
        private int objects;
        private long bytes;
        private int versions;
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "shards gc",
                        OPERANDS,
                        "Removes leases that are over, objects that no state names and no writer will, objects that",
                        "were merged and no reader holds, and states below the last whole one.")
                .note("A client that runs does the same by itself; this is for a place where none runs.")
                .note("A shard that is damaged or of a newer version stays as it is; others have their turn.")
                .note("So does one of which an object is missing: this may be the blob of another consensus.")
                .note("So does one beside objects of a shard of this id that another consensus has.")
                .note(ONE_PROCESS)
                .example("what it would do", "--dry-run " + PLACES)
                .exits("a shard is damaged or of a newer version, or the place cannot be changed");
    }

    @Override
    int work(Inspected place, ShardCall call) throws IOException {
        Removed removed = new Removed();
        boolean isAllDone = true;
        for (String id : place.ids(call.operands())) {
            if (!call.isStopped().getAsBoolean()) {
                try {
                    collect(id, place, call, removed);
                } catch (DamagedShardException | NewerVersionException e) {
                    call.out().println(Text.describe(e));
                    isAllDone = false;
                }
            }
        }
        call.out()
                .println((dryRun ? "would remove " : "removed ") + Text.grouped(removed.leases) + " leases, "
                        + Text.grouped(removed.objects) + " objects of " + Text.bytes(removed.bytes) + ", "
                        + Text.grouped(removed.versions) + " states");
        Map<String, Long> strangers = place.strangers();
        if (!strangers.isEmpty()) {
            call.out().println(ListVerb.strangersText(strangers) + ", and stay");
        }
        return isAllDone ? OK : FAILED;
    }

    private void collect(String id, Inspected place, ShardCall call, Removed removed) {
        ShardState found = place.state(id);
        if (found == null) {
            return;
        }
        ShardConfig config = ShardConfig.builder().build();
        ShardMachine machine = ShardMachine.open(
                place.consensus(),
                place.parts(id),
                found.keyCodec(),
                found.valueCodec(),
                config.rollupEvery(),
                config.retryTime());
        Map<String, Long> listed = place.objects(place.parts(id).prefix()); // before the state: what comes later stays
        listed.keySet().removeIf(object -> !place.parts(id).isPart(object));
        checkThatAllIsThere(machine.refresh(), machine, listed.keySet(), place);
        List<String> names = List.copyOf(listed.keySet());
        BothPlaces.checkOwn(machine, place.parts(id), names);
        ShardState state = expire(machine, call, removed);
        Set<String> needless = new TreeSet<>(BothPlaces.orphans(state, place.parts(id), names));
        Set<String> garbage = Collection.deletable(state);
        needless.addAll(garbage);
        for (String object : needless) {
            if (!dryRun) {
                place.parts(id).delete(object);
            }
            long bytes = listed.getOrDefault(object, 0L);
            call.out().println((dryRun ? "would remove " : "removed ") + object + ", " + Text.bytes(bytes));
            removed.objects++;
            removed.bytes += bytes;
        }
        if (!dryRun) {
            Collector.forget(machine, garbage);
        }
        removed.versions += dryRun ? place.versionsBelow(id, machine.whole()) : machine.truncate();
    }

    private ShardState expire(ShardMachine machine, ShardCall call, Removed removed) {
        long nowMs = System.currentTimeMillis();
        ShardState before = machine.known();
        ShardState state = before;
        do { // with an empty since updates are dropped, too, as many as a version can name
            state = expired(state, machine, nowMs);
        } while (Merges.hasUnreadable(state));
        Set<String> gone = new TreeSet<>(before.readers().keySet());
        gone.addAll(before.writers().keySet());
        gone.removeAll(state.readers().keySet());
        gone.removeAll(state.writers().keySet());
        for (String holder : gone) {
            call.out().println((dryRun ? "would remove " : "removed ") + "the lease of " + holder + ", which is over");
        }
        removed.leases += gone.size();
        return state;
    }

    private ShardState expired(ShardState before, ShardMachine machine, long nowMs) {
        if (!dryRun) {
            machine.apply(now -> Holders.expire(now, nowMs));
            return machine.known();
        }
        Step<Integer> step = Holders.expire(before, nowMs);
        return step.isChangeOf(before) ? step.next().numbered(before.version() + 1) : before;
    }

    /** Else this may be the blob of another consensus, whose objects look needless here. */
    private static void checkThatAllIsThere(
            ShardState state, ShardMachine machine, Set<String> listed, Inspected place) {
        Set<String> missing = named(state);
        missing.removeAll(listed);
        if (!missing.isEmpty()) { // or they are newer than the list
            missing.removeAll(place.objects(place.parts(state.id()).prefix()).keySet());
            missing.retainAll(named(machine.refresh()));
        }
        if (!missing.isEmpty()) {
            throw new DamagedShardException(
                    "shard=" + state.id() + ": " + missing.size() + " objects are missing, "
                            + missing.iterator().next() + " is one; nothing of it was removed: is this the blob of this"
                            + " consensus?",
                    null);
        }
    }

    private static Set<String> named(ShardState state) {
        Set<String> named = new TreeSet<>();
        for (BatchState batch : state.batches()) {
            named.addAll(batch.objects());
        }
        return named;
    }
}
