package io.persist.matrix.damage;

import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.Durability;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.matrix.Effort;
import io.persist.matrix.Entries;
import io.persist.matrix.Life;
import io.persist.matrix.Subject;
import io.persist.matrix.damage.Expected.Report;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The files of a log that somebody has left, every entry of it synced. They are damaged in one way after the other, on
 * one storage, which costs less than a new one for each.
 */
final class LeftLog {

    /** How many entries it has. */
    static final int ENTRIES = 64;

    /** How many a shorter one has: more than go before the upkeep, and more than a segment holds. */
    private static final int FEWER_ENTRIES = 40;

    /** After which of them there is upkeep: a store has a checkpoint then, and has compacted what was before. */
    private static final int UPKEEP_AFTER = 32;

    /** How many segments without records a writer keeps ahead. */
    private static final int AHEAD = 2;

    private record Found(long sequence, ByteBuffer payload) {}

    private final Subject subject;
    private final Ending ending;
    private final Entries entries;
    private final NavigableMap<String, byte[]> files;
    private final Frames frames;
    private final CrashableStorage storage;
    private final List<Found> records = new ArrayList<>();
    private final TailerConfig[] readers = new TailerConfig[ReadMode.values().length];
    private int cases;

    private LeftLog(Subject subject, Ending ending, Entries entries, NavigableMap<String, byte[]> files) {
        this.subject = subject;
        this.ending = ending;
        this.entries = entries;
        this.files = files;
        this.frames = new Frames(files, subject.logger() == Subject.Logger.STORE);
        CrashableStorage built = new CrashableStorage();
        files.forEach(built::replace);
        boolean isSameBoot = ending == Ending.CLOSED || ending == Ending.KILLED;
        this.storage = isSameBoot ? built : built.crash(new Random(1), Loss.ALL_KEPT);
        for (ReadMode mode : ReadMode.values()) {
            readers[mode.ordinal()] =
                    TailerConfig.builder().anyContent().readMode(mode).build();
        }
        try (Tailer tailer = subject.tailer(storage)) {
            while (tailer.next()) {
                ByteBuffer copy = ByteBuffer.allocate(tailer.payload().remaining());
                records.add(
                        new Found(tailer.sequence(), copy.put(tailer.payload()).flip()));
            }
        }
    }

    static LeftLog of(Subject subject, Ending ending) {
        return of(subject, ending, 1, ENTRIES);
    }

    /** A shorter one in a build, for what is tried at each of its bytes. */
    static LeftLog forEachByte(Subject subject, Ending ending, Effort effort) {
        return of(subject, ending, 1, effort.times(FEWER_ENTRIES, ENTRIES));
    }

    /** With {@code count} entries, whose bytes are those of {@code life}. */
    static LeftLog of(Subject subject, Ending ending, int life, int count) {
        CrashableStorage storage = new CrashableStorage();
        Entries entries = new Entries();
        NavigableMap<String, byte[]> files;
        try (Life open = subject.open(storage)) {
            for (int i = 1; i <= count; i++) {
                open.append(entries, entries.add(life));
                open.commit(Durability.SYNCED);
                if (i == UPKEEP_AFTER) {
                    open.upkeep(entries);
                }
            }
            Await.filled("segments are ahead", () -> segmentsAhead(storage) >= AHEAD); // or each opening makes them
            files = filesOf(storage);
        }
        if (ending == Ending.CLOSED) {
            Await.filled("segments are ahead", () -> segmentsAhead(storage) >= AHEAD); // or each opening makes them
            files = filesOf(storage);
        }
        if (ending == Ending.WITHOUT_CONTROL) {
            files.remove(LogFileName.CONTROL);
        }
        return new LeftLog(subject, ending, entries, files);
    }

    private static long segmentsAhead(CrashableStorage storage) {
        synchronized (storage) { // the threads of a life take none away between the list and what is listed
            return storage.list().stream()
                    .filter(name -> LogFileName.basePosition(name).isPresent())
                    .filter(name -> storage.content(name)[SegmentHeader.LENGTH] == 0)
                    .count();
        }
    }

    /** Those of the log and the checkpoints. */
    private static NavigableMap<String, byte[]> filesOf(CrashableStorage storage) {
        NavigableMap<String, byte[]> files = new TreeMap<>();
        synchronized (storage) {
            for (String name : storage.list()) {
                if (LogFileName.basePosition(name).isPresent()
                        || CheckpointName.position(name).isPresent()
                        || name.equals(LogFileName.CONTROL)) {
                    files.put(name, storage.content(name));
                }
            }
        }
        return files;
    }

