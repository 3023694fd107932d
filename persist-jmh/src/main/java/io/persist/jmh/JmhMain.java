package io.persist.jmh;

import io.persist.bench.doctor.Fingerprint;
import io.persist.jmh.support.ScratchDirectory;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;

/**
 * JMH's own command line, with the disk and the machine ahead of the results: figures of synced writes say nothing
 * without them.
 */
public final class JmhMain {

    /** With these JMH prints something and measures nothing. */
    private static final Set<String> NO_RUN = Set.of("-h", "-l", "-lp", "-lprof", "-lrf");

    private JmhMain() {}

    public static void main(String[] given) throws IOException {
        String[] args = asJmh(given);
        if (isRun(args)) {
            Fingerprint.of(ScratchDirectory.parent()).describe().forEach(line -> System.out.println("# " + line));
            System.out.println();
        }
        org.openjdk.jmh.Main.main(args);
    }

    /** The other programs have their help under both names. */
    static String[] asJmh(String... args) {
        return Arrays.stream(args)
                .map(each -> each.equals("--help") ? "-h" : each)
                .toArray(String[]::new);
    }

    static boolean isRun(String... args) {
        return Arrays.stream(args).noneMatch(NO_RUN::contains);
    }
}
