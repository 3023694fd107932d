package io.persist.file.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a process among all processes of one run of the operating system, which uses process ids again.
 *
 * @param pid its number
 * @param start when it began: on Linux in clock ticks since the boot, elsewhere in ms since 1970; 0 if it is not known
 * @param namespace the pid namespace in which the number counts; 0 where the operating system does not tell
 */
public record ProcessIdentity(long pid, long start, long namespace) {

    private static final Path PROCESSES = Path.of("/proc");
    private static final Path NAMESPACE = PROCESSES.resolve("self/ns/pid");

    // What does not change while this process lives, once it is known: to ask takes some ten microseconds, and each
    // opening of a log does. Any thread; each finds out the same.
    private static volatile boolean isKnownToSee;
    private static volatile long knownNamespace;
    private static volatile @Nullable ProcessIdentity self;

    // Places in /proc/PID/stat, counted behind the name, which may contain anything.
    private static final int STATE = 0;
    private static final int THREADS = 17;
    private static final int START = 19;

    /** Whether a process is there, as far as this one can see. */
    public enum Presence {
        ALIVE,
        GONE,
        /** It cannot be seen from here: another pid namespace, another user's where those are hidden. */
        UNKNOWN
    }

    /** The process that asks. */
    public static ProcessIdentity current() {
        ProcessIdentity known = self;
        if (known == null) {
            known = of(ProcessHandle.current().pid());
            self = known.start != 0 && known.namespace != 0 ? known : null; // if not, there may be no descriptor now
        }
        return known;
    }

    /** The process that has the number {@code pid} now. */
    public static ProcessIdentity of(long pid) {
        if (!seesProcesses()) {
            return new ProcessIdentity(
                    pid, ProcessHandle.of(pid).map(ProcessIdentity::startedAtMs).orElse(0L), 0);
        }
        String[] stat = stat(Long.toString(pid));
        return new ProcessIdentity(pid, stat.length == 0 ? 0 : Long.parseLong(stat[START]), namespaceHere());
    }

    /** Whether this process is there now. */
    public Presence presence() {
        if (isSelf()) {
            return Presence.ALIVE; // it asks
        }
        if (start == 0) {
            return ProcessHandle.of(pid).isPresent() ? Presence.UNKNOWN : Presence.GONE;
        }
        boolean seesProcesses = seesProcesses();
        if (namespace != (seesProcesses ? namespaceHere() : 0)) {
            return Presence.UNKNOWN;
        }
        return seesProcesses ? fromProcesses() : fromHandle();
    }

    /** As equals of a record says, which takes a JVM 20 ms the first time, in the middle of an opening. */
    private boolean isSelf() {
        ProcessIdentity known = self;
        return known != null && known.pid == pid && known.start == start && known.namespace == namespace;
    }

    private Presence fromProcesses() {
        String[] stat = stat(Long.toString(pid));
        if (stat.length == 0) {
            return stat("1").length == 0 ? Presence.UNKNOWN : Presence.GONE; // the first one is always there
        }
        // Nobody has asked yet how it ended; a program may also end its first thread and go on with others.
        boolean hasEnded = (stat[STATE].equals("Z") || stat[STATE].equals("X")) && Integer.parseInt(stat[THREADS]) <= 1;
        return !hasEnded && stat[START].equals(Long.toString(start)) ? Presence.ALIVE : Presence.GONE;
    }

    private Presence fromHandle() {
        return ProcessHandle.of(pid)
                .map(process -> {
                    long startedAtMs = startedAtMs(process);
                    return startedAtMs == 0
                            ? Presence.UNKNOWN
                            : startedAtMs == start && process.isAlive() ? Presence.ALIVE : Presence.GONE;
                })
                .orElse(Presence.GONE);
    }

    private static long startedAtMs(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Whether there is a list of processes, and it counts them as this process does. */
    private static boolean seesProcesses() {
        if (!isKnownToSee) {
            String pid = Long.toString(ProcessHandle.current().pid());
            isKnownToSee = readLink(PROCESSES.resolve("self")).equals(pid) && stat(pid).length > 0;
        }
        return isKnownToSee;
    }

    /** What the operating system says of a process; empty if it says nothing. */
    private static String[] stat(String process) {
        try {
            Path file = PROCESSES.resolve(process).resolve("stat");
            String line = Files.readString(file, StandardCharsets.ISO_8859_1); // any bytes can be a name
            String[] fields = line.substring(line.lastIndexOf(')') + 1).strip().split(" ");
            return fields.length > START ? fields : new String[0];
        } catch (IOException none) {
            return new String[0];
        }
    }

    private static long namespaceHere() {
        if (knownNamespace == 0) {
            String link = readLink(NAMESPACE); // such as pid:[4026531836]
            String digits = link.replaceAll("[^0-9]", "");
            knownNamespace = digits.isEmpty() ? 0 : Long.parseLong(digits);
        }
        return knownNamespace;
    }

    private static String readLink(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException | UnsupportedOperationException none) {
            return "";
        }
    }
}
