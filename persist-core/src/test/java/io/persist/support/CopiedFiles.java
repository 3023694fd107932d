package io.persist.support;

import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of a storage at one moment, as a backup has them that somebody made by hand. */
public final class CopiedFiles {

    private final CrashableStorage storage;
    private final Map<String, byte[]> contents = new HashMap<>();

    private CopiedFiles(CrashableStorage storage) {
        this.storage = storage;
        storage.list().forEach(name -> contents.put(name, storage.content(name)));
    }

    /** Copies all files of {@code storage}, which nobody writes. */
    public static CopiedFiles of(CrashableStorage storage) {
        return new CopiedFiles(storage);
    }

    /** What the files of {@code storage} have now, to be compared. */
    public static Map<String, ByteBuffer> contents(CrashableStorage storage) {
        Map<String, ByteBuffer> contents = new TreeMap<>();
        storage.list().forEach(name -> contents.put(name, ByteBuffer.wrap(storage.content(name))));
        return contents;
    }

    /** Puts them in place of the files that are there now. */
    public void restore() {
        try {
            for (String name : List.copyOf(storage.list())) {
                storage.delete(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        contents.forEach(storage::replace);
    }
}
