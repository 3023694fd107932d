package io.persist.index.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much direct memory this JVM allows.
 *
 * <p><b>Threads:</b> any.
 */
public final class DirectMemory {

    private static final String OPTION = "MaxDirectMemorySize";

    private DirectMemory() {}

    /**
     * Three quarters of it, in bytes, for all indexes together: reading and writing files needs direct memory too, and
     * so does each reader of an index that is larger than its memory.
     */
    public static long shareOfIndex() {
        return max() / 4 * 3;
    }

    private static long max() {
        long option = 0;
        try {
            HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            option = jvm == null ? 0 : Long.parseLong(jvm.getVMOption(OPTION).getValue());
        } catch (RuntimeException | LinkageError e) {
            // Another JVM, or one without that module: the default holds.
        }
        return option > 0 ? option : Runtime.getRuntime().maxMemory();
    }
}
