package io.persist.peers.state.growth;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.bench.flags.ComparisonPaths;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import io.persist.log.Durability;
import io.persist.peers.state.workflow.WorkflowSize;
import io.persist.peers.state.workflow.WorkflowState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The flags of {@link WorkflowProgram}. Those whose defaults depend on others are null until they are given. */
final class WorkflowFlags {

    private static final int DEFAULT_ROUNDS = 20;
    private static final int MAX_ROUNDS = 100_000;
    private static final int SYNCED_COMMIT_EVERY = 100;
    private static final String ALL = "all";

    @Parameter(
            names = "--engine",
            order = 1,
            placeholder = "LIST",
            description = "persist, rocksdb, speedb, parted by commas, or all; one after the other")
    private String engine = ALL;

    @Parameter(
            names = "--workflow",
            order = 2,
            placeholder = "WxBxT",
            converter = WorkflowSize.Converter.class,
            description = "a round: how many workflows, payload bytes of each task run, tasks per workflow;"
                    + " LittleHorse's are 1000x1000x1000")
    WorkflowSize workflow = new WorkflowSize(1000, 1000, 50);

    @Parameter(
            names = "--rounds",
            order = 3,
            placeholder = "N",
            defaultValueDescription = "20",
            description = "how many follow each other in one store")
    private Integer rounds;

    @Parameter(
            names = "--grow-gb",
            order = 4,
            placeholder = "GB",
            defaultValueDescription = "off",
            description = "instead of --rounds: as many as it takes until workflows and task runs have so many 10^9"
                    + " bytes, such as 12 or 24")
    private Double growGb;

    @Parameter(
            names = "--durability",
            order = 5,
            placeholder = "LEVEL",
            description = "what each commit waits for, in every engine: none, flush or sync")
    private String durability = "flush";

    @Parameter(
            names = "--commit-every",
            order = 6,
            placeholder = "N",
            defaultValueDescription = "1; 100 with sync",
            description = "commands in each commit")
    private Integer commitEvery;

    @Parameter(
            names = "--timer-step",
            order = 7,
            placeholder = "N",
            description = "timers that are deleted in each commit, inside the open scan")
    int timerStep = 1000;

    @Parameter(
            names = "--clock-rate",
            order = 8,
            placeholder = "N",
            description = "commands per second of the workload's own clock, after which timers mature and are deleted:"
                    + " so every engine does the same")
    int clockRate = 28_571;

    @Parameter(
            names = "--window",
            order = 9,
            placeholder = "SECONDS",
            description = "length of the windows of the metrics, by the machine's clock")
    private double window = 30;

    @Parameter(
            names = "--workflowMetrics",
            order = 10,
            placeholder = "N",
            defaultValueDescription = "off",
            description = "print the last N windows of each engine as JSON, as LittleHorse's command does; 0 for all")
    Integer workflowMetrics;

    @Parameter(
            names = "--restore",
            arity = 1,
            order = 11,
            description = "measure how long it takes to restore the state in an empty engine, too")
    boolean restore = false;

    @Parameter(
            names = "--speedb-jar",
            order = 12,
            placeholder = "FILE",
            defaultValueDescription = "the local Maven repository's",
            description = "SpeedB's speedbjni")
    private Path speedbJar;

    @Parameter(
            names = "--heap",
            order = 13,
            placeholder = "SIZE",
            description = "largest heap of each engine's JVM, as -Xmx takes it")
    String heap = "1g";

    @ParametersDelegate
    final ComparisonPaths paths = new ComparisonPaths();

