package io.persist.tool.stats;

import java.util.Map;

/**
 * The numbers of logs in the text format of Prometheus, version 0.0.4: each metric once, with a line for each log. The
 * label {@code log} is the log's directory, as the tag of the meters is.
 */
final class PrometheusText {

    private final StringBuilder text = new StringBuilder();

    /** The text for these logs, by their directories. */
    PrometheusText(Map<String, LogNumbers> logs) {
        if (logs.isEmpty()) {
            return;
        }
        for (PrometheusMetric metric : PrometheusMetric.ofLog()) {
            addHead(metric);
            logs.forEach((directory, log) -> add(metric, label("log", directory), metric.valueOf(log)));
        }
        if (logs.values().stream().anyMatch(log -> !log.now().cursors().isEmpty())) {
            addHead(PrometheusMetric.CURSOR_LAG);
            logs.forEach(this::addCursors);
        }
    }

    private void addHead(PrometheusMetric metric) {
        text.append("# HELP ").append(metric.name()).append(' ').append(metric.help());
        text.append("\n# TYPE ").append(metric.name()).append(' ').append(metric.type());
        text.append('\n');
    }

    private void addCursors(String directory, LogNumbers log) {
        log.now()
                .cursors()
                .forEach((cursor, position) -> add(
                        PrometheusMetric.CURSOR_LAG,
                        label("cursor", cursor) + "," + label("log", directory),
                        Long.toString(log.now().behind(position))));
    }

    private void add(PrometheusMetric metric, String labels, String value) {
        text.append(metric.name()).append('{').append(labels).append("} ");
        text.append(value).append('\n');
    }

    /** Only these three characters have an escape. */
    private static String label(String name, String value) {
        String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        return name + "=\"" + escaped + "\"";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
