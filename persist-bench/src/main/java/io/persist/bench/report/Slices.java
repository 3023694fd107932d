package io.persist.bench.report;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts intervals together to slices, so that a long run does not take more of the page than a short one. A slice is of
 * whole intervals, one after another, and at least so long as is wanted.
 *
 * @param <T> what is known of an interval; that of the first one of a slice takes the others in
 */
final class Slices<T> {

    private final long minLengthNs;
    private final BiConsumer<T, T> addition;
    private final Function<T, List<Long>> numbers;
    private final List<List<Long>> rows = new ArrayList<>();

    /** The last two that have ended. The others are rows already: a histogram takes a lot of memory. */
    private final Deque<Slice<T>> ended = new ArrayDeque<>();

    private @Nullable Slice<T> current;

    /**
     * @param addition adds the second one to the first
     * @param numbers what a row says, after the start and the end of the slice
     */
    Slices(long minLengthNs, BiConsumer<T, T> addition, Function<T, List<Long>> numbers) {
        this.minLengthNs = minLengthNs;
        this.addition = addition;
        this.numbers = numbers;
    }

    /** Adds the next interval; times since the start of the run. */
    void add(long startNs, long endNs, T content) {
        Slice<T> slice = current == null ? new Slice<>(startNs, endNs, content) : extended(current, endNs, content);
        current = slice;
        if (slice.lengthNs() >= minLengthNs) {
            end(slice);
        }
    }

    private void end(Slice<T> slice) {
        current = null;
        ended.addLast(slice);
        if (ended.size() > 2) {
            rows.add(row(ended.removeFirst()));
        }
    }

    /**
     * A row for each, which must not be asked for twice. The last interval ends when the run does: where the last slice
     * is much shorter than the one before, it becomes part of that, as its rate would be one of chance.
     */
    List<List<Long>> rows() {
        if (current != null) {
            end(current);
        }
        if (ended.size() == 2 && ended.getLast().lengthNs() < ended.getFirst().lengthNs() / 2) {
            Slice<T> tail = ended.removeLast();
            ended.addLast(extended(ended.removeLast(), tail.endNs, tail.content));
        }
        ended.forEach(slice -> rows.add(row(slice)));
        return List.copyOf(rows);
    }

    private List<Long> row(Slice<T> slice) {
        List<Long> row = new ArrayList<>(List.of(slice.startNs, slice.endNs));
        row.addAll(numbers.apply(slice.content));
        return row;
    }

    private Slice<T> extended(Slice<T> slice, long endNs, T content) {
        addition.accept(slice.content, content);
        return new Slice<>(slice.startNs, Math.max(slice.endNs, endNs), slice.content);
    }

    private record Slice<T>(long startNs, long endNs, T content) {

        long lengthNs() {
            return endNs - startNs;
        }
    }
}
