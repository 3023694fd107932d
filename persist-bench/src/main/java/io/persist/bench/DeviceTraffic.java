package io.persist.bench;

import io.persist.bench.doctor.DeviceWrites;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
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
     * Syncs the files of the log, which is closed, and says in one line how much was written.
     *
     * @param bytes that the records held
     */
    String end(Path log, long bytes) throws IOException {
        long startNs = System.nanoTime();
        DirectoryTree.sync(log);
        String took = Text.micros(System.nanoTime() - startNs) + " us after closing";
        OptionalLong after = device.bytes();
        if (before.isEmpty() || after.isEmpty() || bytes == 0) {
            String why = bytes == 0 ? "nothing was written" : device.describe();
            return "Synced " + took + ". Bytes written to the device: not known, " + why + ".";
        }
        long written = after.getAsLong() - before.getAsLong();
        return "Synced " + took + ". Since it was opened, "
                + String.format(Locale.ROOT, "%.2f", (double) written / bytes)
                + " bytes for each byte of records were written to " + device.describe() + ", whoever wrote them.";
    }
}
