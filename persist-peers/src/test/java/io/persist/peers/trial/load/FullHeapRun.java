package io.persist.peers.trial.load;

import io.persist.peers.engine.Engine;
import io.persist.peers.trial.Logs;
import io.persist.peers.trial.Mode;
import io.persist.peers.trial.Trial;
import io.persist.support.FullHeap;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Producers that need all memory that there is, for a JVM of its own with a small heap. */
public final class FullHeapRun {

    private static final Object[] NONE = {};

    private static Object[] ballast = new Object[1 << 20];

    private static List<Object> kept = List.of();

    private FullHeapRun() {}

    /** Says how they have ended; the argument is a directory for the log. */
    public static void main(String[] args) throws Exception {
        Trial trial = new Trial("bare-copy", Mode.BUFFERED, 1, 100, 100, 10, 0, 2, 64, 100_000, args[0]);
        try (Engine engine = new Logs(trial).create("full", 100)) {
            ProducerThreads.run(engine, trial.mode(), FullHeapRun::fill);
            System.out.println("whole");
        } catch (Throwable whatever) { // what closes the engine finds no memory either
            ballast = NONE;
            System.out.println("failed");
        }
    }

    /** Also what it was given is no garbage when it ends. */
    private static long fill(AppendLoop loop, Histogram latencies) {
        kept = List.of(loop, latencies);
        FullHeap.fill(ballast);
        return new byte[1 << 20].length + kept.size();
    }
}
