package io.persist.kafka.bench;

import com.beust.jcommander.Parameter;
import com.beust.jcommander.ParametersDelegate;
import io.persist.bench.flags.ComparisonPaths;
import io.persist.command.Checks;
import io.persist.command.UsageException;
import io.persist.kafka.bench.server.EngineKind;
import io.persist.kafka.bench.server.RunSize;
import io.persist.kafka.bench.server.ServerSpec;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The flags of {@link KafkaProgram}. Those whose defaults depend on others are null until they are given. */
final class KafkaFlags {

    private static final double MS = 1000;
    private static final int PERCENT = 100;
    private static final int MAX_PORT = 65_535;
    private static final int DEFAULT_PORT = 5000;
    private static final double DEFAULT_PUNCTUATE = 1;
    private static final double DEFAULT_TIMER_DELAY = 0.25;
    private static final double DEFAULT_WINDOW = 30;
    private static final int DEFAULT_WARMUP = 20;
    private static final String DEFAULT_HEAP = "1g";
    private static final String DEFAULT_GUARANTEE = "at_least_once";
    private static final String WHERE_A_SERVER_RUNS = "is for what runs a server";
    private static final String WHERE_IT_MEASURES =
            "is for compare, and without --bootstrap for launchTests, restore, workflowMetrics and storeMetrics,";

    @Parameter(
            names = "--engine",
            order = 1,
            placeholder = "LIST",
            defaultValueDescription = "persist",
            description =
                    "persist, rocksdb, memory, parted by commas; compare has persist,rocksdb by default; rocksdb is as"
                            + " Kafka configures it, memory is Kafka's store on the heap and shows what Kafka takes by"
                            + " itself")
    private List<EngineKind> engine;

    @Parameter(
            names = "--bootstrap",
            order = 2,
            placeholder = "HOST:PORT",
            defaultValueDescription = "one in this process",
            description = "a Kafka broker that is there")
    String bootstrap;

    @Parameter(
            names = "--rounds",
            order = 3,
            placeholder = "N",
            defaultValueDescription = "1",
            description = "rounds of compare, in which the engines take turns; the medians are shown")
    private Integer rounds;

    @Parameter(
            names = "--punctuate",
            order = 4,
            placeholder = "SECONDS",
            defaultValueDescription = "1",
            description = "between two deletions of mature timers; LittleHorse has 40")
    private Double punctuate;

    @Parameter(
            names = "--timer-delay",
            order = 5,
            placeholder = "SECONDS",
            defaultValueDescription = "0.25",
            description = "until a timer is mature; LittleHorse has 10")
    private Double timerDelay;

    @Parameter(
            names = "--window",
            order = 6,
            placeholder = "SECONDS",
            defaultValueDescription = "30",
            description = "length of the windows of the workflow metrics")
    private Double window;

    @Parameter(
            names = "--warmup",
            order = 7,
            placeholder = "PERCENT",
            defaultValueDescription = "20",
            description = "of the commands of a run: the first ones, which are executed and not measured")
    private Integer warmup;

    @Parameter(
            names = "--guarantee",
            order = 8,
            placeholder = "NAME",
            defaultValueDescription = "at_least_once",
            description = "at_least_once or exactly_once_v2")
    private String guarantee;

    @Parameter(
            names = "--set",
            order = 9,
            placeholder = "K=V,...",
            defaultValueDescription = "none",
            description = "more of Kafka's configuration for the server, such as persist.durability=synced")
    private String set;

    @Parameter(
            names = "--heap",
            order = 10,
            placeholder = "SIZE",
            defaultValueDescription = "1g",
            description = "largest heap of the server's JVM, as -Xmx takes it; bounds direct memory too")
    private String heap;

    @Parameter(
            names = "--application",
            order = 11,
            placeholder = "NAME",
            description = "names the topics and the consumer group")
    String application = "persist-workflows";

    @Parameter(
            names = "--port",
            order = 12,
            placeholder = "PORT",
            defaultValueDescription = "5000",
            description = "of the command server: where it answers over HTTP, on this machine alone; 0 for any")
    private Integer port;

    @Parameter(
            names = "--server",
            order = 13,
            placeholder = "HOST:PORT",
            defaultValueDescription = "localhost:5000",
            description = "with --bootstrap: the server that workflowMetrics and storeMetrics ask")
    private String server;

    @ParametersDelegate
    final ComparisonPaths paths = new ComparisonPaths();

