package io.persist.peers.profile;

import java.util.Locale;
import java.util.Optional;
import one.profiler.AsyncProfiler;

/** The native part of async-profiler, which its jar brings along for some platforms. */
public final class ProfilerLibrary {

    private ProfilerLibrary() {}

    /** Why no trial can be profiled on this platform, in one line; empty if one can. */
    public static Optional<String> missing() {
        return missing(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static Optional<String> missing(String system, String processor) {
        String path = "/" + platform(system.toLowerCase(Locale.ROOT), processor) + "/libasyncProfiler.so";
        return AsyncProfiler.class.getResource(path) != null
                ? Optional.empty()
                : Optional.of("async-profiler has no library for " + system + " on " + processor);
    }

    private static String platform(String system, String processor) {
        if (system.startsWith("mac")) {
            return "macos";
        }
        return system
                + switch (processor) {
                    case "amd64", "x86_64" -> "-x64";
                    case "aarch64" -> "-arm64";
                    default -> "-" + processor;
                };
    }
}
