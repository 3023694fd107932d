package io.persist.file.disk;

import io.persist.file.BootId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What the operating system that runs now tells of itself and of its file systems. */
public final class OperatingSystem {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private static final Set<String> REMOTE = Set.of(
            "nfs",
            "nfs4",
            "cifs",
            "smb3",
            "smbfs",
            "9p",
            "virtiofs",
            "vboxsf",
            "afs",
            "ceph",
            "glusterfs",
            "lustre",
            "gpfs",
            "beegfs",
            "ocfs2",
            "gfs2",
            "fuse",
            "fuseblk");

    /**
     * Types of file systems by the numbers of their devices: to look one up reads all mounts, and a program may open
     * thousands of logs. The number of what is not mounted any more may come again; what is said of it is a hint.
     */
    private static final Map<Object, String> KNOWN = new ConcurrentHashMap<>();

    private OperatingSystem() {}

    /** The identity of its boot; the unknown one where the system does not tell it. */
    public static BootId bootId() {
        try {
            UUID id = UUID.fromString(Files.readString(BOOT_ID).strip());
            return new BootId(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (IOException | IllegalArgumentException notLinux) {
            return BootId.UNKNOWN;
        }
    }

    /** The type of the file system of {@code directory}, as {@code ext4} or {@code nfs4}; empty if it is not known. */
    public static String fileSystem(Path directory) {
        try {
            Object device = Files.getAttribute(directory, "unix:dev");
            String known = KNOWN.get(device);
            if (known == null) {
                known = Files.getFileStore(directory).type();
                KNOWN.put(device, known);
            }
            return known;
        } catch (IOException | UnsupportedOperationException notTold) { // as while no file can be opened, or on Windows
            return "";
        }
    }

    /** Whether another machine, the host of this one or another process keeps the files of such a file system. */
    public static boolean isRemote(String fileSystem) {
        return REMOTE.contains(fileSystem) || fileSystem.startsWith("fuse.");
    }
}
