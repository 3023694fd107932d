package io.persist.peers.trial;

import io.persist.log.Durability;
import io.persist.peers.profile.ProfileFiles;
import io.persist.peers.profile.SampledEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import one.profiler.AsyncProfiler;
import org.jspecify.annotations.Nullable;

/** Samples by async-profiler, which is loaded into this JVM. */
final class AsyncSampling implements Sampling {

    private final AsyncProfiler profiler;
    private final String title;
    private final List<SampledEvent> candidates;
    private final ProfileFiles files;
    private @Nullable SampledEvent sampled;

    private AsyncSampling(AsyncProfiler profiler, String title, List<SampledEvent> candidates, Path directory) {
        this.profiler = profiler;
        this.title = title;
        this.candidates = candidates;
        this.files = new ProfileFiles(directory);
    }

    /** Loads the library. */
    static AsyncSampling of(Trial trial, Path directory) throws IOException {
        try {
            AsyncProfiler profiler = AsyncProfiler.getInstance();
            String title = trial.engine() + " in mode " + trial.mode().id();
            return new AsyncSampling(profiler, title, candidates(trial.mode()), directory);
        } catch (IllegalStateException | UnsupportedOperationException | UnsatisfiedLinkError e) {
            throw new IOException("async-profiler cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Those that may be possible, best first. Where a mode waits for the device, its waiting has to be seen. */
    private static List<SampledEvent> candidates(Mode mode) throws IOException {
        if (mode.durability() == Durability.SYNCED) {
            return List.of(SampledEvent.WALL);
        }
        return kernelSymbols(Path.of("/proc/kallsyms"))
                ? List.of(SampledEvent.CPU_CLOCK, SampledEvent.CTIMER, SampledEvent.ITIMER)
                : List.of(SampledEvent.CTIMER, SampledEvent.ITIMER);
    }

    /** Who may not see the addresses is shown zeros; async-profiler then leaves out what the kernel does. */
    static boolean kernelSymbols(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            return false;
        }
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return lines.limit(100).anyMatch(line -> line.matches("0*[1-9a-f][0-9a-f]* .*"));
        }
    }

    /** Again it goes on with what it has. */
    @Override
    public void begin() throws IOException {
        if (sampled != null) {
            profiler.execute("resume,threads," + sampled.options());
            return;
        }
        List<String> reasons = new ArrayList<>();
        for (SampledEvent event : candidates) {
            try {
                profiler.execute("start,threads," + event.options());
                sampled = event;
                return;
            } catch (IllegalStateException | IllegalArgumentException e) {
                reasons.add(event.id() + ": " + e.getMessage());
            }
        }
        throw new IOException("async-profiler cannot take samples: " + String.join("; ", reasons));
    }

    @Override
    public void end() throws IOException {
        profiler.stop();
        Files.writeString(files.event(), Objects.requireNonNull(sampled).name());
        Files.writeString(files.samples(), profiler.execute("collapsed"));
        Files.writeString(files.flameGraph(), profiler.execute("flamegraph,title=" + title));
    }

    @Override
    public void enter() {
        profiler.addThread(Thread.currentThread());
    }

    @Override
    public void leave() {
        profiler.removeThread(Thread.currentThread());
    }
}
