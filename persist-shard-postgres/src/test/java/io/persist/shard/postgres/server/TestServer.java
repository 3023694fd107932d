package io.persist.shard.postgres.server;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The one server of the tests of a module. It ends with their JVM. */
public final class TestServer {

    private static PostgresServer started;
    private static boolean isSaid;

    private TestServer() {}

    /** The server; skips the test if there is none on this machine. */
    public static synchronized PostgresServer get() {
        String missing = PostgresServer.whyMissing();
        if (missing != null && !isSaid) {
            System.out.println("SKIPPED: " + missing);
            isSaid = true;
        }
        assumeThat(missing).as("PostgreSQL").isNull();
        if (started == null) {
            try {
                started = PostgresServer.start("fsync=off");
                Runtime.getRuntime().addShutdownHook(new Thread(started::close)); // the JVM waits until all is removed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started;
    }
}
