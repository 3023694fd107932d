package io.persist.testkit;

import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Injection.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A place in a script, and what happens there.
 *
 * <p>The place is told by the operation's text and by how often it had come before, not by its number among all:
 * threads in the background change the numbers from run to run, but hardly ever how often the same is done to the same
 * file.
 *
 * @param fault what happens
 * @param loss what becomes of data that is not durable, when the power is cut then; with a {@link Fault#KILL} what
 *     becomes of the operation: nothing of it is done if {@link Loss#ALL_LOST}, else what it writes is written
 * @param operation the text by which the storage announces the operation, such as {@code "sync control"}, or
 *     {@link #END}
 * @param occurrence 1 for the first such operation of a life
 */
public record CrashPoint(Fault fault, Loss loss, String operation, int occurrence) {

    /** In place of an operation: the life is over, and everything closed. */
    public static final String END = "end";

    private static final char SEPARATOR = ':';
    private static final int PARTS = 4;

    /** @throws IllegalArgumentException if {@code occurrence} is below 1 */
    public CrashPoint {
        if (occurrence < 1) {
            throw new IllegalArgumentException("occurrence=" + occurrence + ", needed is 1 or more");
        }
    }

    /** The point of a text that {@link #toString} has made. */
    public static CrashPoint parse(String text) {
        String[] parts = text.split(String.valueOf(SEPARATOR), PARTS);
        try {
            return new CrashPoint(
                    Fault.valueOf(parts[0]),
                    Loss.valueOf(parts[1]),
                    parts[3].replace(SEPARATOR, ' '),
                    Integer.parseInt(parts[2]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
            throw new IllegalArgumentException(
                    "no crash point: " + text + "; needed is FAULT:LOSS:OCCURRENCE:VERB:FILE, with one of "
                            + Arrays.toString(Fault.values()) + " and one of " + Arrays.toString(Loss.values()),
                    wrong);
        }
    }

    boolean isAt(String what, int occurrenceOfIt) {
        return occurrenceOfIt == occurrence && operation.equals(what);
    }

    /** A text without spaces, for {@link #parse} and for a system property. */
    @Override
    public String toString() {
        return fault.name() + SEPARATOR + loss + SEPARATOR + occurrence + SEPARATOR + operation.replace(' ', SEPARATOR);
    }

    /**
     * What is tried at an operation.
     *
     * @param number of the operation, by which the losses take turns where each is not tried
     */
    static List<CrashPoint> at(Operation operation, int number, List<Fault> faults, List<Loss> losses) {
        List<CrashPoint> here = new ArrayList<>();
        for (Fault fault : faults) {
            boolean fits = switch (fault) {
                case POWER_CUT, REMOUNT, KILL -> true;
                case IO_ERROR -> !operation.what().equals(END);
                case DISK_FULL -> operation.mayGrow();
            };
            if (fits) {
                lossesOf(fault, operation, number, losses)
                        .forEach(loss ->
                                here.add(new CrashPoint(fault, loss, operation.what(), operation.occurrence())));
            }
        }
        return here;
    }

    /** All after a power cut. Else each point has another one. A killed write is done, and it is not. */
    private static List<Loss> lossesOf(Fault fault, Operation operation, int number, List<Loss> losses) {
        return switch (fault) {
            case POWER_CUT -> losses;
            case KILL -> operation.isWrite() ? List.of(Loss.ALL_KEPT, Loss.ALL_LOST) : List.of(Loss.ALL_KEPT);
            case REMOUNT, IO_ERROR, DISK_FULL -> List.of(losses.get(number % losses.size()));
        };
    }
}
