package io.persist.shard.location.mem;

import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.NewestVersion;
import io.persist.shard.location.Version;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Versions in maps. */
public final class MemConsensus implements Consensus {

    private static final class Versions {
        private final NewestVersion newest = new NewestVersion();

        /** Only in turn. */
        private final NavigableMap<Long, Version> all = new TreeMap<>();
    }

    private final Map<String, Versions> versions = new ConcurrentHashMap<>();

    /** An empty one. */
    public MemConsensus() {}

    /** Null if the key has no version: nothing is kept of keys that somebody has only asked for. */
    private @Nullable Versions of(String key) {
        return versions.get(Blob.checkName(key));
    }

    @Override
    public List<String> keys() {
        return versions.entrySet().stream()
                .filter(entry -> entry.getValue().newest.get() != null)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public @Nullable Version head(String key) {
        Versions of = of(key);
        return of == null ? null : of.newest.get();
    }

    @Override
    public boolean compareAndSet(String key, long expected, Version next) {
        NewestVersion.checkNext(key, expected, next);
        Versions of = expected == NONE ? versions.computeIfAbsent(key, missing -> new Versions()) : of(key);
        if (of == null) {
            return false;
        }
        of.newest.turn().lock();
        try {
            if (of.newest.number() != expected) {
                return false;
            }
            of.all.put(next.number(), next);
            of.newest.publish(next);
            return true;
        } finally {
            of.newest.turn().unlock();
        }
    }

    @Override
    public List<Version> scan(String key, long from, int limit) {
        Versions of = of(key);
        if (of == null) {
            return List.of();
        }
        of.newest.turn().lock(); // beside a truncation it would find gaps
        try {
            return of.all.tailMap(from, true).values().stream().limit(limit).toList();
        } finally {
            of.newest.turn().unlock();
        }
    }

    @Override
    public int truncate(String key, long number) {
        Versions of = of(key);
        if (of == null) {
            throw NewestVersion.noneToTruncate(key);
        }
        of.newest.turn().lock();
        try {
            of.newest.checkTruncate(key, number);
            int before = of.all.size();
            of.all.headMap(number, false).clear();
            return before - of.all.size();
        } finally {
            of.newest.turn().unlock();
        }
    }

    @Override
    public void awaitChange(String key, long number, Duration timeout, Runnable check) throws InterruptedException {
        Versions of = of(key);
        if (of == null) {
            Consensus.super.awaitChange(key, number, timeout, check);
        } else {
            of.newest.await(number, timeout, check);
        }
    }

    @Override
    public void close() {}
}
