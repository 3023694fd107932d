package io.persist.bench.doctor.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder with {@code proc} and {@code sys} as a machine of the test's choice has them. */
public final class FakeSystem {

    private final Path root;

    public FakeSystem(Path root) {
        this.root = root;
    }

    public SystemFiles files() {
        return new SystemFiles(root);
    }

    public FakeSystem file(String path, String content) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, content + "\n");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything is on this file system. */
    public FakeSystem mounted(String device, String type, String source, String options) {
        return file(
                "proc/self/mountinfo", "27 1 " + device + " / / rw,relatime - " + type + " " + source + " " + options);
    }

    /** A disk as {@code /sys/class/block} shows it, with the answers of its queue. */
    public FakeSystem disk(String name, String number, String writeCache) {
        String folder = "sys/devices/bus/block/" + name;
        file(folder + "/dev", number);
        file(folder + "/queue/write_cache", writeCache);
        file(folder + "/queue/fua", "0");
        file(folder + "/queue/rotational", "1");
        file(folder + "/queue/scheduler", "none [mq-deadline] kyber");
        return link(name, folder);
    }

    public FakeSystem partition(String disk, String name, String number) {
        String folder = "sys/devices/bus/block/" + disk + "/" + name;
        file(folder + "/dev", number);
        file(folder + "/partition", "1");
        return link(name, folder);
    }

    private FakeSystem link(String name, String folder) {
        try {
            Path classes = Files.createDirectories(root.resolve("sys/class/block"));
            Files.deleteIfExists(classes.resolve(name));
            Files.createSymbolicLink(classes.resolve(name), root.resolve(folder));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
