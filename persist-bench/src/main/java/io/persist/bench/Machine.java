package io.persist.bench;

import io.persist.bench.doctor.Fingerprint;
import java.lang.management.ManagementFactory;
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
}
