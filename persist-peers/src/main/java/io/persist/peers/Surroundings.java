package io.persist.peers;

import io.persist.bench.Machine;
import io.persist.peers.engine.EngineKind;
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
    static Surroundings of(List<String> command, Path directory, List<String> flags, List<EngineKind> engines) {
        Map<String, String> facts = new LinkedHashMap<>(Machine.of(directory).environment());
        facts.put("JVM flags", flags.isEmpty() ? "none" : String.join(" ", flags));
        facts.put(
                "Versions", engines.stream().map(EngineKind::library).distinct().collect(Collectors.joining(", ")));
        return new Surroundings(command, facts);
    }
}
