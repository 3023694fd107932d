package io.persist.peers.state;

import com.google.gson.Gson;
import io.persist.bench.host.DirectoryTree;
import io.persist.peers.trial.ChildJvm;
import io.persist.peers.trial.PeerTrial;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs an engine in a JVM and a directory of its own, of which nothing is left afterwards. */
final class GrowthProcess {

    /** Why an engine has no result, in one line. */
    static final class FailedException extends Exception {

        private static final long serialVersionUID = 1L;

        FailedException(String message) {
            super(message);
        }
    }

    private static final long LOOK_MS = 20;
    private static final int MAX_ERROR_LENGTH = 400;

    private final WorkflowFlags flags;
    private final Path scratch;
    private final BooleanSupplier stopped;

    /**
     * @param scratch where the directories are made
     * @param stopped whether the process is to be killed
     */
    GrowthProcess(WorkflowFlags flags, Path scratch, BooleanSupplier stopped) {
        this.flags = flags;
        this.scratch = scratch;
        this.stopped = stopped;
    }

    /**
     * @param latencies where the histogram log of the commands is left
     * @param news is told each line that the process prints
     * @throws FailedException if there is no result
     */
    GrowthResult run(GrowthEngine engine, Path latencies, Consumer<String> news)
            throws IOException, InterruptedException, FailedException {
        Path own = Files.createDirectory(scratch.resolve(engine.id()));
        try {
            Path files = Files.createDirectory(own.resolve("files"));
            Path spec = own.resolve("spec.json");
            Path result = own.resolve("result.json");
            Path log = own.resolve("commands.hlog");
            Path errors = own.resolve("errors");
            Files.writeString(spec, new Gson().toJson(flags.spec(engine, files)));
            List<String> jvmFlags = new ArrayList<>(ChildJvm.flags(flags.heap));
            // Where native libraries are unpacked, which a killed process leaves.
            jvmFlags.add("-Djava.io.tmpdir=" + Files.createDirectory(own.resolve("tmp")));
            Process process = ChildJvm.command(
                            GrowthTrial.class, engine.classPath(flags.speedb()), jvmFlags, spec, result, log)
                    .redirectError(errors.toFile())
                    .start();
            try {
                Thread reader = relay(process, news);
                await(process, errors);
                reader.join();
            } finally {
                process.destroyForcibly();
                process.waitFor();
            }
            Files.move(log, latencies, StandardCopyOption.REPLACE_EXISTING);
            return GrowthResult.load(result);
        } finally {
            DirectoryTree.delete(own);
        }
    }

    private static Thread relay(Process process, Consumer<String> news) {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Thread thread = new Thread(
                () -> {
                    try (lines) {
                        lines.lines().forEach(news);
                    } catch (IOException | UncheckedIOException e) {
                        // The process has been killed.
                    }
                },
                "news");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void await(Process process, Path errors) throws IOException, InterruptedException, FailedException {
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            if (stopped.getAsBoolean()) {
                throw new FailedException("interrupted");
            }
        }
        if (process.exitValue() != 0) {
            String text = Files.readString(errors, StandardCharsets.ISO_8859_1);
            String line = text.lines()
                    .filter(each -> each.startsWith(PeerTrial.FAILURE))
                    .map(each -> each.substring(PeerTrial.FAILURE.length()))
                    .findFirst()
                    .or(() -> text.lines().filter(each -> !each.isBlank()).findFirst())
                    .map(each -> each.substring(0, Math.min(each.length(), MAX_ERROR_LENGTH)))
                    .orElse("it said nothing");
            throw new FailedException(line + " (exit code " + process.exitValue() + ")");
        }
    }
}
