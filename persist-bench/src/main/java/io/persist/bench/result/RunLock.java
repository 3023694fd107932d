package io.persist.bench.result;

import io.persist.command.UsageException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code run.lock}, in the directory of a run while that is under way: who else wants the directory is refused. A
 * process that has ended holds none, however it has ended; the file that it has left is replaced.
 */
final class RunLock {

    static final String FILE = "run.lock";

    /** The program, its process, when that began, and what no other process has. */
    private static final Pattern TEXT =
            Pattern.compile("(bin/persist \\S+)\nprocess (\\d{1,18})\nof second (\\d{1,18})\n(\\S+)\n");

    /** Two JVMs may differ by so much about when a process began, as the clock was set in between. */
    private static final long SAME_SECONDS = 60;

    /** Also a process of another machine that writes to the same directory has another one. */
    private static final String OWN = UUID.randomUUID().toString();

    private RunLock() {}

    /** Takes the lock of {@code directory}, which this process may hold already. */
    static void take(Path directory, String program) throws IOException {
        String text = text(program, second(ProcessHandle.current()), OWN);
        try {
            create(directory, text);
        } catch (FileAlreadyExistsException e) {
            refuseOthers(directory);
            Files.deleteIfExists(directory.resolve(FILE));
            create(directory, text);
        }
    }

    private static void create(Path directory, String text) throws IOException {
        Files.writeString(directory.resolve(FILE), text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /** What the lock of a run in this process says. */
    static String text(String program, long second, String id) {
        return "bin/persist " + program + "\nprocess " + ProcessHandle.current().pid() + "\nof second " + second + "\n"
                + id + "\n";
    }

    /** When the process began, in seconds since 1970. */
    static long second(ProcessHandle process) {
        return process.info().startInstant().orElse(Instant.EPOCH).getEpochSecond();
    }

    /** @throws UsageException if another process that lives holds the lock, or the file is somebody else's */
    static void refuseOthers(Path directory) throws IOException {
        String text = read(directory);
        if (text.isEmpty()) {
            return; // there is none, or the machine has failed before it was written
        }
        Matcher lock = TEXT.matcher(text);
        if (!lock.matches()) {
            throw new UsageException(directory.resolve(FILE) + " was written by " + RunDirectory.NOBODY
                    + ", and this run would replace it; move it away, or name another directory with --output");
        }
        if (!lock.group(4).equals(OWN) && lives(Long.parseLong(lock.group(2)), Long.parseLong(lock.group(3)))) {
            throw new UsageException(directory + " is in use by a run of " + lock.group(1) + ", process "
                    + lock.group(2) + "; wait until that has ended, or name another directory with --output");
        }
    }

    /** Whether that process is there, and no later one with its number. */
    private static boolean lives(long pid, long second) {
        return ProcessHandle.of(pid)
                .filter(process -> process.isAlive() && Math.abs(second(process) - second) <= SAME_SECONDS)
                .isPresent();
    }

    static boolean isHeldByThisProcess(Path directory) throws IOException {
        return read(directory).endsWith("\n" + OWN + "\n");
    }

    private static String read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        try {
            return Files.isRegularFile(file) ? Files.readString(file) : "";
        } catch (NoSuchFileException e) {
            return ""; // given back in between
        }
    }

    /** Gives the lock of {@code directory} back, if this process holds it. */
    static void release(Path directory) throws IOException {
        if (isHeldByThisProcess(directory)) {
            Files.deleteIfExists(directory.resolve(FILE));
        }
    }
}
