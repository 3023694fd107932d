package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Injection.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries a program against power cuts, kills, failing operations and full disks, at every operation that it does.
 *
 * <pre>{@code
 * CrashExplorer.of(AccountScript::new).explore();
 * }</pre>
 *
 * <p>A first run without a fault tells the script's operations at the storage. Then, for each of them in their order, a
 * new script runs on an empty storage until the fault happens there: the power is cut, once for each {@link Loss}; the
 * process is killed; the operation fails with EIO; or the disk is full from there on. What is left is opened and
 * checked, opened a second time, and opened after an opening that was stopped too: all have to see the same. Then the
 * script lives on without a fault, the power is cut after its end, and it is checked once more. So a point takes two
 * lives and five openings.
 *
 * <p>Random histories follow: several lives, each with a fault at random, and data that reaches the device before it
 * is synced.
 *
 * <p>The first failure ends it. Operations are tried in their order, so no shorter beginning of the script fails.
 * The {@link CrashFailure} names the operation, the fault, the loss and the seed. The system properties that it names
 * repeat just that: {@code -Dcrash=} a {@link CrashPoint} or {@value #LIVES}, and {@code -Dseed=}. {@code -Dseed=}
 * alone repeats everything.
 *
 * <p>A script with threads of its own, or with loggers that have some, does not do the same each time. So operations
 * are told by their text and occurrence; an operation that is new in any run gets its turn too; and one that a run
 * misses is tried {@value #ATTEMPTS} times, after which {@link Exploration#unreached} counts its points. A failure may
 * then need several repetitions to come again. A UUID in the name of a file counts as any other one.
 *
 * <p>A script should have some hundred operations; {@value #MOST_OPERATIONS} are the most.
 *
 * <p><b>Threads:</b> one. While it explores, it is the JVM's handler of {@linkplain UncaughtErrors uncaught errors}.
 */
public final class CrashExplorer {

    /** In place of a point: the failure was in a random history. Behind a colon are its losses, if it had not all. */
    public static final String LIVES = "LIVES";

    private static final int DEFAULT_HISTORIES = 20;
    private static final int MOST_LIVES = 5;
    private static final int MOST_OPERATIONS = 5000;
    private static final int ATTEMPTS = 3;
    private static final Operation END = new Operation(CrashPoint.END, 1);

    private final Supplier<? extends CrashScript> scripts;
    private List<Fault> faults = List.of(Fault.values());
    private List<Loss> losses = List.of(Loss.values());
    private int histories = DEFAULT_HISTORIES;
    private Duration budget = Duration.ZERO;
    private int step = 1;
    private long seed = ThreadLocalRandom.current().nextLong(1, 1L << 48);

    private final Set<Operation> known = new HashSet<>();
    private final Queue<Operation> waiting = new ArrayDeque<>();
    private int points;
    private int unreached;

    private CrashExplorer(Supplier<? extends CrashScript> scripts) {
        this.scripts = scripts;
        String given = System.getProperty("seed");
        if (given != null) {
            try {
                seed = Long.parseLong(given);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("no seed: -Dseed=" + given + "; needed is a whole number", e);
            }
        }
    }

    /** An explorer of a script, of which {@code scripts} makes a new one for each trial. */
    public static CrashExplorer of(Supplier<? extends CrashScript> scripts) {
        return new CrashExplorer(scripts);
    }

    /** Only these faults; by default all. */
    public CrashExplorer faults(Fault first, Fault... more) {
        faults = List.copyOf(withFirst(first, more));
        return this;
    }

    /** Only these losses; by default all. */
    public CrashExplorer losses(Loss first, Loss... more) {
        losses = List.copyOf(withFirst(first, more));
        return this;
    }

    private static <T> Set<T> withFirst(T first, T[] more) {
        Set<T> all = new LinkedHashSet<>();
        all.add(first);
        all.addAll(Arrays.asList(more));
        return all;
    }

    /**
     * Only each {@code n}th operation, from one of the first {@code n} on, which the seed draws: for scripts that are
     * too long to try all of them each time. By default 1, which is all. Random histories stay as they are.
     *
     * @throws IllegalArgumentException if {@code n} is less than 1
     */
    public CrashExplorer everyNth(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("n must be at least 1, n=" + n);
        }
        step = n;
        return this;
    }

    /** So many random histories, of up to {@value #MOST_LIVES} lives each; {@value #DEFAULT_HISTORIES} by default. */
    public CrashExplorer randomLives(int count) {
        histories = count;
        budget = Duration.ZERO;
        return this;
    }

    /** As many random histories as are begun in this time. */
    public CrashExplorer randomLives(Duration time) {
        histories = 0;
        budget = time;
        return this;
    }

    /** The seed of all that is random; by default that of {@code -Dseed=}, else another one each time. */
    public CrashExplorer seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Tries all points, then the random histories; or only what the system property {@code crash} says.
     *
     * @throws CrashFailure if the script fails
     * @throws IllegalStateException if it has too many operations
     */
    @SuppressWarnings("try") // the handler is there for the threads
    public Exploration explore() {
        String crash = System.getProperty("crash");
        if (crash != null) {
            replay(crash);
            return new Exploration(0, 1, 0, 0, seed);
        }
        try (UncaughtErrors ofThreads = new UncaughtErrors()) {
            known.clear();
            waiting.clear();
            points = 0;
            unreached = 0;
            findOperations();
            tryPoints();
            return new Exploration(known.size(), points, unreached, tryHistories(), seed);
        }
    }

    /**
     * Tries one point again, or one random history.
     *
     * @param crash what {@link CrashFailure#crash} says
     * @throws CrashFailure if the script fails
     */
    @SuppressWarnings("try")
    public void replay(String crash) {
        try (UncaughtErrors ofThreads = new UncaughtErrors()) {
            if (CrashLives.isText(crash)) {
                live(seed, CrashLives.parse(crash, losses));
            } else {
                attempt(CrashPoint.parse(crash), "");
            }
        }
    }

    private void findOperations() {
        Trial trial = new Trial(scripts.get(), new Random(seed));
        Injection watching = Injection.none(trial.storage());
        trial.live(watching);
        waiting.add(END);
        learn(watching);
    }

    private void learn(Injection life) {
        for (Operation operation : life.operations()) {
            if (known.add(operation)) {
                waiting.add(operation);
            }
        }
        if (known.size() > MOST_OPERATIONS) {
            throw new IllegalStateException("the script has more than " + MOST_OPERATIONS
                    + " operations at the storage; shorten it, or take shorter segments");
        }
    }

    private void tryPoints() {
        int planned = known.size();
        int first = (int) (scramble(seed) % step);
        for (int number = 0; !waiting.isEmpty(); number++) {
            Operation operation = waiting.remove();
            if (number % step == first) {
                tryPoints(operation, number, planned);
            }
        }
    }

    private void tryPoints(Operation operation, int number, int planned) {
        boolean isReachable = true;
        for (CrashPoint point : CrashPoint.at(operation, number / step, faults, losses)) {
            boolean isFirst = step == 1 && number <= planned && unreached == 0; // all before it were tried
            isReachable = isReachable && isReached(point, isFirst ? "; no earlier operation of the script fails" : "");
            points++;
            unreached += isReachable ? 0 : 1;
        }
    }

    private boolean isReached(CrashPoint point, String remark) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Injection life = attempt(point, remark);
            learn(life);
            if (life.struckAt() != null || point.operation().equals(CrashPoint.END)) {
                return true;
            }
        }
        return false;
    }

    private Injection attempt(CrashPoint point, String remark) {
        long scrambled = scramble(seed ^ point.toString().hashCode());
        Trial trial = new Trial(scripts.get(), new Random(scrambled));
        Injection life = Injection.at(point, trial.storage());
        try {
            trial.live(life);
            trial.examine(point.fault(), point.loss());
            trial.goOn(point.fault());
            return life;
        } catch (Throwable failure) {
            throw failed(where(point.fault(), point.loss(), life), remark, point.toString(), seed, failure);
        }
    }

    private int tryHistories() {
        long startNs = System.nanoTime();
        int done = 0;
        while (done < histories || System.nanoTime() - startNs < budget.toNanos()) {
            live(done == 0 ? seed : scramble(seed + done), new CrashLives(losses));
            done++;
        }
        return done;
    }

    private void live(long historySeed, CrashLives any) {
        Random random = new Random(historySeed);
        Trial trial = new Trial(scripts.get(), random);
        int lives = 2 + random.nextInt(MOST_LIVES - 1);
        Fault fault = Fault.POWER_CUT;
        Loss loss = Loss.ALL_LOST;
        Injection life = null;
        int number = 1;
        try {
            for (; number <= lives; number++) {
                fault = faults.get(random.nextInt(faults.size()));
                loss = any.losses().get(random.nextInt(any.losses().size()));
                int operation = 1 + random.nextInt(1 << (1 + random.nextInt(12)));
                life = Injection.from(operation, fault, loss, trial.storage(), new Random(random.nextLong()));
                trial.live(life);
                trial.examine(fault, loss);
            }
            trial.goOn(fault);
        } catch (Throwable failure) {
            String where = "life " + number + " of a random history, " + where(fault, loss, life);
            throw failed(where, "; no shorter part of this history fails", any.toString(), historySeed, failure);
        }
    }

    private static String where(Fault fault, Loss loss, @Nullable Injection life) {
        String operation = life == null ? null : life.struckAt();
        return fault + (operation == null ? " after the end of run()" : " at " + operation) + ", loss " + loss;
    }

    private static CrashFailure failed(String where, String remark, String crash, long seed, Throwable failure) {
        return new CrashFailure(where + ", " + failure.getMessage() + remark, crash, seed, failure);
    }

    /** {@link Random} begins almost alike for neighbouring seeds. */
    private static long scramble(long value) {
        return new SplittableRandom(value).nextLong() >>> 16;
    }
}
