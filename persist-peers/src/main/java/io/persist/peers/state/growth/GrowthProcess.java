package io.persist.peers.state.growth;

import com.google.gson.Gson;
import io.persist.bench.host.DirectoryTree;
import io.persist.peers.trial.process.ChildFailure;
import io.persist.peers.trial.process.ChildJvm;
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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Runs an engine in a JVM and a directory of its own, of which nothing is left afterwards. */
final class GrowthProcess {

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
     * @throws ChildFailure if there is no result
     */
    GrowthResult run(GrowthEngine engine, Path latencies, Consumer<String> news)
            throws IOException, InterruptedException, ChildFailure {
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
                ChildJvm.awaitEnd(process, errors, () -> stopped.getAsBoolean() ? "interrupted" : "");
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
}
