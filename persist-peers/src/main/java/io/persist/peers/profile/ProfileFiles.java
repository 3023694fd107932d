package io.persist.peers.profile;

import java.nio.file.Path;

/** What a profiled trial leaves in a directory. */
public record ProfileFiles(Path directory) {

    /** The name of the {@link SampledEvent}. */
    public Path event() {
        return directory.resolve("event");
    }

    /** A line for each stack: its frames, outermost first, parted by semicolons, and how often it was seen. */
    public Path samples() {
        return directory.resolve("samples");
    }

    public Path flameGraph() {
        return directory.resolve("flame-graph.html");
    }
}
