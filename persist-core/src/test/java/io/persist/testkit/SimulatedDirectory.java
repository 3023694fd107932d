package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import java.io.FileNotFoundException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The files of a {@link CrashableStorage} by their names, those of now and those of the device.
 *
 * <p>Not thread-safe: the storage locks.
 */
final class SimulatedDirectory {

    private static final long DEFAULT_CAPACITY = 1L << 40;
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** A name comes, goes or changes: {@code from} is null for a creation, {@code to} and the file for a deletion. */
    private record Change(
            @Nullable String from,
            @Nullable String to,
            @Nullable SimulatedFile file) {

        void applyTo(Map<String, SimulatedFile> names) {
            if (from != null) {
                names.remove(from);
            }
            if (to != null && file != null) {
                names.put(to, file);
            }
        }
    }

    private final Map<String, SimulatedFile> names = new TreeMap<>();
    private final Map<String, SimulatedFile> durableNames = new TreeMap<>();
    private final List<Change> unsynced = new ArrayList<>();
    private final long number = NUMBERS.incrementAndGet();
    private int nextId;
    private long capacityBytes = DEFAULT_CAPACITY;

    List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Nullable
    SimulatedFile find(String name) {
        return names.get(name);
    }

    /** Another one than that of the same file before a power cut or kill: what those leave is a copy. */
    long identity(String name) throws FileNotFoundException {
        SimulatedFile file = names.get(name);
        if (file == null) {
            throw new FileNotFoundException("no such file: " + name);
        }
        return (number << 32) + file.id + 1;
    }

    boolean has(String name) {
        return names.containsKey(name);
    }

    SimulatedFile create(String name) {
        SimulatedFile file = new SimulatedFile(nextId++, name);
        change(new Change(null, name, file));
        return file;
    }

    void rename(String from, String to) {
        SimulatedFile file = names.get(from);
        change(new Change(from, to, file));
        file.name = to;
    }

    void delete(String name) {
        change(new Change(name, null, null));
    }

    private void change(Change change) {
        change.applyTo(names);
        unsynced.add(change);
    }

    void sync() {
        unsynced.clear();
        durableNames.clear();
        durableNames.putAll(names);
    }

    void capacityBytes(long bytes) {
        capacityBytes = bytes;
    }

    long usedBytes() {
        return names.values().stream().mapToLong(SimulatedFile::length).sum();
    }

    long usableBytes() {
        return Math.max(0, capacityBytes - usedBytes());
    }

    /** How many of {@code growth} more bytes there is no space for. */
    int missing(int growth) {
        return (int) Math.min(growth, Math.max(0, usedBytes() + growth - capacityBytes));
    }

    /** What a reader of the file would see now. */
    byte[] content(String name) {
        SimulatedFile file = names.get(name);
        if (file == null) {
            throw new IllegalArgumentException("no such file, name=" + name + ", files=" + list());
        }
        return file.content();
    }

    /** What of the file is on the device, if it will have this name after a power cut. */
    byte @Nullable [] durableContent(String name) {
        SimulatedFile file = durableNames.get(name);
        return file == null ? null : file.deviceContent();
    }

    /** Makes {@code bytes} the durable content of a file, in place of what it had. */
    void replace(String name, byte[] bytes) {
        SimulatedFile file = names.get(name);
        if (file == null) {
            file = new SimulatedFile(nextId++, name);
            names.put(name, file);
            durableNames.put(name, file);
        }
        file.replace(bytes);
    }

    /** Flips a bit of each place where a file has {@code text}. */
    void damage(String text) {
        names.values().forEach(file -> file.damage(text));
    }

    /**
     * A copy of one moment, although threads may store into mappings meanwhile until they come to their next operation:
     * if everything is still as it was copied, it was so when the last of it had been copied.
     */
    SimulatedDirectory copyOfOneMoment() {
        SimulatedDirectory copy = copy();
        while (!hasTheContentOf(copy)) {
            copy = copy();
        }
        return copy;
    }

    private boolean hasTheContentOf(SimulatedDirectory copy) {
        return names.entrySet().stream()
                .allMatch(file -> file.getValue().hasTheContentOf(copy.names.get(file.getKey())));
    }

    /** A copy that shares nothing. */
    SimulatedDirectory copy() {
        SimulatedDirectory copy = new SimulatedDirectory();
        Map<SimulatedFile, SimulatedFile> copies = new HashMap<>();
        names.forEach((name, file) -> copy.names.put(name, copies.computeIfAbsent(file, SimulatedFile::copy)));
        durableNames.forEach(
                (name, file) -> copy.durableNames.put(name, copies.computeIfAbsent(file, SimulatedFile::copy)));
        for (Change change : unsynced) {
            SimulatedFile file = change.file == null ? null : copies.computeIfAbsent(change.file, SimulatedFile::copy);
            copy.unsynced.add(new Change(change.from, change.to, file));
        }
        copy.nextId = nextId;
        copy.capacityBytes = capacityBytes;
        return copy;
    }

    /** Keeps of the changes of names a prefix and of the data what {@code loss} says; all of it is durable then. */
    void powerCut(Random random, Loss loss) {
        int kept = switch (loss) {
            case ALL_KEPT -> unsynced.size();
            case ALL_LOST -> 0;
            case RANDOM, ORDERED_PREFIX -> random.nextInt(unsynced.size() + 1);
        };
        unsynced.subList(0, kept).forEach(change -> change.applyTo(durableNames));
        unsynced.clear();
        names.clear();
        names.putAll(durableNames);
        names.forEach((name, file) -> file.name = name);
        List<SimulatedFile> files = new ArrayList<>(new HashSet<>(names.values()));
        files.sort((a, b) -> Integer.compare(a.id, b.id));
        switch (loss) {
            case ALL_KEPT -> files.forEach(SimulatedFile::writeBackAll);
            case ALL_LOST -> {}
            case RANDOM -> files.forEach(file -> file.writeBackRandomly(random));
            case ORDERED_PREFIX -> writeBackPrefix(files, random);
        }
        files.forEach(SimulatedFile::reboot);
    }

    private static void writeBackPrefix(List<SimulatedFile> files, Random random) {
        int dirty = files.stream().mapToInt(file -> file.dirtySectors().size()).sum();
        int kept = random.nextInt(dirty + 1);
        for (SimulatedFile file : files) {
            for (int sector : file.dirtySectors()) {
                kept--;
                if (kept < 0) {
                    return;
                }
                if (kept == 0 && random.nextBoolean()) {
                    file.tearSector(sector, random);
                } else {
                    file.writeBackSector(sector);
                }
            }
        }
    }

    /** Writes some dirty sectors of some files to the device. */
    void writeBack(Random random) {
        for (SimulatedFile file : names.values()) {
            if (random.nextBoolean()) {
                double share = random.nextDouble();
                file.dirtySectors().stream()
                        .filter(sector -> random.nextDouble() < share)
                        .forEach(file::writeBackSector);
            }
        }
    }
}
