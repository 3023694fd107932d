package io.persist.log.retention;

import io.persist.log.read.Tailer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tailers that a writer has opened, as long as they are open. Retention looks what they need and takes something
 * away with the monitor of this object held. So a tailer that has been added holds what it needs: nothing that was
 * looked at before is still to be taken away.
 *
 * <p><b>Threads:</b> any.
 */
final class OpenTailers {

    private final Set<Tailer> open = ConcurrentHashMap.newKeySet();

    /** Waits while something is taken away. */
    synchronized Tailer add(Tailer tailer) {
        open.add(tailer);
        return tailer;
    }

    void remove(Tailer tailer) {
        open.remove(tailer);
    }

    /** The lowest position that one of them needs; {@link Long#MAX_VALUE} if there is none. */
    long neededPosition() {
        return open.stream().mapToLong(Tailer::neededPosition).min().orElse(Long.MAX_VALUE);
    }
}
