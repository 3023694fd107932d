package io.persist.shard.batch;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whole parts that were written a moment ago, for listeners of the same client: most read what was just written, and
 * need neither the file nor its checksum again. Nothing is kept while nobody listens.
 *
 * <p><b>Threads:</b> any.
 */
final class RecentParts {

    private static final long WHILE_NS = 10_000_000_000L;

    /** A part in memory. Its array is used again when it is forgotten and nobody reads it. */
    static final class Recent {
        private final byte[] bytes;
        private final long keptNs = System.nanoTime();
        private int readers;
        private boolean isForgotten;

        private Recent(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    private final PartArrays arrays;
    private final int most;
    private final Map<String, Recent> parts = new LinkedHashMap<>();
    private int listeners;

    /** At most {@code most} parts, in arrays of {@code arrays}. */
    RecentParts(PartArrays arrays, int most) {
        this.arrays = arrays;
        this.most = most;
    }

    synchronized void listenerBegins() {
        listeners++;
    }

    synchronized void listenerEnds() {
        listeners--;
        if (listeners == 0) {
            forgetDownTo(0);
        }
    }

    /** The object {@code name} was written from the start of {@code bytes}, which are not the caller's any more. */
    synchronized void keep(String name, byte[] bytes) {
        if (listeners == 0 || most == 0 || arrays.isLonger(bytes)) { // memory is bounded by their number
            arrays.giveBack(bytes);
            return;
        }
        forgetDownTo(most - 1);
        parts.put(name, new Recent(bytes));
    }

    /** The part, which has to be {@linkplain #giveBack given back}; null if it is not here. */
    synchronized @Nullable Recent take(String name) {
        Recent part = parts.get(name);
        if (part != null) {
            part.readers++;
        }
        return part;
    }

    synchronized void giveBack(Recent part) {
        part.readers--;
        giveArrayBack(part);
    }

    private void giveArrayBack(Recent part) {
        if (part.isForgotten && part.readers == 0) {
            arrays.giveBack(part.bytes);
        }
    }

    private void forgetDownTo(int count) {
        Iterator<Recent> eldest = parts.values().iterator();
        while (parts.size() > count) {
            forget(eldest.next());
            eldest.remove();
        }
    }

    private void forget(Recent part) {
        part.isForgotten = true;
        giveArrayBack(part);
    }

    /** Forgets those that have been here for a while. */
    synchronized void trim() {
        long nowNs = System.nanoTime();
        parts.values().removeIf(part -> {
            boolean isOld = nowNs - part.keptNs >= WHILE_NS;
            if (isOld) {
                forget(part);
            }
            return isOld;
        });
    }
}
