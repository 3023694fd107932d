package io.persist.peers;

import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.host.DiskSpace;
import io.persist.peers.trial.Mode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What stands before the tables: how they came about, and how to read them. */
final class Heading {

    private static final List<String> RULES = List.of(
            "Each trial, which is a mode, an engine and a round, runs in a JVM of its own, warms up for a time that is"
                    + " the same for all, and measures in new logs. What appends as fast as it goes does so for a time"
                    + " that is the same for all, in as many logs as that takes; opening them is not timed.",
            "Engines make the space for messages as they do by default, while they are being measured, and get no time"
                    + " for it before. Where the name of a mode says \"prepared\", those that can do so, Persist among"
                    + " them, have filled all of it before.",
            "The engines of a round take turns, beginning with another one in each round.",
            "Figures are medians over the rounds. Ratios are medians of the ratios to " + Rounds.BASELINE
                    + " within a round: above 1 is better for ops/s, and worse for all else.",
            "\"survives\" is what takes nothing away of messages whose append, or commit where there is one, has"
                    + " returned. Compare equal with equal: \"weaker\" and \"stronger\" say where an engine promises"
                    + " less or more than " + Rounds.BASELINE + " there.",
            "Latencies are from System.nanoTime(), whose cost is in all of them.",
            "bare-* are floors: no checksums, no segments, no recovery. They are no logs.");

    private static final List<String> SUSTAINED_RULES = List.of(
            "A sustained load looks at the clock once for each append of each engine, some 20 to 30 ns: an append"
                    + " begins where the one before has ended. \"max us\" is the longest of all appends, \"stall ms\""
                    + " the longest time in which not a tenth of the mean rate got through, in one append or in many;"
                    + " \"min\", \"median\" and \"max 1/s\" are of the whole seconds. ops/s are until the engine"
                    + " has everything that its level promises; closing the log, and then syncing all of its files,"
                    + " are apart.",
            "\"CPU s/M\" are CPU seconds of all threads of the process for a million appends, from opening to"
                    + " closing, without the kernel's own threads.");

    private static final String PROFILES =
            "Profiles are of one more trial of each kind, which counts nowhere else: samples slow it down.";

    private Heading() {}

    static void print(Surroundings surroundings, Plan plan, PeersParameters flags, PrintStream out) throws IOException {
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
        if (!plan.engines(Mode.SUSTAINED).isEmpty()) {
            printSustained(flags, out);
        }
        plan.missing().forEach(each -> out.println("- " + each.engine() + ": left out: " + each.reason()));
        out.println();
        out.flush();
    }

    private static void printSustained(PeersParameters flags, PrintStream out) throws IOException {
        out.println("- "
                + SustainedLimits.of(flags, DiskSpace.usable(flags.paths().dir()))
                        .describe(flags));
        SUSTAINED_RULES.forEach(rule -> out.println("- " + rule));
        DeviceWrites device = DeviceWrites.of(flags.paths().dir());
        out.println("- \"device B/B\" are bytes written for each byte of messages, "
                + (device.bytes().isPresent()
                        ? "to " + device.describe() + ", whoever wrote them, from opening until all files are synced"
                                + " and the device has settled."
                        : "which cannot be known here: " + device.describe() + "."));
    }
}
