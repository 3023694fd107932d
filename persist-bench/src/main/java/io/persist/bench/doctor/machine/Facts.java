package io.persist.bench.doctor.machine;

import io.persist.bench.host.DiskSpace;
import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the system tells about a directory's file system, the device below it and the machine.
 *
 * @param directory an existing one, without symbolic links
 * @param system the name of the operating system
 * @param fileSystem its type as Java calls it
 * @param mount null if unknown
 * @param device null if there is none or it cannot be seen
 * @param usableBytes that this user can still write; endless if the file system does not tell
 * @param totalBytes of the file system; 0 if it does not tell
 */
public record Facts(
        Path directory,
        String system,
        String fileSystem,
        @Nullable Mount mount,
        @Nullable BlockDevice device,
        long usableBytes,
        long totalBytes,
        Host host) {

    static final String UNKNOWN = "unknown";

    /** @param directory that exists */
    public static Facts read(SystemFiles files, Path directory) throws IOException {
        Path real = directory.toRealPath();
        FileStore store = Files.getFileStore(real);
        Mount mount = MountTable.read(files).of(real);
        return new Facts(
                real,
                System.getProperty("os.name"),
                store.type(),
                mount,
                mount == null ? null : new BlockDevices(files).of(mount),
                DiskSpace.usable(store),
                store.getTotalSpace(),
                Host.read(files));
    }

    public boolean isLinux() {
        return system.equals("Linux");
    }

    /** As "ext4 (rw,relatime)". */
    public String describeFileSystem() {
        return mount == null ? fileSystem : mount.describe();
    }

    public String describeDevice() {
        if (device != null) {
            return device.describe();
        }
        if (mount == null) {
            return UNKNOWN;
        }
        return mount.isMemory() ? "no device, but in memory" : "a device that cannot be seen (" + mount.source() + ")";
    }

    /** Names and values in the order in which people read them. */
    public Map<String, String> asMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("file system", describeFileSystem());
        map.put("mount point", mount == null ? UNKNOWN : mount.point());
        map.put("device", describeDevice());
        map.put("write cache", device == null ? UNKNOWN : orUnknown(device.writeCache()));
        map.put("FUA", device == null ? UNKNOWN : yesNo(device.fua()));
        map.put("rotational", rotational());
        map.put("I/O scheduler", device == null ? UNKNOWN : orUnknown(device.scheduler()));
        map.put("free space", totalBytes == 0 ? UNKNOWN : Text.bytes(usableBytes) + " of " + Text.bytes(totalBytes));
        map.put("CPU", orUnknown(host.cpuModel()));
        map.put("CPUs", host.cpus() + limit(host.cpuLimit() == null ? null : Figures.decimal(host.cpuLimit())));
        map.put("CPU governor", orUnknown(host.governor()));
        map.put("load", host.load() == null ? UNKNOWN : Figures.decimal(host.load()));
        Double memoryLimit = host.memoryLimit();
        map.put(
                "memory",
                bytes(host.memoryBytes()) + limit(memoryLimit == null ? null : Text.bytes(memoryLimit.longValue())));
        map.put("swap", swap());
        map.put("transparent huge pages", orUnknown(host.hugePages()));
        if (host.ioLimit() != null) {
            map.put("I/O limit", host.ioLimit());
        }
        map.put("kernel", system + " " + (host.kernel() == null ? System.getProperty("os.version") : host.kernel()));
        map.put(
                "JVM",
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ", "
                        + System.getProperty("os.arch").toLowerCase(Locale.ROOT));
        return map;
    }

    private String rotational() {
        if (device == null) {
            return UNKNOWN;
        }
        boolean pretends = Boolean.TRUE.equals(device.rotational()) && !device.turns();
        return yesNo(device.rotational()) + (pretends ? ", which means nothing of a virtual disk" : "");
    }

    private String swap() {
        Long total = host.swapBytes();
        if (total == null || total == 0) {
            return total == null ? UNKNOWN : "none";
        }
        return Text.bytes(total) + ", " + bytes(host.swapUsedBytes()) + " used";
    }

    private static String limit(@Nullable String limit) {
        return limit == null ? "" : ", of which this process may use " + limit;
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? UNKNOWN : Text.bytes(bytes);
    }

    private static String yesNo(@Nullable Boolean value) {
        return value == null ? UNKNOWN : value ? "yes" : "no";
    }

    public static String orUnknown(@Nullable String value) {
        return value == null ? UNKNOWN : value;
    }
}
