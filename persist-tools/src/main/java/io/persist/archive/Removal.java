package io.persist.archive;

import io.persist.file.Storage;
import java.io.IOException;

/** Takes back what was written for something that failed. */
public final class Removal {

    private Removal() {}

    /** Deletes a file; if that fails too, what failed before is what people have to know. */
    public static void of(Storage storage, String name) {
        try {
            storage.delete(name);
        } catch (IOException ignored) {
            // It has a name that says that it is not whole, or its directory has no manifest.
        }
    }
}
