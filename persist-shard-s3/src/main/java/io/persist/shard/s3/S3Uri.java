package io.persist.shard.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.persist.shard.location.Locations;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where objects are: {@code s3://bucket/prefix?region=eu-north-1&endpoint=https://host:port}.
 *
 * @param bucket its name
 * @param prefix what all keys begin with: empty, or ends with a slash
 * @param endpoint null for that of AWS; with one, the bucket is a part of the path and not of the host
 * @param region null for the one that the SDK finds; with an endpoint {@code us-east-1} by default
 */
record S3Uri(
        String bucket,
        String prefix,
        @Nullable URI endpoint,
        @Nullable String region) {

    private static final int LONGEST_PREFIX = 400; // a key has at most 1,024 bytes, and a name 600
    private static final int MOST_PORT = 65_535;
    private static final String DEFAULT_REGION = "us-east-1";

    /**
     * Parses {@code uri}.
     *
     * @throws IllegalArgumentException if it says nothing to this module
     */
    static S3Uri parse(URI uri) {
        String shown = Locations.shown(uri.toString());
        String bucket = uri.getRawAuthority();
        if (uri.isOpaque() || bucket == null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("uri=" + shown + ": s3://bucket/prefix?region=…");
        }
        if (bucket.indexOf('@') >= 0) {
            throw new IllegalArgumentException("uri=s3://***: credentials do not belong into a URI: set"
                    + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile");
        }
        if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]")) {
            throw new IllegalArgumentException("uri=" + shown + ": bucket=" + bucket + " is no name of a bucket");
        }
        Map<String, String> parameters = parameters(uri, shown);
        String endpoint = parameters.remove("endpoint");
        String region = parameters.remove("region");
        if (!parameters.isEmpty()) {
            throw new IllegalArgumentException("uri=" + shown + ": parameter "
                    + parameters.keySet().iterator().next() + " is none of endpoint, region");
        }
        return new S3Uri(
                bucket,
                prefix(uri, shown),
                endpoint == null ? null : endpoint(endpoint, shown),
                region != null || endpoint == null ? region : DEFAULT_REGION);
    }

    private static String prefix(URI uri, String shown) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String prefix = path.startsWith("/") ? path.substring(1) : path;
        if (!prefix.isEmpty() && !prefix.endsWith("/")) {
            prefix = prefix + "/";
        }
        if (prefix.length() > LONGEST_PREFIX
                || !prefix.matches("([A-Za-z0-9_.-]+/)*")
                || ("/" + prefix).contains("/.")) {
            throw new IllegalArgumentException("uri=" + shown + ": prefix=" + prefix + ": at most " + LONGEST_PREFIX
                    + " letters, digits, underscores, dashes and dots, in parts parted by a slash,"
                    + " none of which begins with a dot");
        }
        return prefix;
    }

    private static URI endpoint(String text, String shown) {
        try {
            URI endpoint = new URI(text);
            String scheme = endpoint.getScheme();
            boolean isHttp = "http".equals(scheme) || "https".equals(scheme);
            boolean isPort = endpoint.getPort() != 0 && endpoint.getPort() <= MOST_PORT;
            if (isHttp && endpoint.getHost() != null && isPort && endpoint.getUserInfo() == null) {
                return endpoint;
            }
        } catch (URISyntaxException wrong) {
            // the same
        }
        throw new IllegalArgumentException("uri=" + shown + ": endpoint=" + Locations.shown(text)
                + ": https://host:port or" + " http://host:port, with a port from 1 to " + MOST_PORT);
    }

    private static Map<String, String> parameters(URI uri, String shown) {
        Map<String, String> found = new TreeMap<>();
        String query = uri.getRawQuery();
        if (query == null || query.isEmpty()) {
            return found;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1 || equals == pair.length() - 1) {
                throw new IllegalArgumentException("uri=" + shown + ": a parameter is written name=value");
            }
            String value = URLDecoder.decode(pair.substring(equals + 1).replace("+", "%2B"), UTF_8);
            found.put(pair.substring(0, equals), value);
        }
        return found;
    }

    /** The URI as it may be printed. */
    String shown() {
        return "s3://" + bucket + "/" + prefix + (endpoint == null ? "" : " at " + endpoint);
    }

    @Override
    public String toString() {
        return shown();
    }
}
