package io.persist.peers.trial;

import io.persist.log.Durability;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.EngineKind.Reading;
import io.persist.peers.engine.Survival;
import java.util.List;
import java.util.Optional;

/** What can be compared. */
public enum Mode {
    BUFFERED(
            "buffered",
            "One thread appends as fast as it goes, until the log has everything. The rate is of a pass without clocks,"
                    + " the latencies of each append are of a second one on a new log.",
            Shape.UNPACED),
    OPEN_LOOP(
            "open-loop",
            "One thread appends at a fixed rate. Latencies are from the time at which an append was"
                    + " meant to start until it returned.",
            Shape.PACED),
    OPEN_LOOP_500K(
            "open-loop-500k",
            "One thread appends at 500,000 per second. Latencies are as with open-loop.",
            Shape.PACED),
    SYNC("sync", "Each append is committed to the device. Latencies are of both.", 1),
    SYNC_10("sync-10", "Each 10 appends are committed to the device. Latencies are of all 10 and the commit.", 10),
    SYNC_100("sync-100", "Each 100 appends are committed to the device. Latencies are of all 100 and the commit.", 100),
    PRODUCERS_2(
            "producers-2",
            "Two threads append to one log, as with buffered. The rate is of both together.",
            Shape.UNPACED),
    LISTEN_THREAD(
            "listen-thread",
            "One thread appends at a tenth of the rate, another one polls all the time. Latencies are from before the"
                    + " append until the reader has the message.",
            Shape.PACED),
    LISTEN_PROCESS("listen-process", "As listen-thread, with the reader in another process.", Shape.PACED),
    REPLAY(
            "replay",
            "A closed log in the page cache is opened and read from its start, and the order of the messages checked.",
            Shape.READ),
    REOPEN(
            "reopen",
            "A new process opens a log that was closed, and appends a message. The log is in the page cache.",
            Shape.OPENED),
    REOPEN_KILLED(
            "reopen-killed", "As reopen, after the writer was killed with -9 in the middle of appends.", Shape.OPENED),
    ALLOCATION(
            "allocation",
            "Bytes allocated on the heap per append, by the appending thread and by all threads of the JVM.",
            Shape.COUNTED);

    /** Which numbers its table shows. */
    private enum Shape {
        UNPACED,
        SYNCED,
        PACED,
        READ,
        OPENED,
        COUNTED
    }

    private final String id;
    private final String description;
    private final Durability durability;
    private final int batch;
    private final Shape shape;

    Mode(String id, String description, Durability durability, int batch, Shape shape) {
        this.id = id;
        this.description = description;
        this.durability = durability;
        this.batch = batch;
        this.shape = shape;
    }

    Mode(String id, String description, Shape shape) {
        this(id, description, Durability.BUFFERED, 1, shape);
    }

    Mode(String id, String description, int batch) {
        this(id, description, Durability.SYNCED, batch, Shape.SYNCED);
    }

    public static Optional<Mode> byId(String id) {
        return List.of(values()).stream().filter(each -> each.id.equals(id)).findFirst();
    }

    /** As flags and tables call it. */
    public String id() {
        return id;
    }

    public String description() {
        return description;
    }

    /** What its commits wait for. */
    public Durability durability() {
        return durability;
    }

    /** Appends per commit. */
    public int batch() {
        return batch;
    }

    public int producers() {
        return this == PRODUCERS_2 ? 2 : 1;
    }

    /** What its table shows. */
    public List<Metric> metrics() {
        return switch (shape) {
            case UNPACED, SYNCED, PACED -> List.of(Metric.RATE, Metric.P50, Metric.P99, Metric.P999, Metric.MAX);
            case READ -> List.of(Metric.RATE, Metric.LOG_MIB);
            case OPENED -> List.of(Metric.OPEN_MS, Metric.LOG_MIB);
            case COUNTED -> List.of(Metric.THREAD_BYTES, Metric.JVM_BYTES);
        };
    }

    /** Of which of them it shows the ratio to the baseline. */
    public List<Metric> compared() {
        return switch (shape) {
            case UNPACED, READ -> List.of(Metric.RATE);
            case SYNCED -> List.of(Metric.RATE, Metric.P50, Metric.P99, Metric.P999);
            case PACED -> List.of(Metric.P50, Metric.P99, Metric.P999);
            case OPENED -> List.of(Metric.OPEN_MS);
            case COUNTED -> List.of();
        };
    }

    /** What its latencies are called. */
    public String series() {
        return switch (this) {
            case OPEN_LOOP, OPEN_LOOP_500K -> "response";
            case SYNC, SYNC_10, SYNC_100 -> "commit";
            case LISTEN_THREAD, LISTEN_PROCESS -> "listen";
            default -> "append";
        };
    }

    /** What takes nothing away of what an engine has committed in this mode. */
    public Survival survival(EngineKind kind) {
        return durability == Durability.SYNCED ? Survival.POWER_CUT : kind.survivalWhenBuffered();
    }

    /** Why an engine has no part in it; empty if it has. */
    public Optional<String> excludes(EngineKind kind) {
        if (durability == Durability.BUFFERED && kind.survivalWhenBuffered() == Survival.POWER_CUT) {
            return Optional.of("syncs each append");
        }
        boolean readable = switch (this) {
            case LISTEN_THREAD -> kind.reading() != Reading.AFTER_CLOSE;
            case LISTEN_PROCESS -> kind.reading() == Reading.ANY_PROCESS;
            default -> true;
        };
        return readable ? Optional.empty() : Optional.of("cannot be read there while it is written");
    }
}
