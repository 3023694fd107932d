package io.persist.bench;

import io.persist.bench.doctor.Fingerprint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine that figures are from. Without it they say nothing. */
public final class Machine {

    private final Fingerprint fingerprint;

    private Machine(Fingerprint fingerprint) {
        this.fingerprint = fingerprint;
    }

    /** This one, with the device of a directory that may not exist yet; takes some syncs there. */
    public static Machine of(Path directory) {
        return new Machine(Fingerprint.of(directory));
    }

    /** A few lines for the header of a benchmark. */
    public List<String> describe() {
        List<String> lines = new ArrayList<>(fingerprint.describe());
        lines.add("JVM: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + " on "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", flags: " + flags());
        return lines;
    }

    /** The same and more by name, for the result of a benchmark. */
    public Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(fingerprint.asMap());
        environment.put("JVM flags", flags());
        return environment;
    }

    private static String flags() {
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        return flags.isEmpty() ? "none" : String.join(" ", flags);
    }

    /**
     * Bytes that can still be written to the file system of the directory, which may not exist yet; as many as anybody
     * wants if it does not tell, as those do that hold no files of anybody's.
     */
    public static long usableBytes(Path directory) throws IOException {
        Path existing = directory.toAbsolutePath().normalize();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        FileStore store = Files.getFileStore(existing);
        return store.getTotalSpace() == 0 ? Long.MAX_VALUE : store.getUsableSpace();
    }
}
