package io.persist.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The identity of the running operating system. As long as it is the same, everything ever written to a file is still
 * in the page cache or on the device, however the process ended; once it differs, only what was synced is sure.
 *
 * @param high the upper half; both halves are 0 where the operating system does not tell
 * @param low the lower half
 */
public record BootId(long high, long low) {

    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    /** An identity that is never the same as any other. */
    public static final BootId UNKNOWN = new BootId(0, 0);

    /** The boot of the operating system that runs now; the unknown one where the system does not tell it. */
    public static BootId current() {
        try {
            UUID id = UUID.fromString(Files.readString(LINUX).strip());
            return new BootId(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (IOException | IllegalArgumentException notLinux) {
            return UNKNOWN;
        }
    }
}
