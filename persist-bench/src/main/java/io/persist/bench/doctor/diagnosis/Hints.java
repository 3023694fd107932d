package io.persist.bench.doctor.diagnosis;

import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.disk.Operation;
import io.persist.bench.doctor.disk.Space;
import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.Figures;
import io.persist.bench.doctor.machine.Host;
import io.persist.bench.doctor.machine.Mount;
import io.persist.bench.result.Percentile;
import io.persist.command.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is not a matter of safety: why it can be slow, get slow or stop, and what to do about that. */
final class Hints {

    private static final long GIB = 1L << 30;

    /** File systems search for a place longer and longer when less than this part is free. */
    private static final double LOW_SPACE = 0.05;

    /** Three segments of the default length, and room for the rest of the process. */
    private static final double LOW_MEMORY = 512 << 20;

    /** What systems clean by themselves: to them a segment is old when nobody has read it for a while. */
    private static final List<Path> CLEANED = List.of(Path.of("/tmp"), Path.of("/var/tmp"));

    private static final int LONG_TAIL = 10;
    private static final int LARGE_FOLIOS = 2;

    private final Facts facts;
    private final Measurements measurements;
    private final List<Finding> findings = new ArrayList<>();

    private Hints(Facts facts, Measurements measurements) {
        this.facts = facts;
        this.measurements = measurements;
    }

    static List<Finding> of(Facts facts, Measurements measurements) {
        Hints hints = new Hints(facts, measurements);
        hints.addMeasured();
        hints.addSpace();
        hints.addDirectory();
        if (facts.mount() != null) {
            hints.addMount(facts.mount());
        }
        if (facts.device() != null) {
            hints.addDevice(facts.device());
        }
        hints.addLimits(facts.host());
        hints.addHost(facts.host());
        return List.copyOf(hints.findings);
    }

    private void addMeasured() {
        Measurement sync = measurements.find(Operation.FDATASYNC, Space.ZEROS);
        if (sync != null && Percentile.hasValuesAbove(99, sync.samples()) && sync.p99Ns() > LONG_TAIL * sync.p50Ns()) {
            findings.add(Finding.warning(
                    "One of 100 synced writes took " + Figures.time(sync.p99Ns()) + " or longer, "
                            + sync.p99Ns() / sync.p50Ns() + " times the middle one.",
                    "Something else was using the disk, or it pauses by itself. Measure again when it is quiet, and"
                            + " give the log a disk of its own."));
        }
        Measurement small = measurements.find(Operation.MAPPED_FORCE, Space.ZEROS);
        Measurement large = measurements.find(Operation.MAPPED_FORCE, Space.ZEROS_BY_MIB);
        if (small != null && large != null && large.p50Ns() > LARGE_FOLIOS * small.p50Ns()) {
            findings.add(Finding.note(
                    "Where a file was filled 1 MiB at a time, a store into its mapping and a force took "
                            + Figures.time(large.p50Ns()) + " instead of " + Figures.time(small.p50Ns())
                            + ": the kernel writes all of a large folio.",
                    "Nothing for Persist, which fills 4 KiB at a time. Programs of your own that force mappings should"
                            + " do so too."));
        }
    }

    private void addSpace() {
        if (facts.usableBytes() < GIB || facts.usableBytes() < LOW_SPACE * facts.totalBytes()) {
            findings.add(Finding.warning(
                    "Only " + Text.bytes(facts.usableBytes()) + " of " + Text.bytes(facts.totalBytes())
                            + " are free: file systems that are nearly full get slow, then appends are refused.",
                    "Make room or choose a larger disk; a log needs what it keeps and three segments of 64 MiB."));
        }
        if (!facts.isLinux()) {
            findings.add(Finding.warning(
                    "This is " + facts.system() + ": Persist is tested on Linux only, and what the system tells about"
                            + " its disks is not read here.",
                    "Trust what was measured, and test what you rely on."));
        }
    }

    private void addDirectory() {
        CLEANED.stream()
                .filter(facts.directory()::startsWith)
                .forEach(cleaned -> findings.add(Finding.warning(
                        "The directory is below " + cleaned
                                + ", where systems delete files that were not touched for days, and"
                                + " some all files when they start.",
                        "Choose a directory that nothing cleans, as one below /var/lib.")));
    }

