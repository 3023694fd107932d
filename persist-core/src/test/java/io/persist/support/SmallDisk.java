package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A real file system of any size, a tmpfs, for which one has to be root. */
public final class SmallDisk implements AutoCloseable {

    private final Path mountPoint;

    private SmallDisk(Path mountPoint) {
        this.mountPoint = mountPoint;
    }

    /** Mounts one of a page; aborts the test, and says so, if this is not allowed here. */
    public static SmallDisk mount() throws IOException {
        Path mountPoint = Files.createTempDirectory("persist-disk");
        String refusal = run("mount", "-t", "tmpfs", "-o", "size=4096", "tmpfs", mountPoint.toString());
        if (!refusal.isEmpty()) {
            Files.delete(mountPoint);
            System.out.println("SKIPPED what needs a small disk: " + refusal);
        }
        assumeTrue(refusal.isEmpty(), refusal);
        return new SmallDisk(mountPoint);
    }

    public Path directory() {
        return mountPoint;
    }

    /** Makes it larger, or smaller if what is on it lets it be. */
    public void resize(long bytes) throws IOException {
        assertThat(run("mount", "-o", "remount,size=" + bytes, mountPoint.toString()))
                .isEmpty();
    }

    /** Deletes all that is on it. */
    public void clear() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(mountPoint)) {
            files = all.filter(path -> !path.equals(mountPoint))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    /** Runs a command; returns what there is to say about it, nothing if it went well. */
    private static String run(String... command) throws IOException {
        File said = File.createTempFile("persist", "said");
        try {
            int code = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said)
                    .start()
                    .waitFor();
            String text =
                    Files.readString(said.toPath(), StandardCharsets.UTF_8).strip();
            return code == 0 ? "" : command[0] + " failed with " + code + ": " + text;
        } catch (InterruptedException e) {
            throw new IOException(e);
        } catch (IOException noSuchCommand) {
            return "cannot run " + command[0] + ": " + noSuchCommand.getMessage();
        } finally {
            Files.delete(said.toPath());
        }
    }

    @Override
    public void close() throws IOException {
        assertThat(run("umount", mountPoint.toString())).isEmpty();
        Files.delete(mountPoint);
    }
}
