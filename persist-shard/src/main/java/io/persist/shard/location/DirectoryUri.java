package io.persist.shard.location;

import java.net.URI;
import java.nio.file.Path;

/** The directory that a URI such as {@code file:///directory} names. */
public final class DirectoryUri {

    private DirectoryUri() {}

    /**
     * The directory of {@code uri}.
     *
     * @throws IllegalArgumentException if it says more than that: {@code #} and {@code ?} end a path
     */
    public static Path directory(URI uri) {
        boolean hasMore = uri.getAuthority() != null || uri.getQuery() != null || uri.getRawFragment() != null;
        if (hasMore || uri.getPath() == null) {
            throw new IllegalArgumentException("uri=" + uri + ": " + uri.getScheme()
                    + ":///directory, with nothing else; in its name write %23 for # and %3F for ?");
        }
        return Path.of(uri.getPath());
    }
}
