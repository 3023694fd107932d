package io.persist.bench.doctor.machine;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The block device of a file system, as far as the kernel tells.
 *
 * @param name of what is mounted: {@code sda2}, {@code dm-0}
 * @param disk what it is a part of: {@code sda}; else the same as {@code name}
 * @param volume the name of a device-mapper volume
 * @param lower the disks that a volume or an array lies on
 * @param model of the disk, or of the first one below
 * @param writeCache {@code write back} or {@code write through}
 * @param fua whether single writes can go past the cache
 * @param rotational whether it is said to turn
 * @param scheduler the one that is chosen
 */
public record BlockDevice(
        String name,
        String disk,
        @Nullable String volume,
        List<String> lower,
        @Nullable String model,
        @Nullable String writeCache,
        @Nullable Boolean fua,
        @Nullable Boolean rotational,
        @Nullable String scheduler) {

    private static final List<Kind> KINDS = List.of(
            new Kind("nvme", "NVMe disk"),
            new Kind("vd", "virtio disk"),
            new Kind("xvd", "Xen disk"),
            new Kind("sd", "SCSI or SATA disk"),
            new Kind("mmcblk", "memory card"),
            new Kind("dm-", "device-mapper volume"),
            new Kind("md", "array"),
            new Kind("loop", "loop device"),
            new Kind("zram", "compressed memory"),
            new Kind("ram", "memory disk"),
            new Kind("pmem", "persistent memory"),
            new Kind("nbd", "network block device"),
            new Kind("rbd", "Ceph block device"));

    private static final Pattern VIRTUAL_MODEL =
            Pattern.compile("qemu|virtual|vbox|vmware|persistentdisk|elastic block|msft");

    /** The device that does the work: the first one below, or this one. */
    private String bottom() {
        return lower.isEmpty() ? disk : lower.get(0);
    }

    private static String kind(String disk) {
        return KINDS.stream()
                .filter(kind -> disk.startsWith(kind.prefix()))
                .map(Kind::words)
                .findFirst()
                .orElse("disk");
    }

    /** Whether a hypervisor or a provider stands behind it: what it says of itself is what they chose to say. */
    public boolean isVirtual() {
        String kind = kind(bottom());
        return kind.equals("virtio disk")
                || kind.equals("Xen disk")
                || model != null
                        && VIRTUAL_MODEL.matcher(model.toLowerCase(Locale.ROOT)).find();
    }

    public boolean isMemory() {
        String kind = kind(bottom());
        return kind.equals("compressed memory") || kind.equals("memory disk");
    }

    public boolean isPersistentMemory() {
        return kind(bottom()).equals("persistent memory");
    }

    public boolean isLoop() {
        return kind(disk).equals("loop device");
    }

    public boolean isRemote() {
        String kind = kind(bottom());
        return kind.equals("network block device") || kind.equals("Ceph block device");
    }

    /** Whether a power cut takes what is in its cache, if that is not flushed. */
    public boolean hasVolatileCache() {
        return "write back".equals(writeCache);
    }

    public boolean hasNoVolatileCache() {
        return "write through".equals(writeCache);
    }

    /** Whether heads really move. What a virtual disk says about that means nothing. */
    public boolean turns() {
        return Boolean.TRUE.equals(rotational) && !isVirtual();
    }

    /** As "virtio disk vda", "device-mapper volume vg-data (dm-0) on nvme0n1". */
    public String describe() {
        StringBuilder text = new StringBuilder(kind(disk)).append(' ');
        text.append(volume == null ? name : volume + " (" + name + ")");
        if (!lower.isEmpty()) {
            text.append(" on ").append(String.join(", ", lower));
        }
        return model == null ? text.toString() : text + " (" + model + ")";
    }

    /** As "write-back cache". */
    public String describeCache() {
        return hasVolatileCache()
                ? "write-back cache"
                : hasNoVolatileCache() ? "no volatile cache" : "write cache unknown";
    }

    /** What the names of such devices begin with, and what people call them. */
    private record Kind(String prefix, String words) {}
}
