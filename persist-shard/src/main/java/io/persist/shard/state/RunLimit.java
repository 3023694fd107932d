package io.persist.shard.state;

import java.util.List;

/**
 * How many runs are read side by side. A run with long rows counts as several, so that memory has a bound whatever
 * their length.
 *
 * @param runs the most
 * @param bytes what is in memory of a run that counts as one, at most
 * @param memory what of a part is in memory
 */
public record RunLimit(int runs, int bytes, Memory memory) {

    /** What of a part is in memory while it is read. */
    public enum Memory {
        /** All. */
        PART,

        /** A row, beside short pieces of all runs. */
        ROW
    }

    /** As how many it counts. */
    int countOf(List<BatchPart> run) {
        int most = 0;
        for (BatchPart part : run) {
            most = Math.max(most, memoryOf(part));
        }
        return Math.max(1, (int) ((most + bytes - 1L) / bytes));
    }

    /** As how many its runs count. */
    public long countOf(BatchState batch) {
        return countOfAll(batch.runs());
    }

    /** As how many all of them count. */
    public long countOfAll(List<List<BatchPart>> all) {
        return all.stream().mapToLong(this::countOf).sum();
    }

    /** How many of the first ones are within the limit: two at least, as less is no merge. */
    public int first(List<List<BatchPart>> all) {
        long count = 0;
        int first = 0;
        while (first < all.size() && (first < 2 || count + countOf(all.get(first)) <= runs)) {
            count += countOf(all.get(first));
            first++;
        }
        return first;
    }

    /**
     * Whether a reader of all {@code batches} needs more memory than so many merges have. Each append asks: of a run
     * but the first part is looked at, as the others are about the same.
     */
    public boolean isExceededBy(List<BatchState> batches, int merges) {
        long sum = 0;
        for (BatchState batch : batches) {
            for (List<BatchPart> run : batch.runs()) {
                sum += run.isEmpty() ? 0 : memoryOf(run.get(0));
            }
        }
        return sum > (long) merges * runs * bytes;
    }

    private int memoryOf(BatchPart part) {
        return memory == Memory.PART ? part.bytes() : part.longest();
    }
}
