package io.persist.bench.doctor.machine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The machine and what this process may use of it. Null is unknown, and for a limit that there is none.
 *
 * @param cpuModel as the kernel calls it
 * @param cpus that the JVM counts
 * @param cpuLimit of the control group, in CPUs
 * @param memoryBytes of the machine
 * @param memoryLimit of the control group, bytes
 * @param ioLimit of the control group, as the kernel writes it
 * @param swapBytes of swap space; 0 if there is none
 * @param swapUsedBytes of it in use
 * @param kernel release
 * @param hugePages the choice for transparent huge pages
 * @param governor of the first CPU's frequency
 * @param load how many threads ran or waited to run, or waited for a disk, in the last minute
 */
public record Host(
        @Nullable String cpuModel,
        int cpus,
        @Nullable Double cpuLimit,
        @Nullable Long memoryBytes,
        @Nullable Double memoryLimit,
        @Nullable String ioLimit,
        @Nullable Long swapBytes,
        @Nullable Long swapUsedBytes,
        @Nullable String kernel,
        @Nullable String hugePages,
        @Nullable String governor,
        @Nullable Double load) {

    static Host read(SystemFiles files) {
        Map<String, Long> memory = memory(files);
        Long swap = memory.get("SwapTotal");
        Long swapFree = memory.get("SwapFree");
        Cgroup cgroup = new Cgroup(files);
        return new Host(
                cpuModel(files),
                Runtime.getRuntime().availableProcessors(),
                cgroup.cpus(),
                memory.get("MemTotal"),
                cgroup.memoryBytes(),
                cgroup.io(),
                swap,
                swap == null || swapFree == null ? null : swap - swapFree,
                files.line("proc/sys/kernel/osrelease"),
                files.choice("sys/kernel/mm/transparent_hugepage/enabled"),
                files.line("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
                load(files));
    }

    /** Whether other programs had to do with what was measured. */
    public boolean isBusy() {
        return load != null && load > cpus;
    }

    /** The first number of the file. */
    private static @Nullable Double load(SystemFiles files) {
        String line = files.line("proc/loadavg");
        return line == null || !line.matches("\\d+\\.\\d+ .*") ? null : Double.valueOf(line.split(" ")[0]);
    }

    /** With hundreds of CPUs the kernel takes its time for the whole file, and the first one's name is enough. */
    private static @Nullable String cpuModel(SystemFiles files) {
        String line = files.lineFrom("proc/cpuinfo", "model name");
        return line == null ? null : line.substring(line.indexOf(':') + 1).strip();
    }

    /** Bytes by name; a line is like {@code MemTotal:  24684084 kB}. */
    private static Map<String, Long> memory(SystemFiles files) {
        Map<String, Long> bytes = new HashMap<>();
        for (String line : files.lines("proc/meminfo")) {
            String[] parts = line.split(":? +");
            if (parts.length == 3 && parts[1].matches("\\d{1,15}")) {
                bytes.put(parts[0], Long.parseLong(parts[1]) << 10);
            }
        }
        return bytes;
    }
}
