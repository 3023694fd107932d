package io.persist.shard.bench.verb;

import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import io.persist.shard.state.StateBytes;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** {@code shards show}: all that is true of a shard. */
final class ShowVerb extends Verb {

    @Override
    public Manual manual() {
        return Manual.of(
                        "shards show",
                        OPERANDS,
                        "Shows shards: frontiers, states, batches, leases of readers and writers, holds, garbage.")
                .note("[a, b) are times from a on and below b.")
                .note(ONE_PROCESS)
                .example("one shard", PLACES + " s1")
                .exits("a shard is damaged or of a newer version, or the place cannot be read");
    }

    @Override
    int work(Inspected place, ShardCall call) throws IOException {
        List<String> unread = new ArrayList<>();
        for (String id : place.ids(call.operands())) {
            try {
                ShardState state = place.state(id);
                if (state != null) {
                    print(state, states(id, place), System.currentTimeMillis(), call.out());
                }
            } catch (DamagedShardException | LocationException | NewerVersionException e) {
                unread.add(Text.describe(e));
            }
        }
        unread.forEach(call.out()::println);
        return unread.isEmpty() ? OK : FAILED;
    }

    private static void print(ShardState state, String states, long nowMs, PrintStream out) {
        out.println("shard " + state.id() + (state.isTombstone() ? ", a tombstone" : ""));
        out.println("  codecs    " + state.keyCodec() + " for keys, " + state.valueCodec() + " for values");
        out.println("  since     " + state.since());
        out.println("  upper     " + state.upper());
        out.println("  states    " + states + "; this is of version " + state.version());
        out.println("  batches   " + state.batches().size());
        state.batches().forEach(batch -> out.println("    " + batch(batch)));
        out.println("  readers   " + state.readers().size());
        state.readers()
                .forEach((id, reader) -> out.println("    " + id + "  since " + reader.since() + ", holds version "
                        + reader.hold() + ", " + lease(reader.heartbeatMs(), reader.leaseMs(), nowMs)));
        out.println("  writers   " + state.writers().size());
        state.writers()
                .forEach((id, writer) -> out.println("    " + id + "  "
                        + (writer.token().isEmpty() ? "has appended nothing" : "its last append made " + writer.upper())
                        + ", " + lease(writer.heartbeatMs(), writer.leaseMs(), nowMs)));
        out.println("  holds     " + state.criticals().size());
        state.criticals()
                .forEach((name, hold) ->
                        out.println("    " + name + "  since " + hold.since() + ", token " + hold.token()));
        out.println("  garbage   " + state.garbage().size());
        state.garbage().forEach((object, version) -> out.println("    " + object + "  dropped by version " + version));
    }

    private static String states(String id, Inspected place) {
        long[] bounds = {Long.MAX_VALUE, Long.MIN_VALUE};
        List<String> whole = new ArrayList<>();
        place.versions(id, version -> {
            bounds[0] = Math.min(bounds[0], version.number());
            bounds[1] = version.number();
            if (StateBytes.readHeader(id, version.data()).isWhole()) {
                whole.add(Long.toString(version.number()));
            }
        });
        return bounds[0] > bounds[1] ? "none" : bounds[0] + " to " + bounds[1] + ", whole: " + String.join(", ", whole);
    }

    private static String batch(BatchState batch) {
        return "[" + batch.lower() + ", " + batch.upper() + ")  since " + batch.since() + ", "
                + Text.grouped(batch.updates()) + " updates of " + Text.bytes(ListVerb.bytes(batch)) + " in "
                + batch.runs().size() + " runs and " + batch.objects().size() + " objects"
                + (batch.inlineBytes() > 0 ? ", " + Text.bytes(batch.inlineBytes()) + " of it in the state" : "");
    }

    private static String lease(long heartbeatMs, long leaseMs, long nowMs) {
        long leftMs = heartbeatMs + leaseMs - nowMs;
        return "heard " + seconds(nowMs - heartbeatMs) + " ago, its lease "
                + (leftMs < 0 ? "is over since " + seconds(-leftMs) : "has " + seconds(leftMs) + " left");
    }

    private static String seconds(long ms) {
        return Text.grouped(Math.round(ms / 1e3)) + " s";
    }
}