    Ending ending() {
        return ending;
    }

    List<String> names() {
        return List.copyOf(files.keySet());
    }

    /** All of them, not to be changed. */
    Map<String, byte[]> files() {
        return files;
    }

    /** What is in the file, as a copy. */
    byte[] bytes(String name) {
        return files.get(name).clone();
    }

    Frames frames() {
        return frames;
    }

    Subject subject() {
        return subject;
    }

    Entries entries() {
        return entries;
    }

    CrashableStorage storage() {
        return storage;
    }

    /**
     * The file {@code name} is {@code damaged}: no reader and no writer sees a wrong entry, and damage to what was
     * synced is reported; other damage does no harm.
     */
    void check(String name, byte[] damaged, Supplier<String> what) {
        Expected expected = frames.expected(name, damaged);
        storage.replace(name, damaged);
        try {
            read(name, expected);
            write(name, damaged, expected);
            checkThat(storage.openHandles() == 0, "something is open still");
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(ending + ", " + name + ", " + what.get() + ": " + failure, failure);
        }
        restore();
    }

    static void checkThat(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    private void read(String name, Expected expected) {
        int read = 0;
        boolean isReported = false;
        try (Tailer tailer = Tailer.open(storage, readers[cases++ % readers.length])) {
            while (tailer.next()) {
                Found record = records.get(read++);
                if (tailer.sequence() != record.sequence || !tailer.payload().equals(record.payload)) {
                    throw new AssertionError("a wrong record was read in place of " + record.sequence);
                }
            }
        } catch (CorruptLogException reported) {
            checkNamed(reported, name, expected);
            isReported = true;
        }
        // Where a damaged control block says that no more is visible, tailers wait for a writer.
        boolean isWhole = expected.has(Report.NEVER) && !name.equals(LogFileName.CONTROL);
        if (expected.isSeenByTailer() && !isReported || isWhole && read != records.size()) {
            throw new AssertionError("a tailer ended at record " + read + " without a word");
        }
    }

    /** It names the file, and a position in it that is no later than the damage. */
    private static void checkNamed(CorruptLogException reported, String name, Expected expected) {
        long base = LogFileName.basePosition(name).orElse(0);
        long last = base + expected.offset();
        if (!reported.file().equals(name) || reported.position() < base || reported.position() > last) {
            throw new AssertionError("damage up to " + last + " was reported as " + reported.getMessage());
        }
    }

    private void write(String name, byte[] damaged, Expected expected) {
        boolean isOpened = false;
        try (Life life = subject.open(storage)) {
            isOpened = true;
            long last = life.verify(entries);
            boolean isRight = last >= Math.min(expected.least(), entries.last()) && last <= entries.last();
            if (expected.has(Report.ALWAYS) || !isRight) {
                throw new AssertionError("not reported, and " + last + " entries are there, "
                        + life.recovery().describe());
            }
        } catch (CorruptLogException reported) {
            checkThat(!expected.has(Report.NEVER), "what does no harm was reported: " + reported);
            checkNamed(reported, name, expected);
            checkThat(Arrays.equals(storage.content(name), damaged), "the evidence was changed");
            checkThat(isOpened || isUnchanged(name), "what was refused was changed");
        }
    }

    /** Whether every file is as it was; of a store, whose log was opened before it refuses, those with records. */
    boolean isUnchanged(String damagedName) {
        boolean isStore = subject.logger() == Subject.Logger.STORE;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            String name = file.getKey();
            boolean isOfTheLog = CheckpointName.position(name).isEmpty() && !frames.isUsed(name);
            boolean mayDiffer = name.equals(damagedName) || isStore && isOfTheLog;
            if (!mayDiffer && !Arrays.equals(storage.content(name), file.getValue())) {
                return false;
            }
        }
        return true;
    }

    /** Makes everything as it was left. */
    void restore() {
        try {
            for (String name : storage.list()) {
                if (!files.containsKey(name)) {
                    storage.delete(name);
                }
            }
            for (var file : files.entrySet()) {
                boolean isThere = storage.list().contains(file.getKey());
                if (!isThere || !Arrays.equals(storage.content(file.getKey()), file.getValue())) {
                    storage.replace(file.getKey(), file.getValue());
                }
            }
            storage.syncDirectory();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
