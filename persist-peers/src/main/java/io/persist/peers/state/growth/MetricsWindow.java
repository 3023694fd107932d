package io.persist.peers.state.growth;

/**
 * The figures of LittleHorse's metrics, over one window of time by the machine's clock. A latency is how long a
 * workflow waited for the command: since the one before for the same workflow was done, so pauses of the engine are in
 * it.
 *
 * <p><b>Threads:</b> one.
 */
final class MetricsWindow {

    final long windowStart;
    long totalTaskStarts;
    double totalTaskStartLatency;
    double maxTaskStartLatency;
    long totalTaskCompletes;
    double totalTaskCompleteLatency;
    double maxTaskCompleteLatency;

    /** @param windowStart when it begins, ms since 1970 */
    MetricsWindow(long windowStart) {
        this.windowStart = windowStart;
    }

    /** A task was started, after so many ms. */
    void started(double latencyMs) {
        totalTaskStarts++;
        totalTaskStartLatency += latencyMs;
        maxTaskStartLatency = Math.max(maxTaskStartLatency, latencyMs);
    }

    /** A task was completed, after so many ms. */
    void completed(double latencyMs) {
        totalTaskCompletes++;
        totalTaskCompleteLatency += latencyMs;
        maxTaskCompleteLatency = Math.max(maxTaskCompleteLatency, latencyMs);
    }
}
