package io.persist.kafka.bench.server;

import io.persist.command.UsageException;
import java.util.List;

/**
 * How much is done: LittleHorse's {@code launchTests W SIZE T}.
 *
 * @param workflows how many workflows there are
 * @param payload bytes of the payload of each completed task run
 * @param tasks how many tasks each workflow runs
 */
public record RunSize(int workflows, int payload, int tasks) {

    private static final int MAX = 1_000_000;
    private static final int MAX_PAYLOAD = 900_000; // a broker takes 1 MiB
    private static final RunSize SMALL = new RunSize(100, 1000, 50);

    /** Of the operands behind the command: none for a small run, or three numbers. */
    public static RunSize of(List<String> operands) {
        if (operands.isEmpty()) {
            return SMALL;
        }
        if (operands.size() != 3) {
            throw new UsageException("give W SIZE T: workflows, payload bytes and tasks, such as 1000 2000 100");
        }
        return new RunSize(
                number("W", operands.get(0), 1, MAX),
                number("SIZE", operands.get(1), 0, MAX_PAYLOAD),
                number("T", operands.get(2), 1, MAX));
    }

    public static int number(String name, String text, int min, int max) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, text, min, max);
        }
        throw wrong(name, text, min, max);
    }

    private static UsageException wrong(String name, String text, int min, int max) {
        return new UsageException(
                name + " " + text + " is out of range; give a whole number from " + min + " to " + max);
    }

    public long taskRuns() {
        return (long) workflows * tasks;
    }

    /** One that starts each workflow, and two for each task run. */
    public long commands() {
        return workflows + 2 * taskRuns();
    }

    @Override
    public String toString() {
        return workflows + "x" + payload + "x" + tasks;
    }
}
