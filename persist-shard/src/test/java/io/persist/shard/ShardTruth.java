package io.persist.shard;

import io.persist.shard.model.Frontier;
import io.persist.shard.model.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What actors were told, and whether one history explains all of it. Each append has a key of its own, with one update
 * for each of its times.
 */
final class ShardTruth {

    /** What the actor of an append was told in the end. */
    enum Told {
        NOTHING,
        HAPPENED,
        DID_NOT
    }

    /** An append, with all its repetitions. */
    static final class Attempt {
        final String key;
        final long lower;
        final long upper;

        /** Whether it leaves out what is there already, so that only its end may be there. */
        final boolean isCut;

        Told told = Told.NOTHING;

        Attempt(String key, long lower, long upper, boolean isCut) {
            this.key = key;
            this.lower = lower;
            this.upper = upper;
            this.isCut = isCut;
        }

        /** What of it is there, if {@code count} updates are. */
        Attempt left(long count) {
            return new Attempt(key, upper - count, upper, isCut);
        }

        List<Update<String, String>> updates() {
            return ShardRig.updates(key, lower, upper);
        }

        /** How many of its updates are there as of a time. */
        long asOf(long time) {
            return Math.max(0, Math.min(time + 1, upper) - lower);
        }
    }

    private record Snapped(long asOf, Map<String, Long> contents) {}

    private record Heard(long asOf, Frontier frontier, Map<String, List<Long>> times) {}

    private final List<Attempt> attempts = new ArrayList<>();
    private final List<Snapped> snapshots = new ArrayList<>();
    private final List<Heard> heard = new ArrayList<>();
    private Frontier acknowledged = Frontier.MINIMUM;

    Attempt attempt(long lower, long upper, boolean isCut) {
        Attempt attempt = new Attempt("a" + attempts.size(), lower, upper, isCut);
        attempts.add(attempt);
        return attempt;
    }

    int snapshots() {
        return snapshots.size();
    }

    Frontier acknowledged() {
        return acknowledged;
    }

    /** An upper that somebody was told. One that was told before the call is never taken back. */
    void told(Frontier upper, Frontier before) {
        if (upper.isBelow(before)) {
            throw new AssertionError("upper=" + upper + " after upper=" + before + " was acknowledged");
        }
        acknowledged = Frontier.greatest(acknowledged, upper);
    }

    void snapped(long asOf, Map<String, Long> contents) {
        snapshots.add(new Snapped(asOf, contents));
    }

    /** All that a listener was given from {@code asOf} up to its last progress. */
    void heard(long asOf, Frontier frontier, Map<String, List<Long>> times) {
        heard.add(new Heard(asOf, frontier, times));
    }

    /** {@code contents} are the final ones, and tell which appends of unknown outcome happened. */
    void check(Frontier upper, Map<String, Long> contents) {
        TreeMap<Long, Attempt> chain = new TreeMap<>();
        for (Attempt attempt : attempts) {
            long sum = contents.getOrDefault(attempt.key, 0L);
            boolean isThere = sum != 0;
            boolean isWhole = sum == attempt.upper - attempt.lower;
            boolean isEnd = attempt.isCut && sum > 0 && sum < attempt.upper - attempt.lower;
            check(!isThere || isWhole || isEnd, attempt.key + " is there in part: " + sum);
            check(attempt.told != Told.HAPPENED || isThere, attempt.key + " was acknowledged and is lost");
            check(attempt.told != Told.DID_NOT || !isThere, attempt.key + " is there though it did not happen");
            if (isThere) {
                Attempt left = attempt.left(sum);
                check(chain.put(left.lower, left) == null, "two appends at " + left.lower);
            }
        }
        long end = 0;
        for (Attempt attempt : chain.values()) {
            check(attempt.lower == end, "a gap from " + end + " to " + attempt.lower);
            end = attempt.upper;
        }
        check(upper.equals(Frontier.at(end)), "upper=" + upper + ", and the last append ends at " + end);
        check(!upper.isBelow(acknowledged), "upper=" + upper + " is below what was acknowledged, " + acknowledged);
        for (Snapped snapshot : snapshots) {
            Map<String, Long> expected = new HashMap<>();
            for (Attempt attempt : chain.values()) {
                if (attempt.asOf(snapshot.asOf()) > 0) {
                    expected.put(attempt.key, attempt.asOf(snapshot.asOf()));
                }
            }
            check(
                    expected.equals(snapshot.contents()),
                    "as of " + snapshot.asOf() + " there was " + snapshot.contents() + " and not " + expected);
        }
        heard.forEach(listener -> checkHeard(listener, chain));
    }

    private static void checkHeard(Heard listener, TreeMap<Long, Attempt> chain) {
        Map<String, List<Long>> expected = new HashMap<>();
        for (Attempt attempt : chain.values()) {
            for (long time = Math.max(attempt.lower, listener.asOf() + 1); time < attempt.upper; time++) {
                if (listener.frontier().isBehind(time)) {
                    expected.computeIfAbsent(attempt.key, none -> new ArrayList<>())
                            .add(time);
                }
            }
        }
        Map<String, List<Long>> sorted = new HashMap<>();
        listener.times()
                .forEach((key, times) -> sorted.put(key, times.stream().sorted().toList()));
        Set<String> wrong = new TreeSet<>();
        for (Map<String, List<Long>> map : List.of(expected, sorted)) {
            map.keySet().stream()
                    .filter(key -> !Objects.equals(expected.get(key), sorted.get(key)))
                    .forEach(key -> wrong.add(key + ": " + sorted.get(key) + " and not " + expected.get(key)));
        }
        check(wrong.isEmpty(), "from " + listener.asOf() + " to " + listener.frontier() + " a listener heard " + wrong);
    }

    private static void check(boolean isSo, String what) {
        if (!isSo) {
            throw new AssertionError(what);
        }
    }
}
