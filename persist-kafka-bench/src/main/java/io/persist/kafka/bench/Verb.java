package io.persist.kafka.bench;

import io.persist.command.UsageException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code bin/persist kafka} can be asked for. */
enum Verb {
    COMPARE("compare", "[W SIZE T]", "engines in turn: run, kill -9, restore"),
    LAUNCH("launchTests", "[W SIZE T]", "W workflows of T tasks, payloads of SIZE bytes"),
    RESTORE("restore", "[W SIZE T]", "the state directory is deleted: how long restoring takes"),
    WORKFLOW_METRICS("workflowMetrics", "[N]", "the last N windows of the workflows' latencies, as JSON; 0: all"),
    STORE_METRICS("storeMetrics", "", "Kafka's metrics of the store, as JSON"),
    SERVER("server", "", "the engine alone, until it is interrupted"),
    SETUP("setup", "", "makes the input topic");

    final String text;
    private final String operands;
    private final String meaning;

    Verb(String text, String operands, String meaning) {
        this.text = text;
        this.operands = operands;
        this.meaning = meaning;
    }

    /** The one that the first operand names. */
    static Verb of(List<String> operands) {
        String all = Arrays.stream(values()).map(verb -> verb.text).collect(Collectors.joining(", "));
        if (operands.isEmpty()) {
            throw new UsageException("no command is given; give one of " + all + ", or see --help");
        }
        return Arrays.stream(values())
                .filter(verb -> verb.text.equals(operands.get(0)))
                .findFirst()
                .orElseThrow(() -> new UsageException(operands.get(0) + " is no command; give one of " + all));
    }

    /** All of them with their operands, for the manual. */
    static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        for (Verb verb : values()) {
            meanings.put((verb.text + " " + verb.operands).strip(), verb.meaning);
        }
        return meanings;
    }
}