    /** @throws UsageException if a value is of no use */
    void validate(List<EngineKind> byDefault) {
        engines(byDefault);
        settings();
        Checks.range("--rounds", rounds(), 1, 1000);
        Checks.range("--punctuate", punctuate(), 0.01, 86_400);
        Checks.range("--timer-delay", timerDelay(), 0, 86_400);
        Checks.range("--window", window(), 0.001, 86_400);
        Checks.range("--warmup", warmup(), 0, 90);
        Checks.range("--port", port(), 0, MAX_PORT);
        if (!guarantee().equals(DEFAULT_GUARANTEE) && !guarantee().equals("exactly_once_v2")) {
            throw new UsageException(
                    "--guarantee " + guarantee() + " is none of at_least_once, exactly_once_v2; choose one of them");
        }
        Checks.heap("--heap", heap());
        if (!application.matches("[A-Za-z0-9._-]{1,150}")) {
            throw new UsageException("--application " + application
                    + " names no topic; give letters, digits, dots, hyphens and underscores");
        }
        address("--bootstrap", bootstrap);
        address("--server", server);
    }

    /** @throws UsageException if a flag was given that {@code verb} does nothing with */
    void refuseIgnored(Verb verb) {
        boolean isCompare = verb == Verb.COMPARE;
        boolean isServer = verb == Verb.SERVER;
        boolean asksAServer = (verb == Verb.WORKFLOW_METRICS || verb == Verb.STORE_METRICS) && bootstrap != null;
        boolean measures = isCompare || bootstrap == null && !isServer && verb != Verb.SETUP;
        boolean startsAServer = measures || verb == Verb.RESTORE;
        boolean runsAServer = startsAServer || isServer;
        refuse("--engine", engine, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--punctuate", punctuate, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--timer-delay", timerDelay, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--window", window, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--guarantee", guarantee, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--set", set, runsAServer, WHERE_A_SERVER_RUNS);
        refuse("--warmup", warmup, measures, WHERE_IT_MEASURES);
        refuse("--heap", heap, startsAServer, "is for what starts a server in a process of its own");
        refuse("--rounds", rounds, isCompare, "is for compare");
        refuse("--port", port, isServer, "is for server");
        refuse("--server", server, asksAServer, "is for workflowMetrics and storeMetrics with --bootstrap");
        refuse("--output", paths.output(), measures, WHERE_IT_MEASURES);
        refuse("--json", paths.json(), measures, WHERE_IT_MEASURES);
    }

    private static void refuse(String flag, Object value, boolean isUsed, String where) {
        if (value != null && !isUsed) {
            throw new UsageException(flag + " " + where + " only; leave it out");
        }
    }

    int rounds() {
        return rounds == null ? 1 : rounds;
    }

    String heap() {
        return heap == null ? DEFAULT_HEAP : heap;
    }

    private double punctuate() {
        return punctuate == null ? DEFAULT_PUNCTUATE : punctuate;
    }

    private double timerDelay() {
        return timerDelay == null ? DEFAULT_TIMER_DELAY : timerDelay;
    }

    private double window() {
        return window == null ? DEFAULT_WINDOW : window;
    }

    private String guarantee() {
        return guarantee == null ? DEFAULT_GUARANTEE : guarantee;
    }

    private int warmup() {
        return warmup == null ? DEFAULT_WARMUP : warmup;
    }

    int port() {
        return port == null ? DEFAULT_PORT : port;
    }

    String server() {
        return server == null ? "localhost:" + DEFAULT_PORT : server;
    }

    private static void address(String flag, String text) {
        if (text != null && !text.matches("[^\\s:/,]+:[0-9]{1,5}(,[^\\s:/,]+:[0-9]{1,5})*")) {
            throw new UsageException(flag + " " + text + " is no address; give a host and a port, as localhost:9092");
        }
    }

    List<EngineKind> engines(List<EngineKind> byDefault) {
        return engine == null ? byDefault : engine.stream().distinct().toList();
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        if (set == null) {
            return settings;
        }
        for (String pair : set.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                settings.put(
                        pair.substring(0, equals).trim(),
                        pair.substring(equals + 1).trim());
            } else if (!set.isEmpty()) {
                throw new UsageException("--set " + set + " is no list of settings; give KEY=VALUE,KEY=VALUE");
            }
        }
        return settings;
    }

    /**
     * For a server in which {@code commands} will be measured, together with those of the warm-up; 0 if all are to be
     * measured, however many come.
     */
    ServerSpec spec(String brokers, String name, EngineKind kind, Path directory, int httpPort, long commands) {
        return new ServerSpec(
                brokers,
                name,
                kind,
                directory.toAbsolutePath().toString(),
                httpPort,
                Math.round(MS * punctuate()),
                Math.round(MS * timerDelay()),
                warmup() * commands / PERCENT,
                Math.max(1, Math.round(MS * window())),
                guarantee(),
                settings());
    }

    /** For people and for files. */
    Map<String, String> parameters(RunSize size) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("size", size.toString());
        parameters.put("broker", bootstrap == null ? "in the process of the program" : bootstrap);
        parameters.put("guarantee", guarantee());
        parameters.put("punctuate s", Double.toString(punctuate()));
        parameters.put("timer delay s", Double.toString(timerDelay()));
        parameters.put("warm-up", warmup() + " % of the commands");
        parameters.put("settings", set == null || set.isEmpty() ? "none" : set);
        parameters.put("server's heap", heap());
        return parameters;
    }
}
