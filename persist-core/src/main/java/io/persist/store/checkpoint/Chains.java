package io.persist.store.checkpoint;

import io.persist.format.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which checkpoints of a directory build on which, as their headers say at one moment. A header is read when it is
 * asked for first, and not again: to open a file costs more than all else here, and there may be more than a hundred.
 *
 * <p><b>Threads:</b> one.
 */
final class Chains {

    private final Checkpoints checkpoints;

    /** Newest first. */
    private final List<Long> positions;

    /** Those that were asked for; empty if one cannot be read. */
    private final Map<Long, Optional<CheckpointHeader>> headers;

    private Chains(Checkpoints checkpoints, List<Long> positions, Map<Long, Optional<CheckpointHeader>> headers) {
        this.checkpoints = checkpoints;
        this.positions = positions;
        this.headers = headers;
    }

    /** Of all that are there. */
    static Chains of(Checkpoints checkpoints) throws IOException {
        return new Chains(checkpoints, checkpoints.list(), new HashMap<>());
    }

    /** Of those that are not of another log than {@code logId}. One that cannot be read may be of that log. */
    static Chains ofLog(Checkpoints checkpoints, long logId) throws IOException {
        Chains all = of(checkpoints);
        List<Long> own = new ArrayList<>();
        for (long position : all.positions) {
            CheckpointHeader header = all.header(position);
            if (header == null || header.logId() == logId) {
                own.add(position);
            }
        }
        return new Chains(checkpoints, own, all.headers);
    }

    /** Where the checkpoints are, newest first. */
    List<Long> positions() {
        return positions;
    }

    /** The newest checkpoint; there has to be one. */
    long newest() {
        return positions.get(0);
    }

    /** As {@link Checkpoints#fallback} says. */
    long fallback() throws IOException {
        Set<Long> newest = positions.isEmpty() ? Set.of() : new HashSet<>(chain(newest()));
        for (long position : positions) {
            if (!newest.contains(position) && header(position) != null) {
                List<Long> chain = chain(position);
                if (isWhole(chain) && Collections.disjoint(newest, chain)) {
                    return position;
                }
            }
        }
        return 0;
    }

    /** Where the chain begins that ends at {@code end}. */
    long begin(long end) throws IOException {
        List<Long> chain = chain(end);
        return chain.get(chain.size() - 1);
    }

    /** As {@link Checkpoints#isWhole} says. */
    boolean isWhole(long position) throws IOException {
        return positions.contains(position) && isWhole(chain(position));
    }

    /** Whether nothing is missing: what was found to be damaged was taken away, and not what builds on it. */
    private boolean isWhole(List<Long> chain) throws IOException {
        int last = chain.size() - 1;
        for (int i = 0; i < last; i++) {
            CheckpointHeader header = header(chain.get(i));
            if (header == null || header.predecessor() != chain.get(i + 1)) {
                return false;
            }
        }
        CheckpointHeader first = header(chain.get(last));
        return first != null && first.isWhole();
    }

    /**
     * The chain that ends at {@code end}, newest first, as far as it is there. One that cannot be read, or is missing,
     * is taken to build on the next older one: so what is left of a chain is not taken for another one.
     */
    private List<Long> chain(long end) throws IOException {
        List<Long> chain = new ArrayList<>();
        long wanted = end;
        for (long position : positions) {
            if (position <= wanted) {
                chain.add(position);
                CheckpointHeader header = header(position);
                if (header != null && header.isWhole()) {
                    return chain;
                }
                wanted = header == null ? position : header.predecessor();
            }
        }
        return chain;
    }

    private @Nullable CheckpointHeader header(long position) throws IOException {
        Optional<CheckpointHeader> known = headers.get(position);
        if (known == null) {
            known = Optional.ofNullable(checkpoints.headerIfGood(position));
            headers.put(position, known);
        }
        return known.orElse(null);
    }
}
