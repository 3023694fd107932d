package io.persist.file.disk;

import io.persist.file.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The boot of the operating system that runs now. */
public final class RunningBoot {

    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");

    private RunningBoot() {}

    /** Its identity; the unknown one where the system does not tell it. */
    public static BootId id() {
        try {
            UUID id = UUID.fromString(Files.readString(LINUX).strip());
            return new BootId(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (IOException | IllegalArgumentException notLinux) {
            return BootId.UNKNOWN;
        }
    }
}
