package io.persist.kafka.bench;

import io.persist.bench.load.Stop;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunSize;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/** Engines that take turns on one broker. */
final class KafkaComparison {

    private final Broker broker;
    private final KafkaFlags flags;
    private final RunSize size;
    private final Path scratch;
    private final KafkaReport report;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<EngineKind, List<TrialResult>> results = new EnumMap<>(EngineKind.class);
    private boolean hasFailed;

    KafkaComparison(
            Broker broker,
            KafkaFlags flags,
            RunSize size,
            Path scratch,
            KafkaReport report,
            PrintStream out,
            PrintStream err) {
        this.broker = broker;
        this.flags = flags;
        this.size = size;
        this.scratch = scratch;
        this.report = report;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs all, and prints what was found out, also if an engine fails or the user wants the end.
     *
     * @param answer what the server is asked for in the end, whose answer is printed in place of the tables; empty for
     *     the tables
     * @return whether all is well
     */
    boolean run(List<EngineKind> engines, int rounds, Trial.Extent extent, String answer, Stop stop)
            throws IOException, InterruptedException {
        if (answer.isEmpty()) {
            report.printHeading(out);
        }
        for (int round = 1; round <= rounds; round++) {
            for (EngineKind engine : turn(engines, round)) {
                if (!stop.requested()) {
                    run(engine, round, rounds, extent, answer, stop);
                }
            }
        }
        if (answer.isEmpty() && !results.isEmpty()) {
            report.printTable(results, out);
        }
        if (flags.paths.json() != null && !results.isEmpty()) {
            report.writeJson(results, flags.paths.json());
        }
        long states = results.values().stream()
                .flatMap(List::stream)
                .mapToLong(TrialResult::checksum)
                .distinct()
                .count();
        if (states > 1) {
            err.println("the engines have different states after the same commands");
        }
        return states == 1 && !hasFailed;
    }

    /** Another engine is first in every other round. */
    private static List<EngineKind> turn(List<EngineKind> engines, int round) {
        List<EngineKind> turn = new ArrayList<>(engines);
        if (round % 2 == 0) {
            Collections.reverse(turn);
        }
        return turn;
    }

    private void run(EngineKind engine, int round, int rounds, Trial.Extent extent, String answer, Stop stop)
            throws IOException, InterruptedException {
        String name = flags.application + "-" + engine.id() + "-" + round + "-" + System.currentTimeMillis();
        String label = engine.id() + (rounds > 1 ? ", round " + round + " of " + rounds : "") + ": ";
        try (Trial trial = new Trial(
                broker, flags, size, engine, scratch, name, line -> err.println(label + line), stop::requested)) {
            TrialResult result = trial.run(round, extent);
            results.computeIfAbsent(engine, same -> new ArrayList<>()).add(result);
            if (!answer.isEmpty()) {
                out.println(trial.client().text(answer));
            }
            if (flags.paths.output() != null) {
                report.writeRun(result, flags.paths.output());
            }
        } catch (IOException | KafkaException | Trial.Stopped e) {
            if (!stop.requested()) { // else it has got the signal too
                err.println(label + "failed: " + String.valueOf(e.getMessage()).replace('\n', ' '));
                hasFailed = true;
            }
        }
    }
}
