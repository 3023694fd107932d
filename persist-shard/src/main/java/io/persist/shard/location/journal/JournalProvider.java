package io.persist.shard.location.journal;

import io.persist.StoreLogger;
import io.persist.error.PersistException;
import io.persist.file.disk.RealPath;
import io.persist.log.LogConfig;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.DirectoryUri;
import io.persist.shard.location.LocationProvider;
import io.persist.shard.location.Shared;
import io.persist.shard.location.SharedConsensus;
import io.persist.store.StoreConfig;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

/** Opens {@code journal:///directory} as a consensus; the handles of a process share one store, until it fails. */
public final class JournalProvider implements LocationProvider {

    private static final int SEGMENT_LENGTH = 32 << 20;
    private static final Shared<Consensus> OPEN = shared();

    /** For {@link java.util.ServiceLoader}. */
    public JournalProvider() {}

    /** What shares journals. One that has failed is opened anew by the next handle: its own are told to be closed. */
    public static Shared<Consensus> shared() {
        return new Shared<>(
                consensus -> consensus instanceof JournalConsensus journal && journal.hasFailed(), Consensus::close);
    }

    @Override
    public Set<String> consensusSchemes() {
        return Set.of("journal");
    }

    @Override
    public Consensus openConsensus(URI uri) {
        Path directory = real(DirectoryUri.directory(uri));
        return new SharedConsensus(OPEN, directory.toString(), () -> open(directory));
    }

    /** The same for all paths that lead to the directory, which have to share the store. */
    private static Path real(Path directory) {
        try {
            return RealPath.of(directory);
        } catch (IOException refused) {
            throw new DeterminateException("journal=" + directory + ": " + refused.getMessage(), refused);
        }
    }

    private static Consensus open(Path directory) {
        LogConfig log =
                LogConfig.builder(directory).segmentLength(SEGMENT_LENGTH).build();
        try {
            StoreLogger store = StoreLogger.open(StoreConfig.builder(log).build());
            try {
                return JournalConsensus.over(store);
            } catch (RuntimeException | Error unreadable) {
                store.close();
                throw unreadable;
            }
        } catch (PersistException refused) {
            throw new DeterminateException("journal=" + directory + ": " + refused.getMessage(), refused);
        }
    }
}
