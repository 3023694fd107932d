package io.persist.matrix;

import java.time.Duration;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often an exercise tries its fault: a little with each build, much at night, when random cases go on beyond the
 * needed ones until their share of the night's time is over. Counts the cases.
 *
 * <p><b>Threads:</b> one.
 */
public final class Effort {

    private static final int CONTROL_FACTOR = 40;

    /** Of so many cases that are alike a build takes one. */
    private static final int ALIKE = 8;

    private final String where;
    private final boolean isNightly;
    private final Duration budget;
    private final boolean isControl;
    private long cases;

    /**
     * An effort that says {@code where} it is when a case fails.
     *
     * @param budget the time for random cases at night, over which the last one may go
     */
    Effort(String where, boolean isNightly, Duration budget) {
        this(where, isNightly, budget, false);
    }

    private Effort(String where, boolean isNightly, Duration budget, boolean isControl) {
        this.where = where;
        this.isNightly = isNightly;
        this.budget = budget;
        this.isControl = isControl;
    }

    /**
     * An effort with a build that is broken on purpose: enough for faults that need luck to show, and without a search
     * for the smallest case, since the first failure is all that is wanted.
     */
    public static Effort ofControl(String where) {
        return new Effort(where, false, Duration.ZERO, true);
    }

    /** A random case. */
    @FunctionalInterface
    public interface Case {

        /** All that is random follows from {@code random}; a smaller {@code size} makes a smaller case. */
        void run(Random random, int size) throws Exception;
    }

    /** A fault at the n-th chance for it. */
    @FunctionalInterface
    public interface Nth {

        /** Tries it with {@code n}, from 1; false if there were fewer chances, so that nothing happened. */
        boolean hasStruck(int n) throws Exception;
    }

    public boolean isNightly() {
        return isNightly;
    }

    /** How often to do something whose cases are in an order. */
    public int times(int inBuild, int atNight) {
        int ofControl = Math.min(CONTROL_FACTOR * inBuild, atNight);
        return isControl ? ofControl : isNightly ? atNight : inBuild;
    }

    /** Whether to try the next one of many cases that are alike: at night each, in a build one of eight, at random. */
    public boolean takesNext() {
        boolean takesAll = isNightly || isControl || Long.getLong("seed") != null;
        return takesAll || ThreadLocalRandom.current().nextInt(ALIKE) == 0;
    }

    /** {@code count} cases more were tried. */
    public void tried(long count) {
        cases += count;
    }

    /** How many cases were tried. */
    public long cases() {
        return cases;
    }

    /**
     * Tries {@code body} with one seed after the other, as often as it says for a build or a night. One that fails is
     * tried again with smaller sizes, and the smallest one that fails is reported, with the command that repeats it.
     *
     * @param size the largest, and usual, size of a case
     */
    public void random(int inBuild, int atNight, int size, Case body) {
        Long given = Long.getLong("seed");
        if (given != null) {
            attempt(given, Integer.getInteger("size", size), body);
            return;
        }
        long first = ThreadLocalRandom.current().nextLong(1, 1L << 48);
        System.out.println(where + ": -Dseed=" + first + " and those derived from it");
        long endNs = System.nanoTime() + budget.toNanos();
        for (int i = 0; i < times(inBuild, atNight) || isNightly && System.nanoTime() - endNs < 0; i++) {
            attempt(i == 0 ? first : new SplittableRandom(first + i).nextLong() >>> 16, size, body);
        }
    }

    /**
     * Tries {@code fault} at the first chance, the second and so on until there are no more; in a build at each
     * {@code stride}-th, of which {@code random} chooses the first. With a build that is broken on purpose the other
     * ones follow: what it breaks shows at several chances side by side, of which one is found sooner like that.
     */
    public void everyChance(int stride, Random random, Nth fault) throws Exception {
        int step = isNightly ? 1 : stride; // a control is none of a night
        int first = random.nextInt(step);
        for (int i = 0; i < (isControl ? step : 1); i++) {
            everyChance(1 + (first + i) % step, step, fault);
        }
    }

    private void everyChance(int first, int step, Nth fault) throws Exception {
        boolean hasStruck = true;
        for (int n = first; hasStruck; n += step) {
            hasStruck = fault.hasStruck(n);
            cases++;
        }
    }

    private void attempt(long seed, int size, Case body) {
        cases++;
        Throwable failure = failure(seed, size, body);
        int smallest = size;
        for (int smaller = 1; failure != null && !isControl && smaller < smallest; smaller *= 2) {
            Throwable again = failure(seed, smaller, body);
            if (again != null) {
                failure = again;
                smallest = smaller;
            }
        }
        if (failure != null) {
            throw new AssertionError(
                    where + " failed, repeat it with -Dseed=" + seed + " -Dsize=" + smallest + ": " + failure, failure);
        }
    }

    private static Throwable failure(long seed, int size, Case body) {
        try {
            body.run(new Random(seed), size);
            return null;
        } catch (Throwable failed) {
            return failed;
        }
    }
}
