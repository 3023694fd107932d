package io.persist.bench.doctor;

import io.persist.bench.doctor.diagnosis.Choice;
import io.persist.bench.doctor.diagnosis.Diagnosis;
import io.persist.bench.doctor.diagnosis.Examination;
import io.persist.bench.doctor.diagnosis.Finding;
import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.disk.Probe;
import io.persist.bench.doctor.machine.Figures;
import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A page for people: the answer first, then what it is made of. */
final class TextReport {

    private static final int LINE_LENGTH = 100;
    private static final String INDENT = "  ";

    private final PrintStream out;

    private TextReport(PrintStream out) {
        this.out = out;
    }

    static void print(Examination examination, PrintStream out) {
        TextReport report = new TextReport(out);
        Diagnosis diagnosis = examination.diagnosis();
        out.println("What a synced commit costs in " + examination.facts().directory());
        out.println();
        diagnosis.verdict().forEach(sentence -> report.paragraph(INDENT, INDENT, sentence));
        if (!diagnosis.choices().isEmpty()) {
            report.choices(diagnosis.choices());
        }
        if (!diagnosis.findings().isEmpty()) {
            report.findings(diagnosis.findings());
        }
        report.measurements(examination.measurements());
        report.facts(examination.facts().asMap());
    }

    private void heading(String words) {
        out.println();
        out.println(words);
    }

    private void choices(List<Choice> choices) {
        heading("Choose");
        for (Choice choice : choices) {
            String setting = choice.name() + "=" + choice.value();
            paragraph(INDENT, INDENT + INDENT, setting + ": " + choice.why() + ".");
        }
    }

    private void findings(List<Finding> findings) {
        heading("Warnings and notes");
        for (Finding finding : findings) {
            paragraph(INDENT, INDENT + INDENT, finding.severity().words() + ". " + finding.what());
            paragraph(INDENT + INDENT, INDENT + INDENT, "What to do: " + finding.remedy());
        }
    }

    private void measurements(Measurements measurements) {
        heading("Measured: microseconds for " + (Probe.LENGTH >> 10) + " KiB");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("what", "into", "p50", "p90", "p99", "max", "values"));
        for (Measurement each : measurements.all()) {
            if (each.isMeasured()) {
                rows.add(List.of(
                        each.operation().words(),
                        each.space().words(),
                        Figures.micros(each.p50Ns()) + Percentile.mark(50, each.samples()),
                        Figures.micros(each.p90Ns()) + Percentile.mark(90, each.samples()),
                        Figures.micros(each.p99Ns()) + Percentile.mark(99, each.samples()),
                        Figures.micros(each.maxNs()),
                        Text.grouped(each.samples())));
            }
        }
        table(rows, 2);
        if (measurements.all().stream()
                .anyMatch(each -> each.isMeasured() && !Percentile.hasValuesAbove(99, each.samples()))) {
            paragraph(INDENT, INDENT + INDENT, Percentile.LEGEND);
        }
        for (Measurement each : measurements.all()) {
            if (each.refusal() != null) {
                paragraph(
                        INDENT,
                        INDENT + INDENT,
                        each.operation().words() + ", " + each.space().words() + ": refused (" + each.refusal() + ")");
            }
        }
        paragraph(
                INDENT,
                INDENT + INDENT,
                "Written at once and synced: " + Text.bytes((long) measurements.sequentialBytesPerSecond())
                        + " per second");
    }

    private void facts(Map<String, String> facts) {
        heading("Facts");
        List<List<String>> rows = new ArrayList<>();
        facts.forEach((name, value) -> rows.add(List.of(name, value)));
        table(rows, 2);
    }

    /** @param leftAligned how many columns hold words */
    private void table(List<List<String>> rows, int leftAligned) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(INDENT).append(i < leftAligned ? row.get(i) + padding : padding + row.get(i));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    /** Breaks a text into lines. */
    private void paragraph(String first, String others, String text) {
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : text.split(" ")) {
            if (!empty && line.length() + 1 + word.length() > LINE_LENGTH) {
                out.println(line);
                line = new StringBuilder(others);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        out.println(line);
    }
}
