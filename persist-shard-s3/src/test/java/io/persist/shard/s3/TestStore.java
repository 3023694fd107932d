package io.persist.shard.s3;

import io.persist.shard.s3.server.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/** The one server of the tests of this module. It ends with their JVM. */
public final class TestStore {

    private static final String BUCKET = "shards";
    private static S3Server started;

    private TestStore() {}

    /** The server. This JVM has its credentials from now on. */
    public static synchronized S3Server get() {
        if (started == null) {
            S3Server.useCredentials();
            try {
                started = S3Server.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return started;
    }

    /** The URI of a new and empty place. */
    public static String freshUri() {
        return get().uri(BUCKET).replace(BUCKET + "/", BUCKET + "/place-" + UUID.randomUUID() + "/at");
    }
}
