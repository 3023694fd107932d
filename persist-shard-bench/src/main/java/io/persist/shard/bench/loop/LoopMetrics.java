package io.persist.shard.bench.loop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.persist.command.Text;
import io.persist.shard.bench.place.Traffic;
import io.persist.shard.bench.place.Traffic.Counter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The loop's counters in Prometheus' text format.
 *
 * <p><b>Threads:</b> any.
 */
final class LoopMetrics {

    private static final double[] QUANTILES = {0.5, 0.95, 0.99};

    private final List<LoopWriter> writers;
    private final List<LoopReader> readers;
    private final Traffic traffic;

    LoopMetrics(List<LoopWriter> writers, List<LoopReader> readers, Traffic traffic) {
        this.writers = List.copyOf(writers);
        this.readers = List.copyOf(readers);
        this.traffic = traffic;
    }

    /** Answers {@code /metrics} on this machine alone; 0 for any port. */
    HttpServer serve(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException("--metrics-port " + port + " cannot be used (" + Text.describe(e) + "); give 0", e);
        }
        server.createContext("/metrics", this::answer);
        server.setExecutor(
                Executors.newCachedThreadPool(LoopMetrics::daemon)); // who asks half only keeps nobody waiting
        server.start();
        return server;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "metrics");
        thread.setDaemon(true);
        return thread;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = text().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** All of them, now. */
    String text() {
        StringBuilder text = new StringBuilder();
        of(text, "records_written_total", "counter", "records in the shard", writers, w -> w.records());
        of(text, "batches_behind", "gauge", "batches that are due and not in the shard", writers, w -> w.behind());
        readersOf(text, "records_read_total", "counter", "records that were read", r -> r.records());
        readersOf(text, "reader_lag_records", "gauge", "records that are due and not read", r -> r.lag());
        readersOf(text, "reader_lag_max_records", "gauge", "the most of these", r -> r.maxLag());
        head(text, "hand_over_seconds", "summary", "until the pipeline had taken a batch");
        writers.forEach(writer -> summary(
                text,
                "hand_over_seconds",
                "writer",
                writer.index(),
                writer.handOver().copy()));
        head(text, "durable_seconds", "summary", "from when a batch was due until it was durable");
        writers.forEach(writer -> summary(
                text,
                "durable_seconds",
                "writer",
                writer.index(),
                writer.durable().copy()));
        head(text, "read_seconds", "summary", "from when a record was due until it was read");
        readers.forEach(reader -> summary(
                text, "read_seconds", "reader", reader.index(), reader.latency().copy()));
        for (Counter counter : Counter.values()) {
            head(text, counter.meter(), "counter", counter.meaning());
            text.append("persist_shard_")
                    .append(counter.meter())
                    .append(' ')
                    .append(traffic.get(counter))
                    .append('\n');
        }
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP persist_shard_")
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        text.append("# TYPE persist_shard_")
                .append(name)
                .append(' ')
                .append(type)
                .append('\n');
    }

    private static void of(
            StringBuilder text,
            String name,
            String type,
            String help,
            List<LoopWriter> all,
            ToDoubleFunction<LoopWriter> value) {
        head(text, name, type, help);
        all.forEach(each -> line(text, name, "writer=\"" + each.index() + "\"", value.applyAsDouble(each)));
    }

    private void readersOf(
            StringBuilder text, String name, String type, String help, ToDoubleFunction<LoopReader> value) {
        head(text, name, type, help);
        readers.forEach(each -> line(text, name, "reader=\"" + each.index() + "\"", value.applyAsDouble(each)));
    }

    private static void summary(StringBuilder text, String name, String label, int index, Histogram histogram) {
        String labels = label + "=\"" + index + "\"";
        for (double quantile : QUANTILES) {
            line(
                    text,
                    name,
                    labels + ",quantile=\"" + quantile + "\"",
                    histogram.getValueAtPercentile(100 * quantile) / 1e9);
        }
        line(text, name + "_sum", labels, histogram.getMean() * histogram.getTotalCount() / 1e9);
        line(text, name + "_count", labels, histogram.getTotalCount());
    }

    private static void line(StringBuilder text, String name, String labels, double value) {
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < TimeUnit.DAYS.toNanos(1_000);
        text.append("persist_shard_")
                .append(name)
                .append('{')
                .append(labels)
                .append("} ")
                .append(String.format(Locale.ROOT, isWhole ? "%.0f" : "%.9f", value))
                .append('\n');
    }
}
