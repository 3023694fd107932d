package io.persist.kafka.bench.server;

import java.util.Map;

/**
 * What a {@link WorkflowServer} is told when it is started, as JSON.
 *
 * @param bootstrap brokers
 * @param application identity of the application, which names its topics
 * @param engine what keeps the state
 * @param directory of the state
 * @param port of HTTP, 0 for any
 * @param punctuateMs between two deletions of timers
 * @param timerDelayMs until a timer is mature
 * @param warmup how many commands are not measured
 * @param windowMs length of a window of the metrics
 * @param guarantee of processing, as Kafka names it
 * @param settings more of Kafka's configuration
 */
public record ServerSpec(
        String bootstrap,
        String application,
        EngineKind engine,
        String directory,
        int port,
        long punctuateMs,
        long timerDelayMs,
        long warmup,
        long windowMs,
        String guarantee,
        Map<String, String> settings) {

    /** The topic of the commands. */
    public static String inputOf(String application) {
        return application + "-input";
    }

    /** The topic from which Kafka restores the store. */
    public static String changelogOf(String application) {
        return application + "-" + WorkflowServer.STORE + "-changelog";
    }
}
