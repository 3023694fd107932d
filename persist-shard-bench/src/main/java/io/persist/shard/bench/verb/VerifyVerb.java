package io.persist.shard.bench.verb;

import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.Rows;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.machine.BothPlaces;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code shards verify}: whether all that a shard's state names is there, and is what was written. */
final class VerifyVerb extends Verb {

    /** What was looked at. */
    private static final class Looked {
        private final List<String> findings = new ArrayList<>();
        private long parts;
        private long bytes;
        private int needless;
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
        Looked looked = new Looked();
        List<String> ids = place.ids(call.operands());
        for (String id : ids) {
            if (call.isStopped().getAsBoolean()) {
                return FAILED;
            }
            try {
                ShardState state = place.state(id);
                if (state != null) {
                    verify(state, place, looked);
                }
            } catch (DamagedShardException | NewerVersionException e) {
                looked.findings.add(Text.describe(e));
            }
        }
        looked.findings.forEach(call.out()::println);
        call.out()
                .println(Text.grouped(ids.size()) + " shards, " + Text.grouped(looked.parts) + " parts of "
                        + Text.bytes(looked.bytes) + ": "
                        + (looked.findings.isEmpty() ? "all is well" : looked.findings.size() + " findings"));
        if (looked.needless > 0) {
            call.out()
                    .println(Text.grouped(looked.needless) + " objects are named by no state; shards gc removes them");
        }
        Map<String, Long> strangers = place.strangers();
        if (!strangers.isEmpty()) {
            call.out().println(ListVerb.strangersText(strangers));
        }
        return looked.findings.isEmpty() ? OK : FAILED;
    }

    private static void verify(ShardState state, Inspected place, Looked looked) {
        PartStore parts = place.parts(state.id());
        List<String> listed = parts.list();
        Frontier at = Frontier.MINIMUM;
        for (BatchState batch : state.batches()) {
            if (!batch.lower().equals(at)) {
                looked.findings.add("shard=" + state.id() + ": a batch begins at " + batch.lower()
                        + ", and the one before it ends at " + at);
            }
            at = batch.upper();
            for (List<BatchPart> run : batch.runs()) {
                verify(state, batch, run, place, looked);
            }
        }
        if (!state.batches().isEmpty() && !at.equals(state.upper())) {
            looked.findings.add("shard=" + state.id() + ": the batches end at " + at + ", and upper=" + state.upper());
        }
        ShardState now = place.state(state.id());
        if (now != null) {
            looked.needless += BothPlaces.orphans(now, parts, listed).size();
            List<String> others = BothPlaces.others(now, parts, listed);
            if (!others.isEmpty()) {
                looked.findings.add("shard=" + state.id() + ": " + others.size() + " objects, " + others.get(0)
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
                        looked.findings.add(what + " is not sorted");
                        return;
                    }
                    if (!isPlaced(row.time(), batch)) {
                        looked.findings.add(
                                what + " has time " + row.time() + ", and its batch ends at " + batch.upper());
                        return;
                    }
                    last = row;
                    longest = Math.max(longest, row.length());
                    count++;
                }
                if (count != part.updates()) {
                    looked.findings.add(what + " has " + count + " updates in place of " + part.updates());
                }
                if (longest != part.longest()) { // merges go by it, so that their memory has a bound
                    looked.findings.add(
                            what + " has a longest row of " + longest + " bytes in place of " + part.longest());
                }
            } catch (DamagedShardException | NewerVersionException e) {
                if (isStillNamed(state.id(), part, place)) {
                    looked.findings.add(Text.describe(e));
                }
            }
        }
    }

    /** Within the batch's bounds, or at its since: what is older has moved there, which may be behind its upper. */
    private static boolean isPlaced(long time, BatchState batch) {
        return batch.upper().isBehind(time) || batch.since().equals(Frontier.at(time));
    }

    /** If not, others have merged it meanwhile. */
    private static boolean isStillNamed(String id, BatchPart part, Inspected place) {
        ShardState now = place.state(id);
        return now != null
                && now.batches().stream().anyMatch(batch -> batch.parts().contains(part));
    }
}
