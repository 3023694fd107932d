package io.persist.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories that a run makes before it writes there, so that a wrong one is refused at once. Those in which there
 * is nothing in the end are taken away again.
 *
 * @param innermostFirst them, each in the one behind it
 */
public record NewDirectories(List<Path> innermostFirst) {

    /** Those of {@code directory} and the ones above it that are not there yet. */
    public static NewDirectories notYetThere(Path directory) {
        List<Path> innermostFirst = new ArrayList<>();
        Path path = directory.toAbsolutePath();
        while (path != null && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            innermostFirst.add(path);
            path = path.getParent();
        }
        return new NewDirectories(innermostFirst);
    }

    /** Deletes those of them that are empty. */
    public void deleteEmpty() {
        for (Path path : innermostFirst) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) { // somebody may have put a file there since
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    return; // there is something in it, or it has to stay for another reason
                }
            }
        }
    }
}
