package io.persist.fuzz;

import io.persist.format.SegmentName;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** The hostile files in a storage in memory. */
final class Disk {

    /** Where the control block has the mark of its holder. */
    private static final int HOLDER_START = 384;

    private static final int HOLDER_END = 448;

    private final SortedMap<String, byte[]> files;
    private final CrashableStorage storage;

    Disk(SortedMap<String, byte[]> files, Settings settings) {
        this.files = files;
        CrashableStorage made = new CrashableStorage();
        files.forEach(made::replace);
        this.storage = settings.isOtherBoot() ? made.crash(new Random(1), Loss.ALL_KEPT) : made;
    }

    CrashableStorage storage() {
        return storage;
    }

    /** The files as the input has them. */
    SortedMap<String, byte[]> files() {
        return files;
    }

    /** All that is there now, but for locks: nothing is ever in them. */
    SortedMap<String, byte[]> now() {
        SortedMap<String, byte[]> now = new TreeMap<>();
        storage.list().stream()
                .filter(name -> !name.endsWith(".lock"))
                .forEach(name -> now.put(name, storage.content(name)));
        return now;
    }

    /** That the files are what they were in the beginning. */
    void checkUnchanged(String by) {
        checkSame(files, now(), by);
    }

    static void checkSame(Map<String, byte[]> before, Map<String, byte[]> after, String by) {
        if (!before.keySet().equals(after.keySet())) {
            throw new AssertionError(by + " changed " + before.keySet() + " to " + after.keySet());
        }
        before.forEach((name, bytes) -> {
            int at = Arrays.mismatch(withoutHolder(name, bytes), withoutHolder(name, after.get(name)));
            if (at >= 0) {
                throw new AssertionError(by + " changed " + name + " at " + at);
            }
        });
    }

    /** Who opens a log marks it as held, also if it is then refused: that raises the epoch of the control block. */
    private static byte[] withoutHolder(String name, byte[] bytes) {
        if (!name.equals(SegmentName.CONTROL) || bytes.length < HOLDER_END) {
            return bytes;
        }
        byte[] rest = bytes.clone();
        Arrays.fill(rest, HOLDER_START, HOLDER_END, (byte) 0);
        return rest;
    }

    void checkClosed() {
        Use.require(storage.openHandles() == 0, storage.openHandles() + " files, mappings or locks are left open");
    }
}
