package io.persist.shard.bench.loop;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The CPU time of a run, by what its threads are there for: their names without numbers and directories. What none of
 * them has taken is the JVM's: its compilers and its collector.
 *
 * <p><b>Threads:</b> any.
 */
final class CpuTimes {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final double GIB = 1 << 30;
    private static final String JVM = "the JVM: compilers, collector";

    private final Map<String, Long> taken = new TreeMap<>();
    private final Map<Long, Long> atBegin = new HashMap<>();
    private long processNs;

    /** Begins to count. */
    synchronized void begin() {
        for (long id : THREADS.getAllThreadIds()) {
            atBegin.put(id, Math.max(0, THREADS.getThreadCpuTime(id)));
        }
        processNs = processNow();
    }

    /** The present thread, which began with the run, ends. */
    synchronized void threadEnds() {
        add(Thread.currentThread().getName(), THREADS.getCurrentThreadCpuTime());
    }

    /** All threads that are still there have done what is counted. */
    synchronized void end() {
        processNs = processNow() - processNs;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null) {
                long ns = THREADS.getThreadCpuTime(thread.getThreadId());
                add(thread.getThreadName(), ns - atBegin.getOrDefault(thread.getThreadId(), 0L));
            }
        }
    }

    private void add(String name, long ns) {
        taken.merge(name.replaceAll(" /.*|[ -]?[0-9]+", ""), Math.max(0, ns), Long::sum);
    }

    private static long processNow() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /** Of all threads together. */
    synchronized long processNs() {
        return processNs;
    }

    /** A row for each kind of thread that has taken a thousandth of all or more, the greatest first. */
    synchronized List<String> table(long bytes, long elapsedNs) {
        Map<String, Long> all = new HashMap<>(taken);
        long known = taken.values().stream().mapToLong(Long::longValue).sum();
        all.put(JVM, Math.max(0, processNs - known));
        List<String> lines = new ArrayList<>(List.of("| threads | CPU s for each GiB | of one CPU |", "|---|---|---|"));
        all.entrySet().stream()
                .filter(entry -> entry.getValue() * 1_000 >= processNs && entry.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(entry -> lines.add(row(entry.getKey(), entry.getValue(), bytes, elapsedNs)));
        lines.add(row("all", processNs, bytes, elapsedNs));
        return lines;
    }

    private static String row(String name, long ns, long bytes, long elapsedNs) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.1f %% |",
                name,
                bytes == 0 ? "-" : String.format(Locale.ROOT, "%.3f", ns / 1e9 * GIB / bytes),
                100.0 * ns / Math.max(1, elapsedNs));
    }
}
