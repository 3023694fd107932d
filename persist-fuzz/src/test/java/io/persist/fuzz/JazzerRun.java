package io.persist.fuzz;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jazzer in a JVM of its own: with little memory, with the flags that keep it from warning about what it needs, and out
 * of reach of what an input may do to a JVM.
 *
 * @param exit its exit code, 0 if it found nothing
 * @param output the lines that it printed
 */
record JazzerRun(int exit, List<String> output) {

    private static final Path DIRECTORY = Path.of("target", "fuzz");
    private static final Path CORPUS = DIRECTORY.resolve("corpus");
    private static final Path FINDINGS = DIRECTORY.resolve("findings");

    /** Jazzer looks through all classes of the JDK when it starts, for which 96 MiB are not enough with JDK 25. */
    private static final String HEAP = "-Xmx192m";

    private static final String DIRECT_MEMORY = "-XX:MaxDirectMemorySize=64m";

    /** Of time and not of CPU: a build may have other things beside it. */
    private static final int SECONDS_PER_INPUT = Boolean.getBoolean("persist.nightly") ? 5 : 30;

    private static final Duration GRACE = Duration.ofMinutes(3);
    private static final Pattern UNITS = Pattern.compile("stat::number_of_executed_units: (\\d+)");
    private static final Pattern SEED = Pattern.compile("INFO: Seed: (\\d+)");
    private static final Pattern FINDING = Pattern.compile("Test unit written to (\\S+)");

    /** Whether Jazzer has its native library for this platform. */
    static boolean isPossible() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String system = os.contains("linux") ? "linux" : os.contains("mac") ? "macos" : "windows";
        String arch = System.getProperty("os.arch").replace("amd64", "x86_64").replace("arm64", "aarch64");
        String file = system.equals("windows") ? "jazzer_driver.dll" : System.mapLibraryName("jazzer_driver");
        String library = "/com/code_intelligence/jazzer/driver/jazzer_driver_" + system + "_" + arch + "/" + file;
        return JazzerRun.class.getResource(library) != null;
    }

    /** Fuzzes for {@code time}; {@code jvmFlags} and {@code flags} are added to those of the JVM and of Jazzer. */
    static JazzerRun fuzz(Duration time, List<String> jvmFlags, List<String> flags)
            throws IOException, InterruptedException {
        Files.createDirectories(CORPUS);
        Files.createDirectories(FINDINGS);
        Path log = DIRECTORY.resolve("output.txt");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "com.code_intelligence.jazzer.Jazzer"));
        command.addAll(jazzerFlags());
        command.add("-max_total_time=" + Math.max(1, time.toSeconds()));
        command.addAll(flags);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(time.plus(GRACE).toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the fuzzer has no end: " + log);
        }
        return new JazzerRun(process.exitValue(), Files.readAllLines(log, StandardCharsets.ISO_8859_1));
    }

    private static List<String> jvmFlags() {
        List<String> flags = new ArrayList<>(List.of(
                HEAP,
                DIRECT_MEMORY,
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "-XX:ErrorFile=" + DIRECTORY.resolve("hs_err_pid%p.log")));
        if (!Boolean.getBoolean("persist.nightly")) {
            flags.add("-XX:TieredStopAtLevel=1"); // some seconds are too short for the best code
        }
        int version = Runtime.version().feature();
        if (version >= 23) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (version >= 24) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        return flags;
    }

    private static List<String> jazzerFlags() {
        return List.of(
                "--target_class=" + Fuzzer.class.getName(),
                "--instrumentation_includes=io.persist.**",
                "--instrumentation_excludes=io.persist.fuzz.*" + File.pathSeparator + "io.persist.testkit.**",
                "--custom_hook_includes=io.persist.**",
                "--reproducer_path=" + FINDINGS,
                "-artifact_prefix=" + FINDINGS + "/",
                "-timeout=" + SECONDS_PER_INPUT,
                "-rss_limit_mb=1024",
                "-print_final_stats=1",
                "-max_len=512",
                "-len_control=0",
                CORPUS.toString(),
                ImagesTest.RESOURCES.resolve("corpus").toString());
    }

    /** How many inputs it has tried. */
    long executions() {
        return Long.parseLong(first(UNITS, "0"));
    }

    String seed() {
        return first(SEED, "unknown");
    }

    /** The input that it has found. */
    String finding() {
        return first(FINDING, "none");
    }

    private String first(Pattern pattern, String otherwise) {
        return output.stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElse(otherwise);
    }

    /** The lines from the exception on, or the last ones. */
    String explanation() {
        int from = Math.max(0, output.size() - 60);
        for (int i = 0; i < output.size(); i++) {
            if (output.get(i).startsWith("== Java Exception") || output.get(i).contains("ERROR: libFuzzer")) {
                from = i;
                break;
            }
        }
        return String.join("\n", output.subList(from, Math.min(output.size(), from + 60)));
    }
}