    private void addMount(Mount mount) {
        if (mount.copiesOnWrite()) {
            findings.add(Finding.warning(
                    mount.type() + " writes changed blocks to a new place: filling ahead keeps no space for them, each"
                            + " sync writes metadata, and a full disk is found by a sync that fails.",
                    "Prefer ext4 or XFS. On Btrfs make the directory with chattr +C, before anything is in it."));
        }
        if (mount.has("sync") || mount.has("dirsync")) {
            findings.add(Finding.warning(
                    "The mount option sync makes every write wait for the disk, whatever the level of its commit.",
                    "Mount it without this option: Persist syncs what has to be synced."));
        }
        if (mount.has("data=journal")) {
            findings.add(Finding.warning(
                    "With data=journal everything is written twice, and O_DIRECT is not.",
                    "Mount it with data=ordered, the default: Persist has checksums of its own."));
        }
        if (mount.has("data=writeback")) {
            findings.add(Finding.note(
                    "With data=writeback old content of other files may show in a file after a crash.",
                    "Nothing for Persist, whose records have checksums; think of other files."));
        }
        if (mount.has("discard")) {
            findings.add(Finding.note(
                    "With discard the disk is told at once of every block that is freed, which can hold up the syncs"
                            + " that come after a deletion.",
                    "Retire segments with RECYCLE, or mount it without discard and run fstrim each day."));
        }
    }

    private void addDevice(BlockDevice device) {
        if (device.turns()) {
            findings.add(Finding.warning(
                    "The disk turns: a sync waits for it, and so does everything that reads meanwhile.",
                    "Make few syncs: many records per commit, several threads that share syncs, or syncInterval."));
        }
        if ("bfq".equals(device.scheduler())) {
            findings.add(Finding.note(
                    "The I/O scheduler bfq shares the disk fairly, which can make a sync wait for other programs.",
                    "Choose mq-deadline or none in /sys/block/" + device.disk() + "/queue/scheduler."));
        }
    }

    private void addLimits(Host host) {
        Double cpus = host.cpuLimit();
        if (cpus != null && cpus < host.cpus()) {
            findings.add(Finding.warning(
                    "This process may use " + Figures.decimal(cpus) + " of " + Figures.cpus(host.cpus())
                            + ": whenever it has used them up it stands still, often for tens of ms.",
                    "Give it a higher limit, or CPUs of its own; and let nothing spin (WaitStrategy.BLOCKING)."));
        }
        Double memory = host.memoryLimit();
        if (memory != null && memory < LOW_MEMORY) {
            findings.add(Finding.warning(
                    "This process may use " + Text.bytes(memory.longValue())
                            + " of memory, and the pages of a log count towards it.",
                    "Give it 512 MiB or more, or choose a smaller segmentLength."));
        }
        if (host.ioLimit() != null) {
            findings.add(Finding.warning(
                    "The control group limits I/O (" + host.ioLimit() + "): what is above it waits.",
                    "Raise the limit above what the log writes, and measure again."));
        }
    }

    private void addHost(Host host) {
        Double load = host.load();
        if (load != null && host.isBusy()) {
            findings.add(Finding.warning(
                    "The machine was busy: the load was " + Figures.decimal(load) + " with " + Figures.cpus(host.cpus())
                            + ", and what was measured contains other programs.",
                    "Measure again when it is quiet."));
        }
        if (used(host.swapUsedBytes())) {
            findings.add(Finding.note(
                    "Swap is in use: a thread that needs a page from there waits for a disk.",
                    "Keep enough memory free, or lower vm.swappiness."));
        }
        if ("powersave".equals(host.governor()) || "conservative".equals(host.governor())) {
            findings.add(Finding.note(
                    "The CPU governor is " + host.governor()
                            + ": after each wait for the disk the CPU may begin slowly.",
                    "Choose performance if latencies matter more than power."));
        }
        if (host.cpus() == 1) {
            findings.add(Finding.note(
                    "There is one CPU for the appender and the thread that fills segments ahead.",
                    "Let nothing spin: WaitStrategy.BLOCKING."));
        }
    }

    private static boolean used(@Nullable Long bytes) {
        return bytes != null && bytes > 0;
    }
}
