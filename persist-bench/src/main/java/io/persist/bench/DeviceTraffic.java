package io.persist.bench;

import io.persist.bench.doctor.DeviceWrites;
import io.persist.bench.host.DirectoryTree;
import io.persist.command.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What a run makes the device write, from the opening of its log until all of that is on the device. */
final class DeviceTraffic {

    private final DeviceWrites device;
    private final OptionalLong before;

    private DeviceTraffic(DeviceWrites device) {
        this.device = device;
        this.before = device.bytes();
    }

    /** Begins to count. */
    static DeviceTraffic begin(Path directory) {
        return new DeviceTraffic(DeviceWrites.of(directory));
    }

    /**
     * What came of it.
     *
     * @param perByte written to the device for each byte of records; empty if that is not known
     * @param line for people
     */
    record Traffic(OptionalDouble perByte, String line) {}

    /**
     * Syncs the files of the log, which is closed, and says how much was written.
     *
     * @param bytes that the records held, without those that were only moved
     */
    Traffic end(Path log, long bytes) throws IOException {
        long startNs = System.nanoTime();
        DirectoryTree.sync(log.toRealPath()); // it may be a symbolic link, which a walk does not follow
        String took = Text.micros(System.nanoTime() - startNs) + " us after closing";
        OptionalLong after = device.bytes();
        if (before.isEmpty() || after.isEmpty() || bytes == 0) {
            String why = bytes == 0 ? "nothing was written" : device.describe();
            return new Traffic(
                    OptionalDouble.empty(),
                    "Synced " + took + ". Bytes written to the device: not known, " + why + ".");
        }
        double perByte = (double) (after.getAsLong() - before.getAsLong()) / bytes;
        return new Traffic(
                OptionalDouble.of(perByte),
                "Synced " + took + ". Since it was opened, " + String.format(Locale.ROOT, "%.2f", perByte)
                        + " bytes for each byte of records were written to " + device.describe()
                        + ", whoever wrote them.");
    }
}
