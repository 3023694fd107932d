package io.persist.peers;

import io.persist.peers.profile.Kind;
import io.persist.peers.profile.Profile;
import io.persist.peers.trial.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where the time of an engine goes in a mode: a heading, a sentence and two tables. */
final class ProfileTable {

    private static final int MOST_METHODS = 5;
    private static final int MOST_LEAVES = 8;

    /** Names of C++ functions can be very long. */
    private static final int MAX_NAME_LENGTH = 70;

    private final Trial trial;
    private final Profile profile;
    private final Path flameGraph;

    ProfileTable(Trial trial, Profile profile, Path flameGraph) {
        this.trial = trial;
        this.profile = profile;
        this.flameGraph = flameGraph;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("### Profile: " + trial.mode().id() + ", " + trial.engine());
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%,d samples of the measuring threads: %s Flame graph: %s",
                profile.samples(),
                profile.event().description(),
                flameGraph));
        lines.add("");
        if (profile.samples() > 0) {
            lines.addAll(MarkdownTable.lines(kinds(), 1));
            lines.add("");
            lines.addAll(MarkdownTable.lines(leaves(), 1));
            lines.add("");
        }
        return lines;
    }

    private List<List<String>> kinds() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("at", "share"));
        for (Kind kind : Kind.values()) {
            rows.add(row(kind.label(), profile.kinds().getOrDefault(kind, 0L)));
            if (kind == Kind.JOURNAL) {
                profile.methods().stream()
                        .limit(MOST_METHODS)
                        .map(each -> row("- " + simple(each.name()), each.samples()))
                        .forEach(rows::add);
            }
        }
        return rows;
    }

    private List<List<String>> leaves() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("innermost frame", "share"));
        profile.leaves().stream()
                .limit(MOST_LEAVES)
                .map(each -> row(simple(each.name()), each.samples()))
                .forEach(rows::add);
        return rows;
    }

    private List<String> row(String name, long samples) {
        return List.of(name, String.format(Locale.ROOT, "%.1f %%", 100.0 * samples / profile.samples()));
    }

    /** A method without the package of its class; a library without what makes the name of its copy unique. */
    private static String simple(String frame) {
        String name = frame.substring(frame.lastIndexOf('/') + 1).replace("|", "\\|");
        if (name.endsWith(".so")) {
            name = name.replaceAll("[0-9a-f]{8}[0-9a-f-]*", "…");
        }
        return name.length() <= MAX_NAME_LENGTH ? name : name.substring(0, MAX_NAME_LENGTH - 1) + "…";
    }
}
