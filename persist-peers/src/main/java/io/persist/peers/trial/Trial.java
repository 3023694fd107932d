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
 * @param messages to append at most, in each pass; a multiple of the mode's batch
 * @param seconds that a pass takes at most, or at least where a load is sustained
 * @param warmupSeconds that the warm-up takes at most
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
        int messageLength,
        long rate,
        String directory) {

    /** The round of a trial that is run for its profile, and counts in no round. */
    private static final int PROFILED = 0;

    /** The most that a warm-up appends. */
    static final long MAX_WARMUP_MESSAGES = 200_000;

    public EngineKind kind() {
        return Engines.byId(engine).orElseThrow(() -> new IllegalArgumentException("no engine: " + engine));
    }

    public Limits limits() {
        return Limits.of(messages, seconds);
    }

    public Limits warmup() {
        long most = Math.min(messages, MAX_WARMUP_MESSAGES);
        return Limits.of(most - most % mode.batch(), warmupSeconds);
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
