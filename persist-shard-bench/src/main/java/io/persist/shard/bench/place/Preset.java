package io.persist.shard.bench.place;

import io.persist.bench.host.DirectoryTree;
import io.persist.shard.location.Blob;
import io.persist.shard.location.Consensus;
import io.persist.shard.location.Locations;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A kind of blob and a kind of consensus. */
public enum Preset {
    /** Both in memory. */
    MEM,
    /** Objects in files, versions in a journal. */
    FILE,
    /** Objects in files, versions in PostgreSQL. */
    POSTGRES,
    /** Objects in S3, versions in PostgreSQL. */
    S3;

    /** How it is typed. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether its objects are files of this machine. */
    boolean hasFiles() {
        return this != MEM;
    }

    /** A new place of this kind; what needs files has them in a new directory below {@code below}. */
    Place open(Path below) throws IOException {
        List<Closeable> belongings = new ArrayList<>(); // the last one is made first
        boolean isOpen = false;
        try {
            Place place = open(below, belongings);
            isOpen = true;
            return place;
        } finally {
            if (!isOpen) {
                Place.close(belongings);
            }
        }
    }

    private Place open(Path below, List<Closeable> belongings) throws IOException {
        if (this == MEM) {
            return open(id(), "mem://", "mem://", List.of(), belongings);
        }
        Path directory = Files.createTempDirectory(below, "shards-");
        belongings.add(0, () -> DirectoryTree.delete(directory));
        String files = uri("file", directory.resolve("objects"));
        if (this == FILE) {
            return open(id(), files, uri("journal", directory.resolve("journal")), List.of(directory), belongings);
        }
        Servers.Running postgres = Servers.postgres();
        belongings.add(0, postgres.server());
        List<Path> directories = List.of(directory, postgres.directory());
        if (this == POSTGRES) {
            return open(id(), files, postgres.uri(), directories, belongings);
        }
        Servers.Running s3 = Servers.s3(directory);
        belongings.add(0, s3.server());
        return open(id(), s3.uri(), postgres.uri(), directories, belongings);
    }

    /** What is at these, by whatever knows their schemes. */
    static Place open(
            String name,
            String blobUri,
            String consensusUri,
            List<Path> directories,
            List<? extends Closeable> belongings) {
        Blob blob = Locations.blob(blobUri);
        try {
            Consensus consensus = Locations.consensus(consensusUri);
            return new Place(name, blob, consensus, directories, belongings);
        } catch (RuntimeException | Error noConsensus) {
            blob.close();
            throw noConsensus;
        }
    }

    private static String uri(String scheme, Path directory) {
        return scheme + "://" + directory.toAbsolutePath().toUri().getRawPath();
    }
}
