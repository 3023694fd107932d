package io.persist.shard.location;

import java.net.URI;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Finds what opens a URI. */
public final class Locations {

    private Locations() {}

    /**
     * Opens the blob of {@code uri}.
     *
     * @throws IllegalArgumentException if no module on the class path knows its scheme, or it is no URI
     */
    public static Blob blob(String uri) {
        URI parsed = parse(uri);
        return provider(parsed, "blob", LocationProvider::blobSchemes).openBlob(parsed);
    }

    /**
     * Opens the consensus of {@code uri}.
     *
     * @throws IllegalArgumentException if no module on the class path knows its scheme, or it is no URI
     */
    public static Consensus consensus(String uri) {
        URI parsed = parse(uri);
        return provider(parsed, "consensus", LocationProvider::consensusSchemes).openConsensus(parsed);
    }

    /** A scheme alone, as {@code mem://}, is none to {@link URI}. */
    private static URI parse(String uri) {
        return URI.create(uri.endsWith("://") ? uri + "/" : uri);
    }

    private static LocationProvider provider(URI uri, String what, Function<LocationProvider, Set<String>> schemes) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        Set<String> known = new TreeSet<>();
        for (LocationProvider provider : ServiceLoader.load(LocationProvider.class)) {
            if (schemes.apply(provider).contains(scheme)) {
                return provider;
            }
            known.addAll(schemes.apply(provider));
        }
        throw new IllegalArgumentException("uri=" + uri + ": no " + what + " of this scheme; known are " + known);
    }
}
