package io.persist.peers;

import io.persist.bench.host.DirectoryTree;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.profile.Profile;
import io.persist.peers.profile.ProfileFiles;
import io.persist.peers.trial.Trial;
import io.persist.peers.trial.TrialResult;
import io.persist.peers.trial.process.ChildFailure;
import io.persist.peers.trial.process.ChildJvm;
import io.persist.peers.trial.process.StartedProcesses;
import io.persist.peers.trial.work.PeerTrial;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Runs trials, each in a JVM and a directory of its own, of which nothing is left afterwards. */
final class TrialProcess {

    private static final long LOOK_MS = 20;
    private static final String RESULT = "result.json";

    /** Has the JIT compilers note what was inlined at each instruction, and not only at safepoints. */
    private static final List<String> EXACT_FRAMES =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private final Path scratch;
    private final List<String> flags;
    private final Duration timeout;
    private final BooleanSupplier stopped;

    /**
     * @param scratch where the directories are made
     * @param flags of the JVMs
     * @param timeout after which one is killed
     * @param stopped whether one is to be killed at once
     */
    TrialProcess(Path scratch, List<String> flags, Duration timeout, BooleanSupplier stopped) {
        this.scratch = scratch;
        this.flags = flags;
        this.timeout = timeout;
        this.stopped = stopped;
    }

    /** What is taken out of a trial's directory before that is deleted. */
    @FunctionalInterface
    private interface Outcome<T> {
        T take(Path own) throws IOException;
    }

    TrialResult run(Trial planned) throws IOException, InterruptedException, ChildFailure {
        return run(planned, own -> TrialResult.load(own.resolve(RESULT)));
    }

    /** Runs a trial that is for its profile, and leaves its flame graph in a file. */
    Profile profile(Trial planned, Path flameGraph) throws IOException, InterruptedException, ChildFailure {
        return run(planned, own -> {
            ProfileFiles files = new ProfileFiles(own);
            Files.copy(files.flameGraph(), flameGraph, StandardCopyOption.REPLACE_EXISTING);
            return Profile.read(files);
        });
    }

    private <T> T run(Trial planned, Outcome<T> outcome) throws IOException, InterruptedException, ChildFailure {
        Path own = Files.createTempDirectory(scratch, planned.mode().id() + "-" + planned.engine() + "-");
        Path logs = Files.createDirectory(own.resolve("logs"));
        try {
            Path spec = own.resolve("trial.json");
            Path result = own.resolve(RESULT);
            Path errors = own.resolve("errors");
            planned.in(logs).save(spec);
            Process process = ChildJvm.startQuietly(PeerTrial.class, flags(planned, own), errors, spec, result);
            try {
                long startNs = System.nanoTime();
                ChildJvm.awaitEnd(process, errors, () -> reasonToKill(startNs));
            } finally {
                kill(process);
                StartedProcesses.kill(logs);
            }
            return outcome.take(own);
        } finally {
            deleteLeftovers(logs);
            DirectoryTree.delete(own);
        }
    }

    /** Where native libraries are unpacked, which a killed process leaves. */
    private static String temporary(Path own) throws IOException {
        return "-Djava.io.tmpdir=" + Files.createDirectory(own.resolve("tmp"));
    }

    private List<String> flags(Trial trial, Path own) throws IOException {
        List<String> all = new ArrayList<>(flags);
        all.add(temporary(own));
        if (trial.isProfiled()) {
            all.addAll(EXACT_FRAMES);
        }
        return all;
    }

    /** What killed engines left elsewhere. */
    private static void deleteLeftovers(Path logs) throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(logs, Files::isDirectory)) {
            for (Path directory : directories) {
                Engines.deleteLeftovers(directory);
            }
        }
    }

    /** Why the trial that was begun at {@code startNs} is killed; empty as long as it is not. */
    private String reasonToKill(long startNs) {
        if (stopped.getAsBoolean()) {
            return "interrupted";
        }
        return System.nanoTime() - startNs - timeout.toNanos() > 0
                ? "not done after " + timeout.toSeconds() + " s, hence killed"
                : "";
    }

    /** Also what it has started: a writer that was to be killed, a reader. */
    private static void kill(Process process) throws InterruptedException {
        List<ProcessHandle> others = process.descendants().toList();
        process.destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        for (ProcessHandle other : others) {
            while (other.isAlive()) {
                Thread.sleep(LOOK_MS);
            }
        }
    }
}
