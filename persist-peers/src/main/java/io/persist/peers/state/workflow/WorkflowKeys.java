package io.persist.peers.state.workflow;

import io.persist.peers.state.StateData;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The keys of the workflow workload: text, of the lengths that LittleHorse's benchmark has.
 *
 * <pre>
 *   WORKFLOW/{uuid}-{workflow}           49 bytes
 *   TASK_RUN/{uuid}-{workflow}/{task}    53 bytes
 *   TIMER_OBJECT/{maturity ms}/{uuid}    63 bytes
 *   METRICS_WINDOW/{start ms}            28 bytes
 * </pre>
 *
 * Numbers have leading zeros, at least three digits. Each kind of key has an array of its own, which the next key of
 * this kind overwrites.
 *
 * <p><b>Threads:</b> one.
 */
public final class WorkflowKeys {

    static final String WORKFLOW = "WORKFLOW/";
    static final String TASK_RUN = "TASK_RUN/";
    static final String TIMER = "TIMER_OBJECT/";
    public static final String WINDOW = "METRICS_WINDOW/";

    static final int UUID_LENGTH = 36;
    static final int TIME_DIGITS = 13;
    static final int TIMER_LENGTH = TIMER.length() + TIME_DIGITS + 1 + UUID_LENGTH;

    static final int WINDOW_LENGTH = WINDOW.length() + TIME_DIGITS;

    private static final int MIN_DIGITS = 3;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final int workflowDigits;
    private final int taskDigits;
    private final byte[] workflow;
    private final byte[] taskRun;
    private final byte[] timer = key(TIMER + "0".repeat(TIME_DIGITS) + "/" + "0".repeat(UUID_LENGTH));
    private final byte[] window = key(WINDOW + "0".repeat(TIME_DIGITS));

    /** Those of the only run. */
    WorkflowKeys(WorkflowSize size) {
        this(size, 0);
    }

    /** Those of one of several runs: each has an identity that begins the keys of its workflows, as if at random. */
    WorkflowKeys(WorkflowSize size, int round) {
        this.workflowDigits = digits(size.workflows() - 1);
        this.taskDigits = digits(size.tasks() - 1);
        String id = runOf(round) + "-" + "0".repeat(workflowDigits);
        this.workflow = key(WORKFLOW + id);
        this.taskRun = key(TASK_RUN + id + "/" + "0".repeat(taskDigits));
    }

    private static UUID runOf(int round) {
        return round == 0
                ? new UUID(0x6C69_7474_6C65_4000L, 0x8000_686F_7273_6500L)
                : new UUID(StateData.mix(round), StateData.mix(-round));
    }

    private static int digits(int highest) {
        return Math.max(MIN_DIGITS, Integer.toString(highest).length());
    }

    /** The bytes of a key that is given as text. */
    static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    byte[] workflow(int number) {
        putDecimal(workflow, WORKFLOW.length() + UUID_LENGTH + 1, workflowDigits, number);
        return workflow;
    }

    byte[] taskRun(int ofWorkflow, int task) {
        int at = TASK_RUN.length() + UUID_LENGTH + 1;
        putDecimal(taskRun, at, workflowDigits, ofWorkflow);
        putDecimal(taskRun, at + workflowDigits + 1, taskDigits, task);
        return taskRun;
    }

    /** {@code high} and {@code low} are its random identity. */
    byte[] timer(long maturityMs, long high, long low) {
        putDecimal(timer, TIMER.length(), TIME_DIGITS, maturityMs);
        putUuid(timer, TIMER.length() + TIME_DIGITS + 1, high, low);
        return timer;
    }

    byte[] window(long startMs) {
        putDecimal(window, WINDOW.length(), TIME_DIGITS, startMs);
        return window;
    }

    /** The key that ends the range of the timers which have matured before {@code nowMs}. */
    static byte[] timersEnd(long nowMs) {
        return key(TIMER + nowMs);
    }

    /** The bytes of a workflow's id: its key without what says that it is one. */
    int putId(int ofWorkflow, byte[] target, int offset) {
        byte[] source = workflow(ofWorkflow);
        int length = source.length - WORKFLOW.length();
        System.arraycopy(source, WORKFLOW.length(), target, offset, length);
        return length;
    }

    /** Whether {@code key} is of the kind that begins with {@code prefix}. */
    public static boolean hasPrefix(byte[] key, int length, String prefix) {
        if (length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (key[i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The number of the workflow in a key of a workflow or of a task run. */
    int workflowOf(byte[] key) {
        return (int) decimal(key, WORKFLOW.length() + UUID_LENGTH + 1, workflowDigits); // both prefixes are as long
    }

    /** The number of the task in a key of a task run. */
    int taskOf(byte[] key) {
        return (int) decimal(key, TASK_RUN.length() + UUID_LENGTH + 1 + workflowDigits + 1, taskDigits);
    }

    /** The time in a key of a timer. */
    static long maturityOf(byte[] key) {
        return decimal(key, TIMER.length(), TIME_DIGITS);
    }

    private static long decimal(byte[] key, int offset, int digits) {
        long value = 0;
        for (int i = offset; i < offset + digits; i++) {
            value = 10 * value + (key[i] - '0');
        }
        return value;
    }

    private static void putDecimal(byte[] target, int offset, int digits, long value) {
        long rest = value;
        for (int i = offset + digits - 1; i >= offset; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** As text: 8, 4, 4, 4 and 12 hexadecimal digits. */
    static void putUuid(byte[] target, int offset, long high, long low) {
        int at = putHex(target, offset, high >>> 32, 8);
        at = putHex(target, at, high >>> 16, 4);
        at = putHex(target, at, high, 4);
        at = putHex(target, at, low >>> 48, 4);
        putHex(target, at, low, 12);
    }

    /** The lowest digits of {@code value}, and a hyphen after all but the last group. */
    private static int putHex(byte[] target, int offset, long value, int digits) {
        for (int i = 0; i < digits; i++) {
            target[offset + i] = HEX[(int) (value >>> 4 * (digits - 1 - i)) & 15];
        }
        int end = offset + digits;
        if (digits < 12) {
            target[end] = '-';
        }
        return end + 1;
    }
}
