package io.persist.peers.trial;

import com.google.gson.Gson;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.all.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a trial's JVM is to do.
 *
 * @param engine its id
 * @param round 1 for the first; {@link #PROFILED}
 * @param leastMessages to append however long that takes, where a load is sustained
 * @param messages to append to a log at most; a multiple of the mode's batch
 * @param seconds that a pass takes at most; at least where a load is sustained; neither more nor less where appends go
 *     as fast as they can, in as many logs as that takes
 * @param warmupSeconds that the warm-up takes, which is the same for all engines
 * @param warmupMessages to append to a log of the warm-up at most; then it goes on in a new one
 * @param messageLength bytes
 * @param rate appends per second, where the mode has a fixed one
 * @param directory of the logs, deleted by whoever started the trial; empty as long as that is not decided
 */
public record Trial(
        String engine,
        Mode mode,
        int round,
        long leastMessages,
        long messages,
        double seconds,
        double warmupSeconds,
        long warmupMessages,
        int messageLength,
        long rate,
        String directory) {

    /** The round of a trial that is run for its profile, and counts in no round. */
    private static final int PROFILED = 0;

    public EngineKind kind() {
        return Engines.byId(engine).orElseThrow(() -> new IllegalArgumentException("no engine: " + engine));
    }

    public Limits limits() {
        return Limits.of(messages, seconds);
    }

    /** How long the warm-up appends, or reads, in all. */
    public long warmupNs() {
        return (long) (warmupSeconds * 1e9);
    }

    /** The same for its profile. */
    public Trial profiled() {
        return new Trial(
                engine,
                mode,
                PROFILED,
                leastMessages,
                messages,
                seconds,
                warmupSeconds,
                warmupMessages,
                messageLength,
                rate,
                directory);
    }

    public boolean isProfiled() {
        return round == PROFILED;
    }

    /** Its round, as people are told of it. */
    public String turn() {
        return isProfiled() ? "profile" : "round " + round;
    }

    /** The same with its logs in {@code directory}. */
    public Trial in(Path directory) {
        return new Trial(
                engine,
                mode,
                round,
                leastMessages,
                messages,
                seconds,
                warmupSeconds,
                warmupMessages,
                messageLength,
                rate,
                directory.toString());
    }

    public void save(Path file) throws IOException {
        Files.writeString(file, new Gson().toJson(this));
    }

    public static Trial load(Path file) throws IOException {
        return new Gson().fromJson(Files.readString(file), Trial.class);
    }
}
