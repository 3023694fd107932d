package io.persist.peers;

import io.persist.bench.Text;
import io.persist.peers.engine.EngineKind;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the figures depend on beside the engines: the machine, the JVM, and the versions.
 *
 * @param command the command line
 * @param facts by name, in the order to show them
 */
record Surroundings(List<String> command, Map<String, String> facts) {

    /** Looks at them; {@code flags} are those of the trials' JVMs. */
    static Surroundings of(List<String> command, Path directory, List<String> flags, List<EngineKind> engines)
            throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Machine", machine(directory));
        facts.put("JVM flags", flags.isEmpty() ? "none" : String.join(" ", flags));
        facts.put(
                "Versions", engines.stream().map(EngineKind::library).distinct().collect(Collectors.joining(", ")));
        return new Surroundings(command, facts);
    }

    /** The one place where the machine is described. */
    private static String machine(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        return System.getProperty("java.vm.name") + " " + System.getProperty("java.version") + ", "
                + Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version") + " " + System.getProperty("os.arch") + ", logs on " + store.type()
                + " " + store + ", " + Text.bytes(store.getUsableSpace()) + " free";
    }
}
