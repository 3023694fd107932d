package io.persist.bench.doctor.diagnosis;

import io.persist.bench.doctor.diagnosis.Finding.Severity;
import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.Figures;
import io.persist.bench.doctor.machine.Mount;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether what is called synced is on the device, as far as that can be told without cutting the power.
 *
 * @param level how much to believe
 * @param reason half a sentence that goes on after "because", only if it is believed
 * @param findings what speaks against it
 */
public record Belief(Level level, String reason, List<Finding> findings) {

    public enum Level {
        BELIEVED,
        DOUBTFUL,
        NOT_BELIEVED
    }

    /** No disk has 4 KiB safe in less: the fastest ones need this for the write alone, with nothing to flush. */
    static final long MIN_SYNC_NS = 10_000;

    /** Of a disk that turns, at 15,000 turns a minute the mean wait for a place is four times that. */
    private static final long MIN_TURNING_SYNC_NS = 500_000;

    private static final List<String> NO_FLUSHES = List.of("nobarrier", "barrier=0");

    /** @param syncNs what the middle one of the synced writes took */
    public static Belief of(Facts facts, long syncNs) {
        List<Finding> findings = new ArrayList<>();
        Mount mount = facts.mount();
        BlockDevice device = facts.device();
        if (mount != null) {
            addMount(mount, device, findings);
        }
        boolean inMemory = mount != null && mount.isMemory() || device != null && device.isMemory();
        boolean persistentMemory = device != null && device.isPersistentMemory();
        if (syncNs < MIN_SYNC_NS && !inMemory && !persistentMemory) {
            findings.add(Finding.unsafe(
                    "The middle one of the synced writes took " + Figures.time(syncNs)
                            + ", which no disk can do: something says \"synced\" and has not synced.",
                    "Find out what it is, and turn it off: libeatmydata in LD_PRELOAD, a hypervisor that ignores"
                            + " flushes (QEMU cache=unsafe, Firecracker cache_type Unsafe), a controller whose cache"
                            + " has no battery. Until then SYNCED is worth no more than FLUSHED."));
        }
        if (device != null) {
            addDevice(device, syncNs, findings);
        } else if (findings.isEmpty()) {
            findings.add(invisible(facts));
        }
        Level level = level(findings);
        return new Belief(level, level == Level.BELIEVED ? reason(device, syncNs) : "", List.copyOf(findings));
    }

    private static void addMount(Mount mount, @Nullable BlockDevice device, List<Finding> findings) {
        if (mount.isMemory()) {
            findings.add(Finding.unsafe(
                    "The files are in memory (" + mount.type()
                            + "): a power cut, a restart or the end of the container takes them all.",
                    "Choose a directory on a disk. This one is good for tests, where SYNCED need not mean anything."));
        }
        if (mount.isRemote()) {
            findings.add(Finding.unsafe(
                    "The files are kept by another machine or by another process (" + mount.type() + " from "
                            + mount.source()
                            + "): locks and mappings do not mean there what Persist relies on.",
                    "Choose a directory on a local disk, or on a block device of the network with ext4 or XFS."));
        }
        if (mount.isOverlay() && mount.has("volatile")) {
            findings.add(Finding.unsafe(
                    "The overlay is mounted with the option volatile: it leaves out every sync.",
                    "Put the log on a volume of its own, or mount the overlay without this option."));
        }
        for (String option : NO_FLUSHES) {
            if (mount.has(option) && (device == null || !device.hasNoVolatileCache())) {
                findings.add(Finding.unsafe(
                        "The mount option " + option + " turns flushes off, so that a power cut takes what is in the"
                                + " write cache of the disk.",
                        "Mount it without this option; flushes are on by default."));
            }
        }
    }

    private static void addDevice(BlockDevice device, long syncNs, List<Finding> findings) {
        if (device.isMemory()) {
            findings.add(Finding.unsafe(
                    "The block device is memory (" + device.describe() + "): a restart takes all of it.",
                    "Choose a directory on a disk."));
        } else if (device.isPersistentMemory()) {
            return;
        } else if (device.isLoop() || device.isRemote()) {
            findings.add(Finding.doubtful(
                    "The " + device.describe() + " is as safe as what is behind it, which cannot be seen from here.",
                    device.isLoop()
                            ? "Run doctor in the directory of the file that it shows."
                            : "Ask whoever runs its servers whether they flush before they answer."));
        } else if (device.hasNoVolatileCache() && device.isVirtual()) {
            findings.add(Finding.doubtful(
                    "The " + device.describe() + " says that it has no volatile cache, so Linux never flushes it."
                            + " Whether the host has written what it says it has, only the host knows.",
                    "Ask the provider; or set the disk up so that it takes flushes: QEMU cache=none or writeback,"
                            + " Firecracker cache_type Writeback."));
        } else if (device.turns() && device.hasVolatileCache() && syncNs < MIN_TURNING_SYNC_NS) {
            findings.add(Finding.doubtful(
                    "The " + device.describe() + " turns, and yet a synced write took " + Figures.time(syncNs)
                            + ": it may answer from its cache.",
                    "All is well if a controller with a battery is in between. If not, turn the cache of the disk off"
                            + " (hdparm -W 0) and measure again."));
        } else if (!device.hasVolatileCache() && !device.hasNoVolatileCache()) {
            findings.add(Finding.doubtful(
                    "Linux does not tell whether the " + device.describe() + " has a volatile write cache.",
                    "Look it up for this disk, and whether it takes flushes."));
        }
    }

    private static Finding invisible(Facts facts) {
        Mount mount = facts.mount();
        if (mount != null && mount.isOverlay()) {
            return Finding.doubtful(
                    "The directory is in the writable layer of a container (" + mount.type()
                            + "): the disk below cannot be seen, and the files go with the container.",
                    "Put the log on a volume, and run doctor there.");
        }
        return Finding.doubtful(
                "The disk below (" + facts.describeDevice() + ") cannot be seen from here, nor whether it is flushed.",
                "Find out which disk it is, and whether it has a volatile write cache and takes flushes.");
    }

    private static Level level(List<Finding> findings) {
        boolean unsafe = findings.stream().anyMatch(finding -> finding.severity() == Severity.UNSAFE);
        return unsafe ? Level.NOT_BELIEVED : findings.isEmpty() ? Level.BELIEVED : Level.DOUBTFUL;
    }

    private static String reason(@Nullable BlockDevice device, long syncNs) {
        if (device == null || device.isPersistentMemory()) {
            return "the device is memory that keeps its content without power";
        }
        if (device.hasNoVolatileCache()) {
            return device.disk() + " has no volatile write cache: what it has taken is safe";
        }
        return device.disk() + " has a write cache, Linux flushes it at every sync, and " + Figures.time(syncNs)
                + " is time enough for that"
                + (device.isVirtual() ? "; whether the host passes flushes on, only the host knows" : "");
    }
}