    /** @throws UsageException if a value is of no use */
    void validate() {
        engines();
        durability();
        if (rounds != null && growGb != null) {
            throw new UsageException("--rounds and --grow-gb both say how many rounds there are; leave one out");
        }
        if (growGb != null) {
            Checks.range("--grow-gb", growGb, 0.0001, 10_000);
        }
        if (growGb != null && rounds() > MAX_ROUNDS) {
            throw new UsageException("--grow-gb " + growGb + " takes more than " + MAX_ROUNDS + " rounds of " + workflow
                    + "; give a larger --workflow");
        }
        Checks.range("--rounds", rounds(), 1, MAX_ROUNDS);
        Checks.range("--commit-every", commitEvery(), 1, 1_000_000);
        Checks.range("--timer-step", timerStep, 1, 1_000_000);
        Checks.range("--clock-rate", clockRate, 1, 100_000_000);
        Checks.range("--window", window, 0.001, 86_400);
        if (workflowMetrics != null) {
            Checks.range("--workflowMetrics", workflowMetrics, 0, Integer.MAX_VALUE);
        }
        Checks.heap("--heap", heap);
        if (speedbJar != null && !Files.isRegularFile(speedbJar)) {
            throw new UsageException("--speedb-jar " + speedbJar + " is no file; name speedbjni's jar");
        }
        if ((long) rounds() * workflow.taskRuns() > Integer.MAX_VALUE) {
            throw new UsageException("--rounds " + rounds() + " of " + workflow + " are more than " + Integer.MAX_VALUE
                    + " task runs; give fewer");
        }
    }

    List<GrowthEngine> engines() {
        if (engine.equals(ALL)) {
            return List.of(GrowthEngine.values());
        }
        List<GrowthEngine> chosen = new ArrayList<>();
        for (String id : engine.split(",", -1)) {
            chosen.add(GrowthEngine.byId(id)
                    .orElseThrow(() -> new UsageException(
                            "--engine " + id + " is none of persist, rocksdb, speedb, all; choose some of them")));
        }
        return Arrays.stream(GrowthEngine.values()).filter(chosen::contains).toList();
    }

    Durability durability() {
        return switch (durability.toLowerCase(Locale.ROOT)) {
            case "none" -> Durability.BUFFERED;
            case "flush" -> Durability.FLUSHED;
            case "sync" -> Durability.SYNCED;
            default ->
                throw new UsageException(
                        "--durability " + durability + " is none of none, flush, sync; choose one of them");
        };
    }

    int rounds() {
        if (growGb != null) {
            return (int) Math.min(
                    Integer.MAX_VALUE, Math.max(1, Math.ceil(growGb * 1e9 / WorkflowState.bytesPerRound(workflow))));
        }
        return rounds == null ? DEFAULT_ROUNDS : rounds;
    }

    int commitEvery() {
        if (commitEvery != null) {
            return commitEvery;
        }
        return durability() == Durability.SYNCED ? SYNCED_COMMIT_EVERY : 1;
    }

    long windowMs() {
        return Math.round(1000 * window);
    }

    /** SpeedB's jar, null if there is none. */
    Path speedb() throws IOException {
        if (speedbJar != null) {
            return speedbJar;
        }
        String repository = System.getProperty("maven.repo.local");
        return GrowthEngine.speedbIn(
                repository == null
                        ? Path.of(System.getProperty("user.home"), ".m2", "repository")
                        : Path.of(repository));
    }

    GrowthSpec spec(GrowthEngine of, Path directory) {
        return new GrowthSpec(
                of.id(),
                of.kind,
                directory.toString(),
                durability(),
                workflow,
                rounds(),
                clockRate,
                commitEvery(),
                timerStep,
                windowMs(),
                restore);
    }

    /** By their names without hyphens, for the files of results. */
    Map<String, String> parameters() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("workflow", workflow.toString());
        all.put("rounds", Integer.toString(rounds()));
        all.put("durability", durability().toString());
        all.put("commit-every", Integer.toString(commitEvery()));
        all.put("timer-step", Integer.toString(timerStep));
        all.put("clock-rate", Integer.toString(clockRate));
        all.put("window", Double.toString(window));
        all.put("heap", heap);
        return all;
    }
}
