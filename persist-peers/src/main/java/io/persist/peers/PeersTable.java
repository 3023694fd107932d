package io.persist.peers;

import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.Survival;
import io.persist.peers.engine.all.Engines;
import io.persist.peers.trial.Metric;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What came of a mode: a heading, a paragraph and a table, in Markdown with columns that are aligned as text too. */
final class PeersTable {

    private static final String NONE = "-";
    private static final String VAGUE = "*";
    private static final int TEXT_COLUMNS = 2;

    private final Plan plan;
    private final Rounds rounds;

    PeersTable(Plan plan, Rounds rounds) {
        this.plan = plan;
        this.rounds = rounds;
    }

    /** The lines about a mode. */
    List<String> lines(Mode mode) {
        return lines(mode, plan.engines(mode));
    }

    /** The same of a mode that was interrupted: of the engines that have a result; nothing if none has. */
    List<String> linesSoFar(Mode mode) {
        List<String> measured = plan.engines(mode).stream()
                .filter(engine -> !rounds.of(mode, engine).isEmpty())
                .toList();
        return measured.isEmpty() ? List.of() : lines(mode, measured);
    }

    private List<String> lines(Mode mode, List<String> shown) {
        List<String> lines = new ArrayList<>();
        lines.add("## " + mode.id());
        lines.add("");
        lines.add(mode.description());
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        rows.add(headings(mode));
        for (EngineKind kind : Engines.all()) {
            if (shown.contains(kind.id())) {
                rows.add(row(mode, kind));
            }
        }
        lines.addAll(MarkdownTable.lines(rows, TEXT_COLUMNS));
        lines.add("");
        if (rows.stream().flatMap(List::stream).anyMatch(cell -> cell.endsWith(VAGUE))) {
            lines.add(VAGUE + " Fewer than " + TrialResult.LEAST_ABOVE
                    + " latencies of a round are above it: longer trials (--seconds) say more.");
            lines.add("");
        }
        leftOut(mode)
                .forEach((reason, engines) -> lines.addAll(List.of("Left out: " + engines + ": " + reason + ".", "")));
        return lines;
    }

    private Map<String, String> leftOut(Mode mode) {
        return plan.leftOut(mode).stream()
                .collect(Collectors.groupingBy(
                        Plan.LeftOut::reason,
                        TreeMap::new,
                        Collectors.mapping(Plan.LeftOut::engine, Collectors.joining(", "))));
    }

    private static List<String> headings(Mode mode) {
        List<String> cells = new ArrayList<>(List.of("engine", "survives"));
        mode.metrics().forEach(metric -> cells.add(metric.heading()));
        mode.compared().forEach(metric -> cells.add(metric.shortName() + " ratio"));
        return cells;
    }

    private List<String> row(Mode mode, EngineKind kind) {
        List<String> cells = new ArrayList<>(List.of(kind.id(), survives(mode, kind)));
        for (Metric metric : mode.metrics()) {
            OptionalDouble median = rounds.median(mode, kind.id(), metric);
            String mark = rounds.isVague(mode, kind.id(), metric) ? VAGUE : "";
            cells.add(
                    median.isPresent()
                            ? metric.format(median.getAsDouble()) + mark
                            : failed(mode, kind) ? "failed" : NONE);
        }
        for (Metric metric : mode.compared()) {
            OptionalDouble ratio = rounds.medianRatio(mode, kind.id(), metric);
            boolean isVague = rounds.isVague(mode, kind.id(), metric) || rounds.isVague(mode, Rounds.BASELINE, metric);
            cells.add(ratio.isPresent() ? significant(ratio.getAsDouble()) + (isVague ? VAGUE : "") : NONE);
        }
        return cells;
    }

    private boolean failed(Mode mode, EngineKind kind) {
        return rounds.of(mode, kind.id()).isEmpty();
    }

    /** What takes nothing away, and whether that is less or more than of the baseline. */
    static String survives(Mode mode, EngineKind kind) {
        Survival own = mode.survival(kind);
        int difference = Engines.byId(Rounds.BASELINE)
                .map(baseline -> own.compareTo(mode.survival(baseline)))
                .orElse(0);
        return difference == 0 ? own.toString() : own + (difference < 0 ? ", weaker" : ", stronger");
    }

    /** Three digits, as 0.0123, 1.00 or 46.2, and no fraction from 100 on. */
    static String significant(double value) {
        int digits = value >= 100 || value == 0 ? 0 : 2 - (int) Math.floor(Math.log10(value));
        return String.format(Locale.ROOT, "%,." + Math.min(digits, 6) + "f", value);
    }
}
