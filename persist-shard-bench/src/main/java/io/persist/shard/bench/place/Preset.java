package io.persist.shard.bench.place;

import io.persist.bench.host.DirectoryTree;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kind of blob and a kind of consensus. */
public enum Preset {
    /** Both in memory. */
    MEM,
    /** Objects in files, versions in a journal. */
    FILE;

    /** How it is typed. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A new place of this kind; what needs files has them in a new directory below {@code below}. */
    Place open(Path below) throws IOException {
        return switch (this) {
            case MEM -> open("mem://", "mem://", null);
            case FILE -> {
                Path directory = Files.createTempDirectory(below, "shards-");
                yield open(
                        uri("file", directory.resolve("objects")),
                        uri("journal", directory.resolve("journal")),
                        directory);
            }
        };
    }

    private Place open(String blobUri, String consensusUri, @Nullable Path directory) throws IOException {
        try {
            return open(id(), blobUri, consensusUri, directory);
        } catch (RuntimeException | Error failed) {
            if (directory != null) {
                DirectoryTree.delete(directory);
            }
            throw failed;
        }
    }

    /** What is at these, by whatever knows their schemes. */
    static Place open(String name, String blobUri, String consensusUri, @Nullable Path directory) {
        Blob blob = Locations.blob(blobUri);
        try {
            Consensus consensus = Locations.consensus(consensusUri);
            return new Place(name, blob, consensus, directory);
        } catch (RuntimeException | Error noConsensus) {
            blob.close();
            throw noConsensus;
        }
    }

    static String uri(String scheme, Path directory) {
        return scheme + "://" + directory.toAbsolutePath().toUri().getRawPath();
    }
}
