package io.persist.shard.s3;

import io.persist.shard.location.Blob;
import io.persist.shard.location.LocationProvider;
import java.net.URI;
import java.util.Set;

/**
 * Opens {@code s3://bucket/prefix?region=…&endpoint=…} as a blob. Credentials are those that the AWS SDK finds: system
 * properties, environment, profile, or the role of a service account or of the machine.
 */
public final class S3Provider implements LocationProvider {

    /** For {@link java.util.ServiceLoader}. */
    public S3Provider() {}

    @Override
    public Set<String> blobSchemes() {
        return Set.of("s3");
    }

    @Override
    public Blob openBlob(URI uri) {
        return S3Blob.open(S3Uri.parse(uri));
    }
}
