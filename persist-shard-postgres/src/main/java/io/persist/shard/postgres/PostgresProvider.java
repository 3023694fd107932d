package io.persist.shard.postgres;

import io.persist.shard.location.Consensus;
import io.persist.shard.location.LocationProvider;
import io.persist.shard.location.Shared;
import io.persist.shard.location.SharedConsensus;
import java.net.URI;
import java.util.Set;

/**
 * Opens {@code postgresql://user@host:port/database} as a consensus; {@code postgres://} is the same. The handles of a
 * process that have the same URI share one pool of connections.
 */
public final class PostgresProvider implements LocationProvider {

    private static final Shared<Consensus> OPEN = new Shared<>(Consensus::close);

    /** For {@link java.util.ServiceLoader}. */
    public PostgresProvider() {}

    @Override
    public Set<String> consensusSchemes() {
        return Set.of("postgres", "postgresql");
    }

    @Override
    public Consensus openConsensus(URI uri) {
        PostgresUri parsed = PostgresUri.parse(uri, System.getenv());
        return new SharedConsensus(OPEN, uri.toString(), () -> PostgresConsensus.open(parsed));
    }
}
