package io.persist.shard;

import io.persist.shard.batch.Writing;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The batches of one writer that may have objects which the shard does not have: of those that are being built, that
 * were not appended, and whose append has an unknown outcome.
 *
 * <p><b>Threads:</b> any.
 */
final class Unfinished {

    private final String writer;
    private final Set<Writing> batches = ConcurrentHashMap.newKeySet();

    /** Of those that were removed: their bytes are not kept for that. */
    private volatile boolean mayComeLate;

    /** None yet, of the writer with the id {@code writer}. */
    Unfinished(String writer) {
        this.writer = writer;
    }

    /** The id of the writer. */
    String writer() {
        return writer;
    }

    /** The batch of {@code writing} may have objects from now on. */
    void add(Writing writing) {
        batches.add(writing);
    }

    /** Its objects are part of the shard, or deleted. One that comes late all the same is left to the sweep. */
    void remove(Writing writing) {
        if (writing.mayComeLate()) {
            mayComeLate = true;
        }
        batches.remove(writing);
    }

    /** Waits until no object is on its way any more; says whether there may be any. */
    boolean settle() {
        batches.forEach(Writing::settle);
        return mayComeLate || !batches.isEmpty();
    }
}
