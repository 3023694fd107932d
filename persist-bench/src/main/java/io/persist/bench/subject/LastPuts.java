package io.persist.bench.subject;

import io.persist.bench.load.Stretch;
import io.persist.bench.record.KeyPattern;
import java.util.Arrays;

/** Which put to each key was the last of a run: what the store has to hold afterwards. */
public final class LastPuts {

    private static final long NONE = -1;

    private final KeyPattern pattern;
    private final Stretch stretch;
    /** By key; only of random ones, the others follow from their numbers. */
    private final long[] indexes;

    private final long count;

    private LastPuts(KeyPattern pattern, Stretch stretch, long[] indexes) {
        this.pattern = pattern;
        this.stretch = stretch;
        this.indexes = indexes;
        this.count = pattern.order() == KeyPattern.Order.RANDOM
                ? Arrays.stream(indexes).filter(index -> index != NONE).count()
                : countSequential();
    }

    private long countSequential() {
        long keys = 0;
        for (int producer = 0; producer < pattern.producers(); producer++) {
            keys += Math.min(pattern.share(producer), own(producer));
        }
        return keys;
    }

    private long own(int producer) {
        return stretch.perProducer().get(producer).count();
    }

    public static LastPuts of(KeyPattern pattern, Stretch stretch) {
        if (pattern.order() == KeyPattern.Order.SEQUENTIAL) {
            return new LastPuts(pattern, stretch, new long[0]);
        }
        long[] indexes = new long[(int) pattern.keys()];
        Arrays.fill(indexes, NONE);
        for (int producer = 0; producer < pattern.producers(); producer++) {
            for (long i = 0; i < stretch.perProducer().get(producer).count(); i++) {
                long index = i * pattern.producers() + producer;
                indexes[(int) pattern.number(index)] = index;
            }
        }
        return new LastPuts(pattern, stretch, indexes);
    }

    /** The index of the last put to the key of this number, below 0 if there was none. */
    public long index(long key) {
        if (pattern.order() == KeyPattern.Order.RANDOM) {
            return indexes[(int) key];
        }
        int producer = (int) (key % pattern.producers());
        long slot = key / pattern.producers();
        long own = own(producer);
        if (slot >= own) {
            return NONE;
        }
        long share = pattern.share(producer);
        long last = slot + (own - 1 - slot) / share * share;
        return last * pattern.producers() + producer;
    }

    /** How many keys were put. */
    public long count() {
        return count;
    }
}
