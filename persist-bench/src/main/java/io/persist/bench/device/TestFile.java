package io.persist.bench.device;

import io.persist.bench.device.engine.Noise;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.host.DiskSpace;
import io.persist.command.Text;
import io.persist.command.UsageException;
import io.persist.file.disk.FileReason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A file that is measured, and one beside it that grows. What of them was made here is deleted when this is closed;
 * what somebody else has made there meanwhile is never touched.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class TestFile implements AutoCloseable {

    private static final int FILL = 1 << 20;

    private final Path path;
    private final long length;
    private final Set<Path> made = new LinkedHashSet<>();

    /**
     * Makes nothing yet.
     *
     * @param path of the one that is filled with noise; the other one's name ends in {@code .append}
     * @param length bytes that each of them has at most
     */
    TestFile(Path path, long length) {
        this.path = path;
        this.length = length;
    }

    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    /** Refuses what is there already, and what does not fit. */
    static void check(List<TestFile> files, List<Pattern> patterns) throws IOException {
        Map<FileStore, Long> needed = new HashMap<>();
        Set<Path> named = new HashSet<>();
        for (TestFile file : files) {
            Path parent = file.path.toAbsolutePath().normalize().getParent();
            if (parent == null || !Files.isDirectory(parent)) {
                throw new UsageException("--file " + file.path + " is in no directory that is there; make it first");
            }
            String why = FileReason.ofNoWriting(parent);
            if (!why.isEmpty()) {
                throw new UsageException("--file " + file.path + " cannot be made (" + why + "); name another one");
            }
            for (Path each : List.of(file.path, file.growing())) {
                if (Files.exists(each, LinkOption.NOFOLLOW_LINKS)) {
                    throw new UsageException("--file " + each + " is there already and would be overwritten;"
                            + " delete it, or name one that is not");
                }
                if (!named.add(parent.toRealPath().resolve(each.getFileName()))) {
                    throw new UsageException("--file " + each + " would be made twice: beside each file there is one"
                            + " whose name ends in .append; name others");
                }
            }
            needed.merge(Files.getFileStore(parent), file.neededBytes(patterns), Long::sum);
        }
        for (Map.Entry<FileStore, Long> each : needed.entrySet()) {
            long usable = DiskSpace.usable(each.getKey());
            if (each.getValue() > usable) {
                throw new IOException("the files take " + Text.bytes(each.getValue()) + ", but only "
                        + Text.bytes(usable) + " are free on " + each.getKey()
                        + "; give a smaller --fileSize, or a --file on another disk");
            }
        }
    }

    private long neededBytes(List<Pattern> patterns) {
        boolean grows = patterns.contains(Pattern.APPEND);
        boolean isFilled = patterns.stream().anyMatch(pattern -> pattern != Pattern.APPEND);
        return (grows ? length : 0) + (isFilled ? length : 0);
    }

    /** Makes it, full of noise that is on the device, so that no operation meets a block that is not there yet. */
    void fill(long seed, BooleanSupplier isEnding) throws IOException {
        ByteBuffer noise = Noise.aligned(seed, FILL);
        try (FileChannel channel = make(path)) {
            for (long at = 0; at < length; at += FILL) {
                if (isEnding.getAsBoolean()) {
                    throw new InterruptedIOException("interrupted");
                }
                noise.clear().limit((int) Math.min(FILL, length - at));
                Noise.stamp(noise, at);
                while (noise.hasRemaining()) {
                    channel.write(noise, at + noise.position());
                }
            }
            channel.force(true);
        }
    }

    Path growing() {
        return path.resolveSibling(path.getFileName() + ".append");
    }

    /** Makes the growing one empty, or the first time at all. */
    void empty() throws IOException {
        if (made.contains(growing())) {
            FileChannel.open(
                            growing(),
                            StandardOpenOption.CREATE, // as in settle
                            StandardOpenOption.WRITE,
                            StandardOpenOption.TRUNCATE_EXISTING)
                    .close();
        } else {
            make(growing()).close();
        }
    }

    /** @throws IOException if it is there: it was not when this was {@link #check}ed */
    private FileChannel make(Path file) throws IOException {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            made.add(file);
            return channel;
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " was made by somebody else meanwhile; delete it, or name another --file", e);
        }
    }

    /** Leaves nothing for the background to write while something else is measured. */
    void settle() throws IOException {
        for (Path each : made) {
            if (Files.exists(each)) { // fio may have been ended when it had just deleted it
                try (FileChannel channel = FileChannel.open(each, StandardOpenOption.WRITE)) {
                    channel.force(false);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Path each : made) {
            Files.deleteIfExists(each);
        }
    }
}
