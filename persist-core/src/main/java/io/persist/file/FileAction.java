package io.persist.file;

import io.persist.error.LogIOException;
import java.io.IOException;

/** Does something with files that the operating system may refuse, such as opening a directory. */
@FunctionalInterface
public interface FileAction<T> {

    /** Does it once. */
    T run() throws IOException;

    /**
     * What the action returns. Not for what is done with each record: a lambda may allocate.
     *
     * @param failure what cannot be done if the action fails, such as "cannot read the checkpoints"
     * @throws LogIOException if the action fails, or a page of a mapped file is missing
     */
    static <T> T orFail(String failure, FileAction<T> action) {
        try {
            return action.run();
        } catch (IOException | InternalError e) {
            throw new LogIOException(failure + ": " + e.getMessage(), e);
        }
    }
}
