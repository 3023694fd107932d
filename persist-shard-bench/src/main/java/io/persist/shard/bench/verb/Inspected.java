package io.persist.shard.bench.verb;

import io.persist.command.UsageException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.file.disk.FileReason;
import io.persist.log.segment.LogFiles;
import io.persist.shard.batch.PartStore;
import io.persist.shard.bench.place.Uris;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import io.persist.shard.location.Version;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.state.ShardState;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A place that an operator looks at: nobody is registered there, and no directory or journal is made. */
final class Inspected implements AutoCloseable {

    private static final Duration RETRY_TIME = Duration.ofSeconds(10);

    /** Versions that are in memory: a whole one, or one with a batch in it, may have some MiB. */
    static final int AT_ONCE = 16;

    private final Blob blob;
    private final Consensus consensus;
    private final Duration retryTime;

    /** Closes both. */
    Inspected(Blob blob, Consensus consensus, Duration retryTime) {
        this.blob = blob;
        this.consensus = consensus;
        this.retryTime = retryTime;
    }

    /** Opens what the first two operands name. */
    static Inspected of(List<String> operands) throws IOException {
        if (operands.size() < 2) {
            throw new UsageException("give the URI of the blob, and the URI of the consensus");
        }
        check(operands.get(0), "blob");
        check(operands.get(1), "consensus");
        try {
            Blob blob = Locations.blob(operands.get(0));
            try {
                return new Inspected(blob, Locations.consensus(operands.get(1)), RETRY_TIME);
            } catch (RuntimeException | Error noConsensus) {
                blob.close();
                throw noConsensus;
            }
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(Uris.shown(String.valueOf(wrong.getMessage())));
        }
    }

    private static void check(String uri, String what) throws IOException {
        if (!uri.contains("://")) {
            throw new UsageException(uri + " is no URI of a " + what + "; give one such as file:///data/objects and"
                    + " journal:///data/journal");
        }
        String scheme = uri.substring(0, uri.indexOf("://")).toLowerCase(Locale.ROOT);
        if (scheme.equals("mem")) {
            throw new UsageException(uri + " is the memory of another process; nobody else can look at it");
        }
        if (uri.matches("(?i)(file|journal):///.*")) {
            String path;
            try {
                path = URI.create(uri).getPath();
            } catch (IllegalArgumentException e) {
                throw new UsageException(uri + " is no URI: " + e.getMessage());
            }
            String why = FileReason.ofNoDirectory(Path.of(path));
            if (!why.isEmpty()) {
                throw new IOException(uri + " is no directory (" + why + "); name one that has a " + what);
            }
            if (scheme.equals("journal") && !hasSegments(Path.of(path))) { // to open it would make one
                throw new IOException(uri + " is no journal (no segments are there); name one that has a " + what);
            }
        }
    }

    private static boolean hasSegments(Path directory) throws IOException {
        return !LogFiles.basePositions(DirectoryStorage.open(directory)).isEmpty();
    }

    Consensus consensus() {
        return consensus;
    }

    PartStore parts(String id) {
        return new PartStore(blob, id, retryTime);
    }

    /** The shards that are named behind the two URIs, or all. */
    List<String> ids(List<String> operands) throws IOException {
        List<String> all = consensus.keys().stream().sorted().toList();
        List<String> named = operands.subList(2, operands.size());
        for (String id : named) {
            if (!all.contains(id)) {
                throw new IOException("there is no shard " + id + " in the consensus; it has " + all.size());
            }
        }
        return named.isEmpty() ? all : named;
    }

    /** The newest state, or null if the shard is gone. */
    @Nullable
    ShardState state(String id) {
        return ShardMachine.look(consensus, id);
    }

    /** Tells {@code visitor} the versions that the consensus has of a shard, ascending. It keeps none. */
    void versions(String id, Consumer<Version> visitor) {
        long from = 0;
        while (true) {
            List<Version> more = consensus.scan(id, from, AT_ONCE);
            if (more.isEmpty()) {
                return;
            }
            more.forEach(visitor);
            from = more.get(more.size() - 1).number() + 1;
        }
    }

    /** How many of them have a number below {@code number}. */
    int versionsBelow(String id, long number) {
        int[] count = {0};
        versions(id, version -> count[0] += version.number() < number ? 1 : 0);
        return count[0];
    }

    /** The objects of a shard and their lengths, by name. */
    Map<String, Long> objects(String prefix) {
        Map<String, Long> found = new TreeMap<>();
        blob.list(prefix, found::put);
        return found;
    }

    /** The objects that belong to no shard of the consensus: they may belong to another one's. */
    Map<String, Long> strangers() {
        Map<String, Long> found = objects("");
        List<String> ids = consensus.keys();
        found.keySet().removeIf(name -> ids.contains(name.replaceFirst("/.*", "")));
        return found;
    }

    @Override
    public void close() {
        try {
            consensus.close();
        } finally {
            blob.close();
        }
    }
}
