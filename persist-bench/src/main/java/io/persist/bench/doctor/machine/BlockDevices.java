package io.persist.bench.doctor.machine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the block device of a mount below {@code /sys/class/block}, where each has a folder, partitions too. */
public final class BlockDevices {

    private static final String FOLDER = "sys/class/block";
    private static final String NO_BLOCK_DEVICE = "0:";

    /** Volumes lie on volumes: of encryption on LVM on an array. More is a circle. */
    private static final int MAX_DEPTH = 8;

    private final SystemFiles files;

    public BlockDevices(SystemFiles files) {
        this.files = files;
    }

    /** Null if the file system is on none, or on one that cannot be seen from here. */
    @Nullable
    public BlockDevice of(Mount mount) {
        String name = mount.device().startsWith(NO_BLOCK_DEVICE) ? null : byNumber(mount.device());
        if (name == null) {
            name = bySource(mount.source());
        }
        return name == null ? null : read(name);
    }

    private @Nullable String byNumber(String number) {
        for (String name : files.names(FOLDER)) {
            if (number.equals(files.line(FOLDER + "/" + name + "/dev"))) {
                return name;
            }
        }
        return null;
    }

    /** Btrfs mounts have a number that is no device's, but name one. */
    private @Nullable String bySource(String source) {
        if (!source.startsWith("/dev/")) {
            return null;
        }
        String last = source.substring(source.lastIndexOf('/') + 1);
        if (!last.isEmpty() && files.exists(FOLDER + "/" + last)) {
            return last;
        }
        for (String name : files.names(FOLDER)) {
            if (last.equals(volume(name))) {
                return name;
            }
        }
        return null;
    }

    private @Nullable String volume(String name) {
        return files.line(FOLDER + "/" + name + "/dm/name");
    }

    private BlockDevice read(String name) {
        String disk = diskOf(name);
        List<String> lower = new ArrayList<>();
        addLower(disk, lower, MAX_DEPTH);
        return new BlockDevice(
                name,
                disk,
                volume(disk),
                List.copyOf(lower),
                model(lower.isEmpty() ? disk : lower.get(0)),
                queue(disk, "write_cache"),
                flag(queue(disk, "fua")),
                flag(queue(disk, "rotational")),
                files.choice(FOLDER + "/" + disk + "/queue/scheduler"));
    }

    /** A partition lies in the folder of its disk. */
    private String diskOf(String name) {
        String path = FOLDER + "/" + name;
        String parent = files.exists(path + "/partition") ? files.parentName(path) : null;
        return parent == null ? name : parent;
    }

    /** Adds the disks that this one is made of; it is not one of them. */
    private void addLower(String disk, List<String> lower, int depth) {
        for (String slave : files.names(FOLDER + "/" + disk + "/slaves")) {
            String below = diskOf(slave);
            int before = lower.size();
            if (depth > 0) {
                addLower(below, lower, depth - 1);
            }
            if (lower.size() == before && !lower.contains(below)) {
                lower.add(below);
            }
        }
    }

    private @Nullable String queue(String disk, String name) {
        return files.line(FOLDER + "/" + disk + "/queue/" + name);
    }

    private @Nullable String model(String disk) {
        return files.line(FOLDER + "/" + disk + "/device/model");
    }

    private static @Nullable Boolean flag(@Nullable String value) {
        return value == null ? null : value.equals("1");
    }
}
