package io.persist.peers.engine.aeron;

import io.persist.file.disk.ProcessIdentity;
import io.persist.file.disk.ProcessIdentity.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.agrona.IoUtil;

/**
 * The directory that a media driver and its clients share: in memory, where there is {@code /dev/shm}, hence outside of
 * the engine's directory. A file in there says where it is and whose, so that another process finds it, and what a
 * killed process left behind can be deleted.
 *
 * @param path where it is
 * @param process whose media driver has it
 */
public record AeronDirectory(Path path, ProcessIdentity process) {

    private static final String FILE_NAME = "aeron-directory";
    private static final String PREFIX = "persist-peers-aeron-";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int LINES = 4;

    /** A name for the media driver of this process, written into the engine's directory; leftovers are deleted. */
    static AeronDirectory create(Path engineDirectory) throws IOException {
        deleteLeftovers(engineDirectory);
        Path parent = Files.isWritable(SHARED_MEMORY) ? SHARED_MEMORY : engineDirectory.toAbsolutePath();
        ProcessIdentity self = ProcessIdentity.current();
        String name = PREFIX + self.pid() + "-" + Long.toHexString(System.nanoTime());
        AeronDirectory directory = new AeronDirectory(parent.resolve(name), self);
        directory.write(engineDirectory);
        return directory;
    }

    void write(Path engineDirectory) throws IOException {
        List<String> lines = List.of(
                path.toString(),
                Long.toString(process.pid()),
                Long.toString(process.start()),
                Long.toString(process.namespace()));
        Files.write(engineDirectory.resolve(FILE_NAME), lines);
    }

    /** The directory that the engine's directory names, if the process that it belongs to is alive. */
    static Optional<AeronDirectory> live(Path engineDirectory) throws IOException {
        return read(engineDirectory).filter(AeronDirectory::isLive);
    }

    private static Optional<AeronDirectory> read(Path engineDirectory) throws IOException {
        try {
            List<String> lines = Files.readAllLines(engineDirectory.resolve(FILE_NAME));
            // Fewer, if the process was killed while it wrote them; then its media driver had not begun.
            return lines.size() < LINES
                    ? Optional.empty()
                    : Optional.of(new AeronDirectory(
                            Path.of(lines.get(0)),
                            new ProcessIdentity(
                                    Long.parseLong(lines.get(1)),
                                    Long.parseLong(lines.get(2)),
                                    Long.parseLong(lines.get(3)))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** One that has ended is dead, also while nobody has asked yet how it ended. */
    private boolean isLive() {
        return process.presence() != Presence.GONE;
    }

    /** Deletes what a killed process left in shared memory. Nothing to do while that process lives. */
    public static void deleteLeftovers(Path engineDirectory) throws IOException {
        Optional<AeronDirectory> directory = read(engineDirectory);
        if (directory.isPresent() && !directory.get().isLive()) {
            directory.get().delete(engineDirectory);
        }
    }

    /** Deletes it, and the file that names it. */
    void delete(Path engineDirectory) throws IOException {
        Path name = path.getFileName();
        if (name != null && name.toString().startsWith(PREFIX)) {
            IoUtil.delete(path.toFile(), true);
        }
        Files.deleteIfExists(engineDirectory.resolve(FILE_NAME));
    }
}
