package io.persist.peers;

import java.io.PrintStream;
import java.util.List;

/** What stands before the tables: how they came about, and how to read them. */
final class Heading {

    private static final List<String> RULES = List.of(
            "Each trial, which is a mode, an engine and a round, runs in a JVM of its own, warms up, and measures in"
                    + " new logs, which engines that can do so lay out before.",
            "The engines of a round take turns, beginning with another one in each round.",
            "Figures are medians over the rounds. Ratios are medians of the ratios to " + Rounds.BASELINE
                    + " within a round: above 1 is better for ops/s, and worse for all else.",
            "\"survives\" is what takes nothing away of messages whose append, or commit where there is one, has"
                    + " returned. Compare equal with equal: \"weaker\" and \"stronger\" say where an engine promises"
                    + " less or more than " + Rounds.BASELINE + " there.",
            "Latencies are from System.nanoTime(), whose cost is in all of them.",
            "bare-* are floors: no checksums, no segments, no recovery. They are no logs.");

    private static final String PROFILES =
            "Profiles are of one more trial of each kind, which counts nowhere else: samples slow it down.";

    private Heading() {}

    static void print(Surroundings surroundings, Plan plan, PeersParameters flags, PrintStream out) {
        out.println("# Persist and its peers");
        out.println();
        out.println("    " + String.join(" ", surroundings.command()));
        out.println();
        surroundings.facts().forEach((name, value) -> out.println("- " + name + ": " + value));
        out.println("- Trials: " + plan.trials().size() + ", " + flags.rounds() + " of each kind, with messages of "
                + flags.size() + " bytes");
        out.println();
        if (flags.profile() != null) {
            out.println("- " + PROFILES);
        }
        RULES.forEach(rule -> out.println("- " + rule));
        plan.missing().forEach(each -> out.println("- " + each.engine() + ": left out: " + each.reason()));
        out.println();
        out.flush();
    }
}
