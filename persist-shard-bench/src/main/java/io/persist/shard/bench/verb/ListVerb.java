package io.persist.shard.bench.verb;

import io.persist.command.Manual;
import io.persist.command.Text;
import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.LocationException;
import io.persist.shard.error.NewerVersionException;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code shards list}: a line for each shard. */
final class ListVerb extends Verb {

    @Override
    public Manual manual() {
        return Manual.of(
                        "shards list",
                        OPERANDS,
                        "Lists shards: since, upper, states in the consensus, batches, updates, bytes, objects.")
                .note("Bytes are those of the batches' updates as they are stored, in objects and in the state.")
                .note(ONE_PROCESS)
                .example("all of a place", PLACES)
                .exits("a shard is damaged or of a newer version, or the place cannot be read");
    }

    @Override
    int work(Inspected place, ShardCall call) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("shard", "since", "upper", "states", "batches", "updates", "bytes", "objects"));
        List<String> unread = new ArrayList<>();
        for (String id : place.ids(call.operands())) {
            try {
                ShardState state = place.state(id);
                if (state != null) {
                    rows.add(row(state, place.versionsBelow(id, Long.MAX_VALUE)));
                }
            } catch (DamagedShardException | LocationException | NewerVersionException e) {
                unread.add(Text.describe(e));
            }
        }
        print(rows, call);
        unread.forEach(call.out()::println);
        Map<String, Long> strangers = place.strangers();
        if (!strangers.isEmpty()) {
            call.out().println(strangersText(strangers));
        }
        return unread.isEmpty() ? OK : FAILED;
    }

    static String strangersText(Map<String, Long> strangers) {
        long bytes = strangers.values().stream().mapToLong(Long::longValue).sum();
        return Text.grouped(strangers.size()) + " objects of " + Text.bytes(bytes)
                + " are of no shard of this consensus, "
                + strangers.keySet().iterator().next()
                + " is one; they may be of another one's";
    }

    private static List<String> row(ShardState state, int versions) {
        return List.of(
                state.id(),
                state.since().toString(),
                state.upper().toString(),
                Text.grouped(versions),
                Text.grouped(state.batches().size()),
                Text.grouped(
                        state.batches().stream().mapToLong(BatchState::updates).sum()),
                Text.bytes(state.batches().stream().mapToLong(ListVerb::bytes).sum()),
                Text.grouped(state.batches().stream()
                        .mapToLong(batch -> batch.objects().size())
                        .sum()));
    }

    static long bytes(BatchState batch) {
        return batch.parts().stream().mapToLong(BatchPart::bytes).sum();
    }

    /** In columns; numbers to the right. */
    private static void print(List<List<String>> rows, ShardCall call) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(row.get(0));
            line.append(" ".repeat(widths[0] - row.get(0).length()));
            for (int i = 1; i < widths.length; i++) {
                line.append("  ")
                        .append(" ".repeat(widths[i] - row.get(i).length()))
                        .append(row.get(i));
            }
            call.out().println(line);
        }
    }
}
