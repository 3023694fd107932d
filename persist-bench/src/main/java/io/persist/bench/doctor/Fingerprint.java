package io.persist.bench.doctor;

import io.persist.bench.doctor.diagnosis.Belief;
import io.persist.bench.doctor.disk.Measurement;
import io.persist.bench.doctor.disk.Operation;
import io.persist.bench.doctor.disk.Probe;
import io.persist.bench.doctor.disk.Scratch;
import io.persist.bench.doctor.disk.Space;
import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.Facts;
import io.persist.bench.doctor.machine.Figures;
import io.persist.bench.doctor.machine.Host;
import io.persist.bench.doctor.machine.SystemFiles;
import io.persist.bench.host.DiskSpace;
import io.persist.command.Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The short version of what the doctor says, for the headers of benchmarks and the environment of their results: what a
 * directory's files are on, what a synced write takes there, and the machine. Immutable.
 *
 * <p>It takes some tens of ms on a fast disk and less than 300 ms on one that syncs in less than 10 ms, 256 KiB of
 * space that are given back, and never fails: what cannot be found out is said to be unknown.
 */
public final class Fingerprint {

    private static final int SAMPLES = 64;
    private static final int WARM_UP = 8;
    private static final long LIMIT_NS = 150_000_000;
    private static final int FILE_LENGTH = 256 << 10;

    private final @Nullable Facts facts;
    private final @Nullable Measurement sync;
    private final String failure;

    private Fingerprint(@Nullable Facts facts, @Nullable Measurement sync, String failure) {
        this.facts = facts;
        this.sync = sync;
        this.failure = failure;
    }

    /** @param directory in which the benchmark will write; it need not be there */
    public static Fingerprint of(Path directory) {
        return of(directory, SystemFiles.ofThisMachine());
    }

    static Fingerprint of(Path directory, SystemFiles files) {
        String failure = "interrupted";
        Measurement sync = null;
        Facts facts = null;
        try {
            sync = measure(directory);
        } catch (IOException | UncheckedIOException | UnsupportedOperationException e) {
            failure = Text.describe(e);
        }
        try {
            facts = Facts.read(files, DiskSpace.existing(directory));
        } catch (IOException | SecurityException e) {
            failure = Text.describe(e);
        }
        return new Fingerprint(facts, sync, failure);
    }

    private static @Nullable Measurement measure(Path directory) throws IOException {
        Histogram histogram = new Histogram(3);
        try (Scratch scratch = Scratch.in(directory);
                Probe probe = Probe.open(Operation.FDATASYNC, scratch.file("sync"), Space.ZEROS, FILE_LENGTH)) {
            long startNs = System.nanoTime();
            for (int i = 0; i < WARM_UP + SAMPLES && !scratch.isEnding(); i++) {
                long beforeNs = System.nanoTime();
                if (beforeNs - startNs > LIMIT_NS && histogram.getTotalCount() > 0) {
                    break;
                }
                probe.run();
                // On a slow disk the first values are as good as any.
                if (i >= WARM_UP || beforeNs - startNs > LIMIT_NS / 2) {
                    histogram.recordValue(System.nanoTime() - beforeNs);
                }
            }
        }
        return histogram.getTotalCount() == 0 ? null : Measurement.of(Operation.FDATASYNC, Space.ZEROS, histogram);
    }

    /** Three lines for a header: what the files are on, what a synced write takes there, and the machine. */
    public List<String> describe() {
        if (facts == null) {
            return List.of("Disk: unknown (" + failure + ")");
        }
        BlockDevice device = facts.device();
        Host host = facts.host();
        Map<String, String> map = facts.asMap();
        return List.of(
                "Disk: " + facts.describeFileSystem() + " on "
                        + (device == null ? facts.describeDevice() : device.describe() + ", " + device.describeCache()),
                "Sync: " + describeSync() + describeBelief(facts),
                "Host: " + Facts.orUnknown(host.cpuModel()) + ", " + map.get("CPUs") + " CPUs, governor "
                        + map.get("CPU governor") + ", load " + map.get("load") + ", THP "
                        + map.get("transparent huge pages") + ", memory " + map.get("memory") + ", swap "
                        + map.get("swap"));
    }

    /** Of the machine; as many as anybody wants if that is not known. */
    public long memoryBytes() {
        Long bytes = facts == null ? null : facts.host().memoryBytes();
        return bytes == null ? Long.MAX_VALUE : bytes;
    }

    private String describeSync() {
        return sync == null
                ? "not measured (" + failure + ")"
                : "4 KiB " + Operation.FDATASYNC.words() + " p50 " + Figures.micros(sync.p50Ns()) + " us, max "
                        + Figures.micros(sync.maxNs()) + " us, of " + sync.samples();
    }

    private String describeBelief(Facts known) {
        boolean refuted = sync != null && Belief.of(known, sync.p50Ns()).level() == Belief.Level.NOT_BELIEVED;
        return refuted ? ". Do not believe it: see bin/persist doctor" : "";
    }

    /** The same by name and more, in the order in which people read it: "file system", "device", "CPU", ... */
    public Map<String, String> asMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("synced write p50", sync == null ? describeSync() : Figures.micros(sync.p50Ns()) + " us");
        if (facts != null) {
            map.putAll(facts.asMap());
        }
        return Collections.unmodifiableMap(map);
    }
}
