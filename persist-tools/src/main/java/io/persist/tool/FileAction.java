package io.persist.tool;

import io.persist.error.LogIOException;
import java.io.IOException;

/** Does something with files, such as opening a directory when a tool gets there. */
@FunctionalInterface
public interface FileAction<T> {

    /** Does it once. */
    T run() throws IOException;

    /**
     * What the action returns.
     *
     * @param failure what cannot be done if the action fails, such as "cannot read the checkpoints"
     * @throws LogIOException if the action fails
     */
    static <T> T orFail(String failure, FileAction<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw new LogIOException(failure + ": " + e.getMessage(), e);
        }
    }
}
