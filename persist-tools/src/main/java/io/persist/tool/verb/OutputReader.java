package io.persist.tool.verb;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Who reads the standard output, if that is a pipe. A write tells that nobody does any more; a program that has nothing
 * to write would wait for ever. Java cannot ask the pipe, so this looks among the processes of Linux which of them
 * have it open for reading.
 *
 * <p>Only what was seen can be missed: if no reader was ever found, because it is another user's, or this is not Linux,
 * there is always one.
 */
final class OutputReader {

    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /** The last octal digit of a descriptor's flags that says it is only for writing. */
    private static final char WRITE_ONLY = '1';

    private final Path processes;
    private final String pipe;
    private List<Path> readers;
    private long nextNs = System.nanoTime() + INTERVAL_NS;

    private OutputReader(Path processes, String pipe) {
        this.processes = processes;
        this.pipe = pipe;
        this.readers = pipe.isEmpty() ? List.of() : find();
    }

    /** The reader of this process's standard output. */
    static OutputReader current() {
        Path processes = Path.of("/proc");
        return new OutputReader(processes, pipe(processes.resolve("self/fd/1")));
    }

    /** The name of the pipe that a descriptor leads to; empty if it leads to something else. */
    private static String pipe(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith("pipe:") ? target : "";
        } catch (IOException | UnsupportedOperationException e) {
            return ""; // gone meanwhile, another user's, or no Linux
        }
    }

    /** Whether nobody reads any more. It looks once a second at most. */
    boolean hasGone() {
        if (readers.isEmpty() || System.nanoTime() - nextNs < 0) {
            return false;
        }
        nextNs = System.nanoTime() + INTERVAL_NS;
        // A process that lives and cannot be looked into any more may still read: sudo becomes another user's.
        List<Path> now = find();
        if (now.isEmpty() && readers.stream().anyMatch(process -> Files.exists(process) && !isReadable(process))) {
            return false;
        }
        readers = now.isEmpty() ? readers : now;
        return now.isEmpty();
    }

    private static boolean isReadable(Path process) {
        return Files.isReadable(process.resolve("fd"));
    }

    private List<Path> find() {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path process : all) {
                if (reads(process)) {
                    found.add(process);
                }
            }
        } catch (IOException e) {
            return List.of(); // no Linux
        }
        return found;
    }

    private boolean reads(Path process) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (pipe(descriptor).equals(pipe) && isForReading(process, descriptor)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false; // it has ended, or is another user's
        }
        return false;
    }

    private static boolean isForReading(Path process, Path descriptor) throws IOException {
        Path info = process.resolve("fdinfo").resolve(descriptor.getFileName());
        return Files.readAllLines(info).stream()
                .filter(line -> line.startsWith("flags:"))
                .anyMatch(line -> line.charAt(line.length() - 1) != WRITE_ONLY);
    }
}
