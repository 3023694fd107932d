package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The random histories of an explorer; a seed tells one of them.
 *
 * @param losses of which each life draws one, in this order
 */
record CrashLives(List<Loss> losses) {

    private static final String WITH = CrashExplorer.LIVES + ":";

    /** Whether {@code crash} is a text that {@link #toString} has made. */
    static boolean isText(String crash) {
        return crash.equals(CrashExplorer.LIVES) || crash.startsWith(WITH);
    }

    /** The lives of a text that {@link #toString} has made; if it names no losses, {@code others}. */
    static CrashLives parse(String text, List<Loss> others) {
        if (text.equals(CrashExplorer.LIVES)) {
            return new CrashLives(others);
        }
        try {
            return new CrashLives(Arrays.stream(text.substring(WITH.length()).split(","))
                    .map(Loss::valueOf)
                    .toList());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "no losses of random lives: " + text + "; needed is " + WITH + "LOSS,LOSS… of "
                            + Arrays.toString(Loss.values()),
                    wrong);
        }
    }

    /** For a system property: the losses if they are not all, as a test may have others the next time. */
    @Override
    public String toString() {
        boolean hasAll = losses.equals(List.of(Loss.values()));
        return hasAll
                ? CrashExplorer.LIVES
                : losses.stream().map(Loss::name).collect(Collectors.joining(",", WITH, ""));
    }
}
