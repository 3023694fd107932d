package io.persist.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a program as a user does: in a JVM of its own, without flags but for a small heap; in a build also those that
 * keep it from making the best code of what runs a few times.
 */
final class ChildProgram {

    private ChildProgram() {}

    /** Starts it in {@code directory}; what it prints goes to the files "out" and "err" there. */
    static Process start(Path directory, String command) throws IOException {
        return builder(directory, command)
                .redirectOutput(directory.resolve("out").toFile())
                .start();
    }

    /** The same, to be started with another place for what it prints. */
    static ProcessBuilder builder(Path directory, String command) {
        List<String> line = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path")));
        if (!Boolean.getBoolean("persist.nightly")) {
            line.addAll(1, List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        line.addAll(List.of(command.split(" ")));
        return new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectError(directory.resolve("err").toFile());
    }
}
