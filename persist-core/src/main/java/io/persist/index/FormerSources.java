package io.persist.index;

import io.persist.file.Closing;
import io.persist.index.node.NodeSource;
import java.util.ArrayList;
import java.util.List;

/** Where nodes were read from before, as long as a snapshot of that time may still ask for one. */
final class FormerSources {

    private final List<FormerSource> sources = new ArrayList<>();

    /** A source that snapshots which are not newer than {@code version} may still read from. */
    private record FormerSource(NodeSource source, long version) {}

    void add(NodeSource source, long version) {
        sources.add(new FormerSource(source, version));
    }

    /** Closes those that no snapshot needs, if {@code oldest} is the version of the oldest one. */
    void closeBefore(long oldest) {
        sources.removeIf(former -> {
            boolean isNeeded = oldest < former.version();
            if (!isNeeded) {
                former.source().close();
            }
            return !isNeeded;
        });
    }

    /** Closes all, and {@code current}. */
    void closeAll(NodeSource current) {
        try {
            Closing.each(sources, former -> former.source().close());
        } finally {
            current.close();
        }
    }
}
