package io.persist.shard.state;

import io.persist.shard.model.Frontier;
import io.persist.shard.state.AppendTable.Decision;
import io.persist.shard.state.AppendTable.Facts;
import java.util.ArrayList;
import java.util.List;

/** Transitions that add updates. */
public final class Appends {

    /**
     * What a writer wants.
     *
     * @param writer its id
     * @param owner the id of the writer that has made the batch's objects
     * @param token of this append
     * @param batch what is to be appended
     * @param nowMs the writer's clock, in ms since 1970
     */
    public record Wish(String writer, String owner, String token, BatchState batch, long nowMs) {}

    /**
     * What became of it.
     *
     * @param decision of the table
     * @param upper of the shard after it; that of the writer's last append if this has the same token
     */
    public record Outcome(Decision decision, Frontier upper) {}

    private Appends() {}

    /** Appends the batch, if the table says so. */
    public static Step<Outcome> append(ShardState state, Wish wish) {
        BatchState batch = wish.batch();
        WriterState writer = state.writers().get(wish.writer());
        Facts facts = new Facts(
                !batch.upper().isBelow(batch.lower()),
                batch.lower().isBelow(batch.upper()) || batch.updates() == 0,
                writer != null,
                writer != null && writer.token().equals(wish.token()),
                writer != null && writer.upper().equals(batch.upper()),
                state.upper().equals(batch.lower()),
                batch.objects().isEmpty() || state.writers().containsKey(wish.owner()));
        Decision decision = AppendTable.lookUp(facts).decision();
        boolean isOfLast = decision == Decision.ALREADY || decision == Decision.REUSED;
        if (isOfLast && writer != null) {
            return new Step<>(state, new Outcome(decision, writer.upper()));
        }
        if (decision != Decision.APPEND || writer == null || batch.lower().equals(batch.upper())) {
            return new Step<>(state, new Outcome(decision, state.upper()));
        }
        List<BatchState> batches = new ArrayList<>(state.batches().size() + 1);
        batches.addAll(state.batches());
        batches.add(batch);
        ShardState next = state.withUpper(batch.upper(), batches)
                .withWriters(writers ->
                        writers.put(wish.writer(), writer.appended(wish.token(), batch.upper(), wish.nowMs())));
        return new Step<>(Merges.dropUnreadable(next), new Outcome(decision, batch.upper()));
    }
}
