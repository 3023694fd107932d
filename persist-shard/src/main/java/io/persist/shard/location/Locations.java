package io.persist.shard.location;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Finds what opens a URI. */
public final class Locations {

    /** What may be a password, between the name of a user and the host. */
    private static final Pattern PASSWORD =
            Pattern.compile("^([a-zA-Z][a-zA-Z0-9+.-]*:(?://)?[^:/?#@]*):.*@", Pattern.DOTALL);

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

    /** {@code uri} as it may be printed: without the password that may be in it, and without its query. */
    public static String shown(String uri) {
        return PASSWORD.matcher(uri).replaceFirst("$1:***@").replaceFirst("\\?.*", "");
    }

    /** A scheme alone, as {@code mem://}, is none to {@link URI}. */
    private static URI parse(String uri) {
        try {
            return new URI(uri.endsWith("://") ? uri + "/" : uri);
        } catch (URISyntaxException syntax) { // its message has all of the text, and so the password
            throw new IllegalArgumentException("uri=" + shown(uri) + ": " + syntax.getReason() + " at character "
                    + syntax.getIndex() + "; write it as %20 and the like");
        }
    }

    private static LocationProvider provider(URI uri, String what, Function<LocationProvider, Set<String>> schemes) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        Set<String> known = new TreeSet<>();
        for (ServiceLoader<LocationProvider> providers : providers()) {
            for (LocationProvider provider : providers) {
                if (schemes.apply(provider).contains(scheme)) {
                    return provider;
                }
                known.addAll(schemes.apply(provider));
            }
        }
        throw new IllegalArgumentException("uri=" + shown(uri.toString()) + ": no " + what
                + " of this scheme; known are " + known + ", to the class loaders of Persist and of this thread");
    }

    /** A thread of a common pool has a class loader that may not see the application's classes. */
    private static List<ServiceLoader<LocationProvider>> providers() {
        return List.of(
                ServiceLoader.load(LocationProvider.class, LocationProvider.class.getClassLoader()),
                ServiceLoader.load(LocationProvider.class));
    }
}
