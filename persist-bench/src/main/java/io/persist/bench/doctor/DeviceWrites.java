package io.persist.bench.doctor;

import io.persist.bench.doctor.machine.BlockDevice;
import io.persist.bench.doctor.machine.BlockDevices;
import io.persist.bench.doctor.machine.Mount;
import io.persist.bench.doctor.machine.MountTable;
import io.persist.bench.doctor.machine.SystemFiles;
import io.persist.bench.host.DiskSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much was written to the device below a directory, by whoever it was, as Linux counts it. What is in the page
 * cache alone is not in it yet.
 *
 * <p><b>Threads:</b> any.
 */
public final class DeviceWrites {

    /** What the kernel counts in, whatever the device's own sectors are. */
    private static final int SECTOR_LENGTH = 512;

    private static final int SECTORS_WRITTEN = 6;

    private final SystemFiles files;

    /** Null if there is none that can be seen. */
    private final @Nullable BlockDevice device;

    private final String description;

    private DeviceWrites(SystemFiles files, @Nullable BlockDevice device, String description) {
        this.files = files;
        this.device = device;
        this.description = description;
    }

    /** @param directory it need not be there */
    public static DeviceWrites of(Path directory) {
        return of(directory, SystemFiles.ofThisMachine());
    }

    static DeviceWrites of(Path directory, SystemFiles files) {
        Mount mount;
        try {
            mount = MountTable.read(files).of(DiskSpace.existing(directory).toRealPath());
        } catch (IOException e) {
            mount = null;
        }
        if (mount == null) {
            return new DeviceWrites(files, null, "what is mounted there cannot be seen");
        }
        BlockDevice device = new BlockDevices(files).of(mount);
        if (device != null) {
            return new DeviceWrites(files, device, device.describe());
        }
        String why = mount.isMemory() ? " is in memory" : " is on no device that can be seen";
        return new DeviceWrites(files, null, mount.type() + why);
    }

    /** Bytes written since the machine was started; empty if that cannot be known. */
    public OptionalLong bytes() {
        String line = device == null ? null : files.line("sys/class/block/" + device.name() + "/stat");
        String[] numbers = line == null ? new String[0] : line.split("\\s+");
        if (numbers.length <= SECTORS_WRITTEN || !numbers[SECTORS_WRITTEN].matches("\\d{1,18}")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(numbers[SECTORS_WRITTEN]) * SECTOR_LENGTH);
    }

    /** The device, as "virtio disk vda", or why its writes cannot be known, as "tmpfs is in memory". */
    public String describe() {
        return description;
    }
}
