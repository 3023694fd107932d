package io.persist.log.read;

import io.persist.cursor.CursorDirectory;
import io.persist.file.Storage;
import io.persist.format.control.CursorSlot;
import io.persist.log.LogConfig;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import java.io.IOException;

/** The cursor of the tailers that are tested with a name. */
final class BillingCursor {

    static final String NAME = "billing";

    /** How a tailer is opened: in the writer's process, which syncs for it, or as from another one. */
    enum From {
        WRITER,
        OUTSIDE
    }

    private BillingCursor() {}

    /** A tailer of {@code log}, or of what another process finds in {@code storage}. */
    static Tailer tailer(From from, Log log, LogConfig config, Storage storage) {
        return from == From.WRITER ? log.tailer(NAME) : Tailer.open(storage, NAME, TailerConfig.defaults());
    }

    static CursorSlot stored(Storage storage) {
        try {
            return new CursorDirectory(storage).read(NAME);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
