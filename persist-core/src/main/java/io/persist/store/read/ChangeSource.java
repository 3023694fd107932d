package io.persist.store.read;

import io.persist.file.Storage;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;

/**
 * Where the changes of a store come from: its log, in the process that writes it or in another one.
 *
 * <p><b>Threads:</b> any.
 */
interface ChangeSource {

    /** The directory of the log. */
    Storage storage();

    /** Throws if no reader can be opened any more. */
    void checkUsable();

    /** Returns when the log's files have what is before {@code position}, as far as this process can see to it. */
    void awaitInFile(long position);

    /** A tailer of the log, at its start. */
    Tailer tailer(TailerConfig config);

    /** The tailer with the cursor {@code name}. */
    Tailer tailer(String name, TailerConfig config);

    /** What reads the values that were replaced, for one reader. */
    OldValueReader oldValues();

    /** Returns when the lookups of this process find what is before {@code position}, up to which a record was read. */
    void awaitShown(long position);
}
