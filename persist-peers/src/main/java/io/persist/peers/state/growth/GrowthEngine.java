package io.persist.peers.state.growth;

import io.persist.peers.state.StateEngineKind;
import io.persist.peers.trial.process.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The engines of {@code bin/persist workflow}. */
enum GrowthEngine {
    PERSIST(StateEngineKind.STORE),
    ROCKSDB(StateEngineKind.ROCKSDB),
    /** A fork of RocksDB whose classes have the same names, so that it needs a class path without that. */
    SPEEDB(StateEngineKind.ROCKSDB);

    /** The version of SpeedB that is known to load. */
    static final String SPEEDB_VERSION = "2.8.0";

    private static final String ROCKSDB_JAR = "rocksdbjni-";
    private static final String SPEEDB_JAR = "speedbjni-";

    final StateEngineKind kind;

    GrowthEngine(StateEngineKind kind) {
        this.kind = kind;
    }

    /** Its name in flags and tables. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<GrowthEngine> byId(String id) {
        return Arrays.stream(values()).filter(each -> each.id().equals(id)).findFirst();
    }

    /**
     * The class path of its process.
     *
     * @param speedb SpeedB's jar, null if there is none
     */
    String classPath(Path speedb) {
        if (this != SPEEDB) {
            return ChildJvm.classPath();
        }
        List<String> entries = new ArrayList<>(List.of(speedb.toString()));
        for (String entry : ChildJvm.classPath().split(File.pathSeparator)) {
            if (!new File(entry).getName().startsWith(ROCKSDB_JAR)) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Why it cannot be measured, empty if it may. */
    String missing(Path speedb) {
        return this != SPEEDB || speedb != null
                ? ""
                : "there is no " + SPEEDB_JAR + "*.jar; get it by mvn dependency:get -Dtransitive=false -Dartifact="
                        + "io.github.speedb-io:speedbjni:" + SPEEDB_VERSION + ", or name it by --speedb-jar";
    }

    /** SpeedB's jar of the highest version in a local Maven repository, null if there is none. */
    static Path speedbIn(Path repository) throws IOException {
        Path versions = repository.resolve(Path.of("io", "github", "speedb-io", "speedbjni"));
        if (!Files.isDirectory(versions)) {
            return null;
        }
        Path highest = null;
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(versions, Files::isDirectory)) {
            for (Path directory : directories) {
                Path jar = directory.resolve(SPEEDB_JAR + directory.getFileName() + ".jar");
                if (Files.isRegularFile(jar) && (highest == null || jar.compareTo(highest) > 0)) {
                    highest = jar;
                }
            }
        }
        return highest;
    }
}
