package io.persist.bench.doctor.machine;

import io.persist.file.disk.OperatingSystem;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A mounted file system.
 *
 * @param device its number as {@code major:minor}; major 0 is no block device
 * @param point the directory at which it is mounted
 * @param type {@code ext4}, {@code nfs4}, {@code fuse.sshfs}, ...
 * @param source what is mounted: a device file, a server and its directory, or anything else
 * @param options of the mount, then those of the file system
 */
public record Mount(String device, String point, String type, String source, List<String> options) {

    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs", "devtmpfs", "rootfs");
    private static final Set<String> COPY_ON_WRITE = Set.of("btrfs", "zfs", "bcachefs", "nilfs2", "f2fs");

    /** What can be hundreds of characters long and says nothing about cost or safety. */
    private static final Set<String> LONG_OPTIONS = Set.of("lowerdir", "upperdir", "workdir");

    /** Whether its files are in memory only. */
    public boolean isMemory() {
        return MEMORY.contains(type);
    }

    /** Whether another machine, the host of this one or another process keeps its files. */
    public boolean isRemote() {
        return OperatingSystem.isRemote(type);
    }

    /** Whether it puts changed blocks at another place. */
    public boolean copiesOnWrite() {
        return COPY_ON_WRITE.contains(type);
    }

    public boolean isOverlay() {
        return type.equals("overlay") || type.equals("aufs");
    }

    /** Whether an option is set, as {@code barrier=0} or {@code sync}. */
    public boolean has(String option) {
        return options.contains(option);
    }

    /** As "ext4 (rw,relatime)". */
    String describe() {
        return type + " ("
                + options.stream()
                        .filter(option -> !LONG_OPTIONS.contains(option.split("=", 2)[0].toLowerCase(Locale.ROOT)))
                        .collect(Collectors.joining(","))
                + ")";
    }
}
