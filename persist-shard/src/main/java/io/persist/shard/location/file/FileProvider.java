package io.persist.shard.location.file;

import io.persist.shard.location.Blob;
import io.persist.shard.location.DirectoryUri;
import io.persist.shard.location.LocationProvider;
import java.net.URI;
import java.util.Set;

/** Opens {@code file:///directory} as a blob. */
public final class FileProvider implements LocationProvider {

    /** For {@link java.util.ServiceLoader}. */
    public FileProvider() {}

    @Override
    public Set<String> blobSchemes() {
        return Set.of("file");
    }

    @Override
    public Blob openBlob(URI uri) {
        return FileBlob.open(DirectoryUri.directory(uri));
    }
}
