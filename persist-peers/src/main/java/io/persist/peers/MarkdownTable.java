package io.persist.peers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Tables in Markdown, with columns that are aligned as text too. */
final class MarkdownTable {

    private MarkdownTable() {}

    /**
     * The lines of a table: names to the left, numbers to the right.
     *
     * @param rows the headings first
     * @param textColumns how many columns hold names; the others are numbers
     */
    static List<String> lines(List<List<String>> rows, int textColumns) {
        List<String> lines = new ArrayList<>();
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (int i = 0; i < columns; i++) {
            int column = i;
            widths[i] = rows.stream()
                    .map(row -> row.get(column).length())
                    .max(Comparator.naturalOrder())
                    .orElse(0);
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("|");
            for (int i = 0; i < columns; i++) {
                String cell = row.get(i);
                String pad = " ".repeat(widths[i] - cell.length());
                line.append(' ')
                        .append(i < textColumns ? cell + pad : pad + cell)
                        .append(" |");
            }
            lines.add(line.toString());
        }
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < columns; i++) {
            rule.append("-".repeat(widths[i] + 1)).append(i < textColumns ? "-|" : ":|");
        }
        lines.add(1, rule.toString());
        return lines;
    }
}
