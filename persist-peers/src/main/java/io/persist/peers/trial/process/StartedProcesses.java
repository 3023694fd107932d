package io.persist.peers.trial.process;

import io.persist.file.disk.ProcessIdentity;
import io.persist.file.disk.ProcessIdentity.Presence;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes that a trial has started, each with a file in its directory. When the trial dies they are nobody's
 * descendants, and end a moment later; whoever deletes the directory finds them here.
 */
public final class StartedProcesses {

    private static final String PREFIX = "process-";
    private static final long LOOK_MS = 20;

    private StartedProcesses() {}

    /** Leaves a file that names the process. */
    static void note(Path directory, Process process) throws IOException {
        ProcessIdentity identity = ProcessIdentity.of(process.pid());
        String name = PREFIX + identity.pid() + "-" + identity.start() + "-" + identity.namespace();
        Files.createFile(directory.resolve(name));
    }

    /** Those that files in the directory name, whether they are still there or not. */
    public static List<ProcessIdentity> in(Path directory) throws IOException {
        List<ProcessIdentity> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*-*-*")) {
            for (Path file : files) {
                String[] numbers = String.valueOf(file.getFileName())
                        .substring(PREFIX.length())
                        .split("-");
                all.add(new ProcessIdentity(
                        Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2])));
            }
        }
        return all;
    }

    /** Kills them, and waits until they are gone. */
    public static void kill(Path directory) throws IOException, InterruptedException {
        for (ProcessIdentity each : in(directory)) {
            if (each.presence() == Presence.ALIVE) {
                ProcessHandle.of(each.pid()).ifPresent(ProcessHandle::destroyForcibly);
            }
            while (each.presence() == Presence.ALIVE) {
                Thread.sleep(LOOK_MS);
            }
        }
    }
}
