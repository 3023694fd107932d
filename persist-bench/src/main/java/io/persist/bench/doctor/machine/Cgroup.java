package io.persist.bench.doctor.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the control groups of this process, or of the container that it is in, let it use at most. */
final class Cgroup {

    private static final String ROOT = "sys/fs/cgroup";

    /** Version 1 has no word for "no limit": it is the largest multiple of a page. */
    private static final long NO_LIMIT = 1L << 60;

    private final SystemFiles files;

    Cgroup(SystemFiles files) {
        this.files = files;
    }

    /** CPUs, by the narrowest limit; null without one. */
    @Nullable
    Double cpus() {
        Double least = null;
        for (String folder : folders("")) {
            least = min(least, ratio(files.line(folder + "/cpu.max")));
        }
        for (String folder : folders("cpu")) {
            String quota = files.line(folder + "/cpu.cfs_quota_us");
            least = min(least, ratio(quota + " " + files.line(folder + "/cpu.cfs_period_us")));
        }
        return least;
    }

    /** Bytes of memory, page cache included, by the narrowest limit; null without one. */
    @Nullable
    Double memoryBytes() {
        Double least = null;
        for (String folder : folders("")) {
            least = min(least, number(files.line(folder + "/memory.max")));
        }
        for (String folder : folders("memory")) {
            Double limit = number(files.line(folder + "/memory.limit_in_bytes"));
            least = min(least, limit == null || limit >= NO_LIMIT ? null : limit);
        }
        return least;
    }

    /** The limits of devices as the kernel writes them, such as {@code 259:0 rbps=max wbps=1048576}; null without. */
    @Nullable
    String io() {
        for (String folder : folders("")) {
            String limit = files.line(folder + "/io.max");
            if (limit != null) {
                return limit;
            }
        }
        return null;
    }

    /**
     * The folder of this process's group, and all above it. In a container the group is often shown as the host sees
     * it, and the folder of that name is not there; then the root is the container's own.
     *
     * @param controller of version 1, or nothing for version 2
     */
    private List<String> folders(String controller) {
        String base = controller.isEmpty() ? ROOT : ROOT + "/" + controller;
        List<String> folders = new ArrayList<>();
        String group = group(controller);
        while (!group.isEmpty()) {
            folders.add(base + group);
            group = group.substring(0, group.lastIndexOf('/'));
        }
        folders.add(base);
        return folders;
    }

    /** A line of the file is {@code NUMBER:CONTROLLERS:/GROUP}; the root group gives an empty text. */
    private String group(String controller) {
        for (String line : files.lines("proc/self/cgroup")) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3
                    && parts[2].length() > 1
                    && List.of(parts[1].split(",")).contains(controller)) {
                return parts[2];
            }
        }
        return "";
    }

    /** Of a time and its period, as {@code 50000 100000}; null for {@code max} and {@code -1}. */
    private static @Nullable Double ratio(@Nullable String line) {
        String[] parts = line == null ? new String[0] : line.split(" ");
        Double time = parts.length == 2 ? number(parts[0]) : null;
        Double period = parts.length == 2 ? number(parts[1]) : null;
        return time == null || period == null || time <= 0 || period <= 0 ? null : time / period;
    }

    private static @Nullable Double number(@Nullable String text) {
        return text != null && text.matches("\\d{1,19}") ? Double.valueOf(text) : null;
    }

    private static @Nullable Double min(@Nullable Double one, @Nullable Double other) {
        return one == null || other != null && other < one ? other : one;
    }
}
