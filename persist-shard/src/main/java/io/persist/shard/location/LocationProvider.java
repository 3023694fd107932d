package io.persist.shard.location;

import java.net.URI;
import java.util.Set;

/**
 * Opens places by URI. Found by {@link java.util.ServiceLoader}: a module for another engine has one and names it in
 * {@code META-INF/services}.
 */
public interface LocationProvider {

    /** The schemes of blobs that it knows, in lower case. */
    Set<String> blobSchemes();

    /** The schemes of consensuses that it knows, in lower case. */
    Set<String> consensusSchemes();

    /**
     * Opens a blob.
     *
     * @param uri with one of {@link #blobSchemes}
     * @throws IllegalArgumentException if the rest of it says nothing to this provider
     */
    Blob openBlob(URI uri);

    /**
     * Opens a consensus.
     *
     * @param uri with one of {@link #consensusSchemes}
     * @throws IllegalArgumentException if the rest of it says nothing to this provider
     */
    Consensus openConsensus(URI uri);
}
