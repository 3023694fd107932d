package io.persist.peers.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of a library on the class path, as Maven wrote it into its jar. */
public final class LibraryVersion {

    private LibraryVersion() {}

    /** Its version; "of unknown version" if its jar does not say. */
    public static String of(String groupId, String artifactId) {
        String resource = "META-INF/maven/" + groupId + "/" + artifactId + "/pom.properties";
        try (InputStream in = LibraryVersion.class.getClassLoader().getResourceAsStream(resource)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "of unknown version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
