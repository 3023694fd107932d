package io.persist.fuzz;

import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** The hostile files in a storage in memory. */
final class Disk {

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
            int at = Arrays.mismatch(bytes, after.get(name));
            if (at >= 0) {
                throw new AssertionError(by + " changed " + name + " at " + at);
            }
        });
    }

    void checkClosed() {
        Use.require(storage.openHandles() == 0, storage.openHandles() + " files, mappings or locks are left open");
    }
}
