package io.persist.bench.doctor.diagnosis;

import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Measurements;
import io.persist.bench.doctor.disk.Operation;
import io.persist.bench.doctor.disk.Space;
import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.Host;
import io.persist.bench.doctor.machine.Mount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Facts and measurements of made-up machines. Begins with a good disk; each method makes one thing other. */
final class Cases {

    static final long GIB = 1L << 30;

    private Path directory = Path.of("/data/log");
    private String system = "Linux";
    private Mount mount = new Mount("259:1", "/data", "ext4", "/dev/nvme0n1p1", List.of("rw", "relatime"));
    private BlockDevice device = device("nvme0n1", "write back");
    private long usable = 100 * GIB;
    private Host host = new Host("CPU", 8, null, 64 * GIB, null, null, 0L, 0L, "6.1", "madvise", "performance", 0.5);
    private final List<Measurement> all = new ArrayList<>();
    private double sequential = 2.0 * GIB;
    private long samples = 1000;

    static BlockDevice device(String name, String writeCache) {
        boolean turns = name.startsWith("sd");
        return new BlockDevice(name, name, null, List.of(), null, writeCache, false, turns, "none");
    }

    Cases in(String path) {
        directory = Path.of(path);
        return this;
    }

    Cases mount(String type, String source, String... options) {
        mount = new Mount("259:1", "/data", type, source, List.of(options));
        return this;
    }

    Cases options(String... options) {
        return mount("ext4", "/dev/nvme0n1p1", options);
    }

    Cases on(BlockDevice other) {
        device = other;
        return this;
    }

    Cases on(String name, String writeCache) {
        return on(device(name, writeCache));
    }

    Cases system(String name) {
        system = name;
        return this;
    }

    Cases free(long bytes) {
        usable = bytes;
        return this;
    }

    Cases host(Host other) {
        host = other;
        return this;
    }

    /** How often what is said after this was measured. */
    Cases samples(long count) {
        samples = count;
        return this;
    }

    Cases sequential(double bytesPerSecond) {
        sequential = bytesPerSecond;
        return this;
    }

    /** The middle one took so long, one of 100 took twice as long. */
    Cases took(Operation operation, Space space, long us) {
        return took(operation, space, us, 2 * us);
    }

    Cases took(Operation operation, Space space, long us, long p99Us) {
        long ns = us * 1000;
        all.removeIf(each -> each.operation() == operation && each.space() == space);
        all.add(new Measurement(operation, space, samples, ns, ns, ns, p99Us * 1000, p99Us * 1000, null));
        return this;
    }

    /** All synced writes took the same. */
    Cases syncs(long us) {
        took(Operation.FDATASYNC, Space.ZEROS, us);
        took(Operation.DSYNC, Space.ZEROS, us);
        took(Operation.MAPPED_FORCE, Space.ZEROS, us);
        return this;
    }

    Facts facts() {
        return new Facts(directory, system, "ext4", mount, device, usable, 200 * GIB, host);
    }

    Measurements measurements() {
        return new Measurements(List.copyOf(all), sequential);
    }

    Examination examination() {
        return Examination.of(facts(), measurements());
    }

    Diagnosis diagnosis() {
        return examination().diagnosis();
    }
}
