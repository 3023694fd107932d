package io.persist.shard.s3;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.persist.shard.ShardReader;
import io.persist.shard.Snapshot;
import io.persist.shard.model.Update;
import io.persist.shard.postgres.server.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** The one PostgreSQL server of the tests of this module, and what they look at. It ends with their JVM. */
final class BothServers {

    static final Duration LONG = Duration.ofMinutes(2);

    private static PostgresServer started;
    private static boolean isSaid;

    private BothServers() {}

    /** The server; skips the test if there is none on this machine. */
    static synchronized PostgresServer postgres() {
        String missing = PostgresServer.whyMissing();
        if (missing != null && !isSaid) {
            System.out.println("SKIPPED: " + missing);
            isSaid = true;
        }
        assumeThat(missing).as("PostgreSQL").isNull();
        if (started == null) {
            try {
                started = PostgresServer.start("fsync=off");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started;
    }

    /** How often each key is there as of a time. */
    static Map<String, Long> contents(ShardReader<String, String> reader, long asOf) throws InterruptedException {
        Map<String, Long> sums = new TreeMap<>();
        try (Snapshot<String, String> snapshot = reader.snapshot(asOf, LONG)) {
            while (snapshot.hasNext()) {
                Update<String, String> update = snapshot.next();
                sums.merge(update.key(), update.diff(), Long::sum);
            }
        }
        return sums;
    }
}
