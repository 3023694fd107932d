package io.persist.peers.state.workflow;

import com.beust.jcommander.IStringConverter;
import com.beust.jcommander.ParameterException;

/**
 * How much the workflow workload does.
 *
 * @param workflows how many workflows there are
 * @param payload bytes of the payload of each completed task run
 * @param tasks how many tasks each workflow runs
 */
public record WorkflowSize(int workflows, int payload, int tasks) {

    private static final int MAX_WORKFLOWS = 1_000_000;
    private static final int MAX_PAYLOAD = 1 << 20;
    private static final int MAX_TASKS = 1_000_000;

    /** Reads what {@link #toString} writes. */
    public static final class Converter implements IStringConverter<WorkflowSize> {

        @Override
        public WorkflowSize convert(String text) {
            String[] parts = text.split("x", -1);
            if (parts.length != 3) {
                throw wrong(text);
            }
            return new WorkflowSize(
                    number(text, parts[0], 1, MAX_WORKFLOWS),
                    number(text, parts[1], 0, MAX_PAYLOAD),
                    number(text, parts[2], 1, MAX_TASKS));
        }

        private static int number(String text, String part, int min, int max) {
            try {
                int number = Integer.parseInt(part);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw wrong(text);
            }
            throw wrong(text);
        }

        private static ParameterException wrong(String text) {
            return new ParameterException("--workflow " + text + " is not a size; give workflows (1 to " + MAX_WORKFLOWS
                    + "), payload bytes (0 to " + MAX_PAYLOAD + ") and tasks (1 to " + MAX_TASKS
                    + "), such as 1000x2000x100");
        }
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
