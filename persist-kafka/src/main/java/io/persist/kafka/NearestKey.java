package io.persist.kafka;

import java.util.List;

/** Which key was meant by one that is wrong: that which fewest insertions, deletions and replacements make of it. */
final class NearestKey {

    private NearestKey() {}

    /** One of {@code known}, of which there is at least one; the first of several that are as near. */
    static String of(String wrong, List<String> known) {
        String nearest = known.get(0);
        for (String key : known) {
            if (distance(wrong, key) < distance(wrong, nearest)) {
                nearest = key;
            }
        }
        return nearest;
    }

    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
