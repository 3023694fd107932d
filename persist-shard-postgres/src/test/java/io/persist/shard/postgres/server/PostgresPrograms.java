package io.persist.shard.postgres.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Where PostgreSQL's programs are on this machine, and who may run them. */
final class PostgresPrograms {

    private PostgresPrograms() {}

    /** The directory of initdb and postgres, or null. */
    static Path directory() {
        List<Path> candidates = new ArrayList<>();
        String named = System.getProperty("persist.postgres");
        if (named != null) {
            candidates.add(Path.of(named));
        } else {
            candidates.addAll(ofPath());
            candidates.addAll(ofDistribution());
        }
        return candidates.stream()
                .filter(one -> Files.isExecutable(one.resolve("initdb")) && Files.isExecutable(one.resolve("postgres")))
                .findFirst()
                .orElse(null);
    }

    private static List<Path> ofPath() {
        String path = System.getenv("PATH");
        return Stream.of((path == null ? "" : path).split(File.pathSeparator))
                .map(Path::of)
                .toList();
    }

    /** What goes before a command so that it is not sent the signals of the terminal; nothing if there is no such. */
    static List<String> ofAnotherSession() {
        boolean isThere = ofPath().stream().anyMatch(one -> Files.isExecutable(one.resolve("setsid")));
        return isThere ? List.of("setsid") : List.of();
    }

    /** The newest first. */
    private static List<Path> ofDistribution() {
        Path root = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(root)) {
            return versions.sorted((one, other) -> Integer.compare(version(other), version(one)))
                    .map(one -> one.resolve("bin"))
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    private static int version(Path directory) {
        String name = directory.getFileName().toString();
        return name.matches("[0-9]{1,4}") ? Integer.parseInt(name) : 0;
    }

    /** Who the server runs as; null for the user of this process. */
    static String user() throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            return null;
        }
        List<String> users = Files.readAllLines(Path.of("/etc/passwd"));
        return users.stream().anyMatch(line -> line.startsWith("postgres:")) ? "postgres" : "nobody";
    }

    /** Its group. */
    static String group(String user) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream()
                .filter(line -> line.startsWith(user + ":"))
                .map(line -> line.split(":")[3])
                .findFirst()
                .orElseThrow();
    }
}
