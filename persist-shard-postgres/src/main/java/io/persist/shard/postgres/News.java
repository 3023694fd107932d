package io.persist.shard.postgres;

import io.persist.shard.location.Consensus;
import io.persist.shard.location.TimedWait;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The newest versions that this process has made or was told of, to wake its threads that wait for them. It hears of
 * all keys of the database, also of those that nobody here has asked for: so it keeps those that were told last. Of
 * another one a thread that begins to wait knows nothing, as if a signal were lost: it looks a moment later.
 *
 * <p><b>Threads:</b> any.
 */
final class News {

    /**
     * What was told of a key.
     *
     * @param number the greatest
     * @param tellings how many there were of all keys, with the last one of this key
     */
    record Told(long number, long tellings) {}

    private static final int MOST_KEYS = 10_000;

    /** The one that was told longest ago comes first. */
    private final Map<String, Told> newest = new LinkedHashMap<>();

    private long tellings;
    private long gaps;

    /** The key has the version {@code number} now. */
    synchronized void tell(String key, long number) {
        tellings++;
        Told told = new Told(Math.max(number, told(key).number()), tellings);
        newest.remove(key);
        newest.put(key, told);
        if (newest.size() > MOST_KEYS) {
            newest.remove(newest.keySet().iterator().next());
        }
        notifyAll();
    }

    /** What was told of {@code key}; {@link Consensus#NONE} if it is nothing. */
    synchronized Told told(String key) {
        return newest.getOrDefault(key, new Told(Consensus.NONE, 0));
    }

    /** Forgets {@code wrong}, of which it was found out that it is not so, unless more was told since. */
    synchronized void forget(String key, Told wrong) {
        newest.remove(key, wrong);
    }

    /** Something may have been missed: all threads that wait have to look. */
    synchronized void tellOfAGap() {
        gaps++;
        notifyAll();
    }

    /** How often something may have been missed. */
    synchronized long gaps() {
        return gaps;
    }

    /**
     * Waits at most {@code longestNs} for a number above {@code number}, or another gap than those that are known.
     *
     * @param check asked each second; it may throw
     * @return whether there is such a number
     */
    boolean await(String key, long number, long longestNs, long knownGaps, Runnable check) throws InterruptedException {
        boolean unused = TimedWait.until(this, () -> isKnown(key, number) || gaps() != knownGaps, longestNs, check);
        return isKnown(key, number);
    }

    private synchronized boolean isKnown(String key, long number) {
        return told(key).number() > number;
    }
}
