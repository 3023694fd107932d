package io.persist.shard.bench.verb;

import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.error.ShardException;
import io.persist.shard.machine.BothPlaces;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code shards verify}: whether all that a shard's state names is there, and is what was written. */
final class VerifyVerb extends Verb {

    /** What was looked at. */
    private static final class Looked {
        private final PrintStream out;
        private int findings;
        private long parts;
        private long bytes;
        private int needless;

        Looked(PrintStream out) {
            this.out = out;
        }

        /** Says it at once: there may be hours to the end, and it may not come. */
        void found(String finding) {
            out.println(finding);
            findings++;
        }
    }

    @Override
    public Manual manual() {
        return Manual.of(
                        "shards verify",
                        OPERANDS,
                        "Reads each object that a state names: it is there, whole, of this shard, with the right",
                        "checksum, sorted, within the times of its batch, its longest row as long as the state says.",
                        "A line for each finding.")
                .note("Others may write meanwhile: what they have merged and deleted is no finding.")
                .note(ONE_PROCESS)
                .example("all of a place", PLACES)
                .exits("there are findings, or the place cannot be read");
    }

    @Override
    int work(Inspected place, ShardCall call) throws IOException {
        Looked looked = new Looked(call.out());
        List<String> ids = place.ids(call.operands());
        for (String id : ids) {
            if (call.isStopped().getAsBoolean()) {
                return FAILED;
            }
            try {
                ShardState state = stateOf(id, place, looked);
                if (state != null) {
                    verify(state, place, looked);
                }
            } catch (DamagedShardException | NewerVersionException e) {
                looked.found(Text.describe(e));
            }
        }
        call.out()
                .println(Text.grouped(ids.size()) + " shards, " + Text.grouped(looked.parts) + " parts of "
                        + Text.bytes(looked.bytes) + ": "
                        + (looked.findings == 0 ? "all is well" : looked.findings + " findings"));
        if (looked.needless > 0) {
            call.out()
                    .println(Text.grouped(looked.needless) + " objects are named by no state; shards gc removes them");
        }
        Map<String, Long> strangers = place.strangers();
        if (!strangers.isEmpty()) {
            call.out().println(ListVerb.strangersText(strangers));
        }
        return looked.findings == 0 ? OK : FAILED;
    }

    private static @Nullable ShardState stateOf(String id, Inspected place, Looked looked) {
        try {
            return place.state(id);
        } catch (LocationException e) {
            looked.found(Text.describe(e));
            return null;
        }
    }

    private static void verify(ShardState state, Inspected place, Looked looked) {
        PartStore parts = place.parts(state.id());
        List<String> listed = parts.list();
        Frontier at = Frontier.MINIMUM;
        for (BatchState batch : state.batches()) {
            if (!batch.lower().equals(at)) {
                looked.found("shard=" + state.id() + ": a batch begins at " + batch.lower()
                        + ", and the one before it ends at " + at);
            }
            at = batch.upper();
            for (List<BatchPart> run : batch.runs()) {
                verify(state, batch, run, place, looked);
            }
        }
        if (!state.batches().isEmpty() && !at.equals(state.upper())) {
            looked.found("shard=" + state.id() + ": the batches end at " + at + ", and upper=" + state.upper());
        }
        ShardState now = place.state(state.id());
        if (now != null) {
            looked.needless += BothPlaces.orphans(now, parts, listed).size();
            List<String> others = BothPlaces.others(now, parts, listed);
            if (!others.isEmpty()) {
                looked.found("shard=" + state.id() + ": " + others.size() + " objects, " + others.get(0)
                        + " is one, are of a shard of this id that another consensus has");
            }
        }
    }

    private static void verify(
            ShardState state, BatchState batch, List<BatchPart> run, Inspected place, Looked looked) {
        @Nullable Row last = null;
        for (BatchPart part : run) {
            looked.parts++;
            looked.bytes += part.bytes();
            String what =
                    "shard=" + state.id() + ": " + (part.object() == null ? "a part in the state" : part.object());
            try {
                Rows rows = place.parts(state.id()).read(part, time -> true);
                int count = 0;
                int longest = 0;
                for (Row row = rows.next(); row != null; row = rows.next()) {
                    if (last != null && Row.ORDER.compare(last, row) >= 0) {
                        looked.found(what + " is not sorted");
                        return;
                    }
                    if (!isPlaced(row.time(), batch)) {
                        looked.found(what + " has time " + row.time() + ", and its batch ends at " + batch.upper());
                        return;
                    }
                    last = row;
                    longest = Math.max(longest, row.length());
                    count++;
                }
                if (count != part.updates()) {
                    looked.found(what + " has " + count + " updates in place of " + part.updates());
                }
                if (longest != part.longest()) { // merges go by it, so that their memory has a bound
                    looked.found(what + " has a longest row of " + longest + " bytes in place of " + part.longest());
                }
            } catch (LocationException e) {
                place.parts(state.id()).list(); // else it is not this object: no other one could be read, either
                findUnlessGone(e, state.id(), part, place, looked);
            } catch (DamagedShardException | NewerVersionException e) {
                findUnlessGone(e, state.id(), part, place, looked);
            }
        }
    }

    /** Within the batch's bounds, or at its since: what is older has moved there, which may be behind its upper. */
    private static boolean isPlaced(long time, BatchState batch) {
        return batch.upper().isBehind(time) || batch.since().equals(Frontier.at(time));
    }

    /** Others may have merged it meanwhile. */
    private static void findUnlessGone(
            ShardException found, String id, BatchPart part, Inspected place, Looked looked) {
        ShardState now = place.state(id);
        if (now != null
                && now.batches().stream().anyMatch(batch -> batch.parts().contains(part))) {
            looked.found(Text.describe(found));
        }
    }
}
