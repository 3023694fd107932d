package io.persist.shard.location.mem;

import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.LocationProvider;
import io.persist.shard.location.Shared;
import io.persist.shard.location.SharedBlob;
import io.persist.shard.location.SharedConsensus;
import java.net.URI;
import java.util.Set;

/** Opens {@code mem://} and {@code mem://name}. */
public final class MemProvider implements LocationProvider {

    private static final Shared<Blob> BLOBS = new Shared<>(Blob::close);
    private static final Shared<Consensus> CONSENSUSES = new Shared<>(Consensus::close);

    /** For {@link java.util.ServiceLoader}. */
    public MemProvider() {}

    @Override
    public Set<String> blobSchemes() {
        return Set.of("mem");
    }

    @Override
    public Set<String> consensusSchemes() {
        return Set.of("mem");
    }

    @Override
    public Blob openBlob(URI uri) {
        String name = name(uri);
        return name.isEmpty() ? new MemBlob() : new SharedBlob(BLOBS, name, MemBlob::new);
    }

    @Override
    public Consensus openConsensus(URI uri) {
        String name = name(uri);
        return name.isEmpty() ? new MemConsensus() : new SharedConsensus(CONSENSUSES, name, MemConsensus::new);
    }

    private static String name(URI uri) {
        if (uri.isOpaque() || uri.getQuery() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("uri=" + uri
                    + ": mem:// or mem://name, with nothing else; in a name write %23 for # and %3F for ?");
        }
        String path = uri.getPath() == null || uri.getPath().equals("/") ? "" : uri.getPath();
        return (uri.getAuthority() == null ? "" : uri.getAuthority()) + path;
    }
}
