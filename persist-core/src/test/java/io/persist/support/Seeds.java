package io.persist.support;

import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashableStorage.Loss;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.opentest4j.TestAbortedException;

/**
 * Seeds of random tests. Each run prints the seeds it uses; {@code -Dseed=…} repeats the case of one seed.
 *
 * <p>With {@code -Dpersist.nightly=true} there are up to {@value #NIGHTLY_FACTOR} times as many cases: after those of a
 * build it goes on for a {@value #NIGHT_PARTS}th of the night, which {@code -Dpersist.minutes=} sets.
 */
public final class Seeds {

    private static final int NIGHTLY_FACTOR = 80;
    private static final long NIGHT_PARTS = 60;
    private static final long DEFAULT_NIGHT_MINUTES = 30;

    /** One case of a random test. */
    @FunctionalInterface
    public interface Case {
        void run(long seed) throws Exception;
    }

    private Seeds() {}

    /** One seed, printed. */
    public static long seed() {
        long seed = given() != null ? given() : random();
        System.out.println(caller() + ": -Dseed=" + seed);
        return seed;
    }

    /** Runs {@code count} cases, or the one of the seed that is given. */
    public static void run(int count, Case body) {
        boolean repeated = given() != null;
        long first = repeated ? given() : random();
        int cases = repeated ? 1 : isNightly() ? count * NIGHTLY_FACTOR : count;
        String caller = caller();
        System.out.println(caller + ": " + (isNightly() ? "up to " : "") + cases + " cases, -Dseed=" + first
                + (cases > 1 ? " and those derived from it" : ""));
        long startNs = System.nanoTime();
        long budgetNs = night().toNanos() / NIGHT_PARTS;
        for (int i = 0; i < cases && (i < count || System.nanoTime() - startNs < budgetNs); i++) {
            long seed = i == 0 ? first : scramble(first + i);
            try {
                body.run(seed);
            } catch (TestAbortedException skipped) {
                throw skipped;
            } catch (Throwable failure) {
                throw new AssertionError(
                        caller + ": case " + (i + 1) + " of " + cases + " failed, repeat it with -Dseed=" + seed + ": "
                                + failure + because(failure),
                        failure);
            }
        }
    }

    /** The summary at the end of a build has only the message, and a race may not come again. */
    private static String because(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? "" : ", because of " + cause + because(cause);
    }

    /**
     * Has {@code explorer} use {@code seed}, and try each fourth operation in a build, with one of the losses of a power
     * cut, which follow from it; at night all. The matrix of faults has a power cut at each operation in every build.
     */
    public static CrashExplorer lessInABuild(CrashExplorer explorer, long seed) {
        Loss[] all = Loss.values();
        explorer.seed(seed);
        return isNightly()
                ? explorer
                : explorer.everyNth(4).losses(all[(int) Long.remainderUnsigned(seed, all.length)]);
    }

    public static boolean isNightly() {
        return Boolean.getBoolean("persist.nightly");
    }

    /** The time that a night has for random cases. */
    public static Duration night() {
        return Duration.ofMinutes(Long.getLong("persist.minutes", DEFAULT_NIGHT_MINUTES));
    }

    private static Long given() {
        return Long.getLong("seed");
    }

    /** {@link java.util.Random} begins almost alike for neighbouring seeds; so cases must not have such. */
    private static long scramble(long value) {
        return new SplittableRandom(value).nextLong() >>> 16;
    }

    private static long random() {
        return ThreadLocalRandom.current().nextLong(1, 1L << 48);
    }

    private static String caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(frame -> frame.getDeclaringClass() != Seeds.class)
                        .findFirst()
                        .map(frame -> frame.getDeclaringClass().getSimpleName()
                                + '.'
                                + frame.getMethodName().replaceAll("lambda\\$(.*)\\$\\d+", "$1"))
                        .orElse("?"));
    }
}
