package io.persist.shard.location;

import java.net.URI;
import java.util.Set;

/**
 * Opens places by URI. Found by {@link java.util.ServiceLoader}: a module for another engine has one and names it in
 * {@code META-INF/services}. It overrides what is said of the places that it has: blobs, consensuses, or both.
 */
public interface LocationProvider {

    /** The schemes of blobs that it knows, in lower case. */
    default Set<String> blobSchemes() {
        return Set.of();
    }

    /** The schemes of consensuses that it knows, in lower case. */
    default Set<String> consensusSchemes() {
        return Set.of();
    }

    /**
     * Opens a blob.
     *
     * @param uri with one of {@link #blobSchemes}
     * @throws IllegalArgumentException if the rest of it says nothing to this provider
     */
    default Blob openBlob(URI uri) {
        throw new UnsupportedOperationException(getClass().getName() + " has no blobs");
    }

    /**
     * Opens a consensus.
     *
     * @param uri with one of {@link #consensusSchemes}
     * @throws IllegalArgumentException if the rest of it says nothing to this provider
     */
    default Consensus openConsensus(URI uri) {
        throw new UnsupportedOperationException(getClass().getName() + " has no consensuses");
    }
}
