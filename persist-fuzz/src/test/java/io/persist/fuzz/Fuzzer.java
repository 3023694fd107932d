package io.persist.fuzz;

import io.persist.fuzz.control.ControlInput;
import java.util.EnumMap;
import java.util.Map;

/** What Jazzer calls, in the JVM that {@link FuzzingTest} starts. Its output is that test's input. */
public final class Fuzzer {

    /** The line with the executions of a target begins so. */
    static final String EXECUTIONS = "executions of ";

    private static final Map<Target, Long> COUNTS = new EnumMap<>(Target.class);

    private Fuzzer() {}

    /** Before the first one. Loads the classes, which is not to count as the time of an input. */
    public static void fuzzerInitialize() {
        for (Target target : Target.values()) {
            for (int image = 0; image < target.images().size(); image++) {
                Target.run(new byte[] {(byte) target.ordinal(), (byte) image, (byte) image, (byte) Mending.ALL});
            }
        }
    }

    /** One execution. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (ControlInput.isPlanted()) {
            ControlInput.check(input);
            return;
        }
        COUNTS.merge(Target.run(input), 1L, Long::sum);
    }

    /** After the last one. */
    public static void fuzzerTearDown() {
        COUNTS.forEach((target, count) -> System.out.println(EXECUTIONS + target + ": " + count));
        System.out.flush();
    }
}
