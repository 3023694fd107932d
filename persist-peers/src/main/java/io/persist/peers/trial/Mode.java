package io.persist.peers.trial;

import io.persist.log.Durability;
import io.persist.peers.engine.EngineKind;
import io.persist.peers.engine.EngineKind.Reading;
import io.persist.peers.engine.Space;
import io.persist.peers.engine.Survival;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be compared. Where space was prepared before, the name says so. */
public enum Mode {
    SUSTAINED(
            "sustained",
            "One thread appends as fast as it goes for so long that the page cache cannot hide the device, from an"
                    + " empty directory with the defaults of each engine. \"first\" is the rate of the bytes that are"
                    + " appended at least, \"later\" of what comes after them.",
            Work.SUSTAINED),
    BUFFERED(
            "buffered",
            "One thread appends as fast as it goes, until the log has everything. The rate is of a pass without clocks,"
                    + " the latencies of each append are of a second one. Both take twice --seconds, in new logs of"
                    + " --messages each.",
            Work.UNPACED),
    PRODUCERS_2(
            "producers-2",
            "Two threads append to one log, as with buffered. The rate is of both together.",
            Work.UNPACED),
    OPEN_LOOP(
            "open-loop",
            "One thread appends at a fixed rate, for ten times as long as a pass of other modes, but no more than"
                    + " --messages. Latencies are from the time at which an append was meant to start until it"
                    + " returned.",
            Work.PACED),
    OPEN_LOOP_500K(
            "open-loop-500k",
            "One thread appends at 500,000 per second. Time and latencies are as with open-loop.",
            Work.PACED),
    SYNC("sync", "Each append is committed to the device. Latencies are of both.", 1, Space.UNPREPARED),
    SYNC_10(
            "sync-10",
            "Each 10 appends are committed to the device. Latencies are of all 10 and the commit.",
            10,
            Space.UNPREPARED),
    SYNC_100(
            "sync-100",
            "Each 100 appends are committed to the device. Latencies are of all 100 and the commit.",
            100,
            Space.UNPREPARED),
    BUFFERED_PREPARED("buffered-prepared", "As buffered, in prepared space.", Work.UNPACED, Space.PREPARED),
    PRODUCERS_2_PREPARED("producers-2-prepared", "As producers-2, in prepared space.", Work.UNPACED, Space.PREPARED),
    OPEN_LOOP_PREPARED(
            "open-loop-prepared",
            "As open-loop, in prepared space, and as long as a pass of other modes.",
            Work.PACED,
            Space.PREPARED),
    OPEN_LOOP_500K_PREPARED(
            "open-loop-500k-prepared",
            "As open-loop-500k, in prepared space, and as long as a pass of other modes.",
            Work.PACED,
            Space.PREPARED),
    SYNC_PREPARED("sync-prepared", "As sync, in prepared space.", 1, Space.PREPARED),
    SYNC_10_PREPARED("sync-10-prepared", "As sync-10, in prepared space.", 10, Space.PREPARED),
    SYNC_100_PREPARED("sync-100-prepared", "As sync-100, in prepared space.", 100, Space.PREPARED),
    LISTEN_THREAD(
            "listen-thread",
            "One thread appends at a tenth of the rate, another one polls all the time. Latencies are from the"
                    + " time at which an append was meant to start until the reader has the message.",
            Work.LISTENED),
    LISTEN_PROCESS("listen-process", "As listen-thread, with the reader in another process.", Work.LISTENED),
    REPLAY(
            "replay",
            "A closed log in the page cache is read from its start, and the order of the messages checked. The rate is"
                    + " without the opening.",
            Work.READ),
    REOPEN(
            "reopen",
            "A new process opens a log that was closed, and appends a message. The log is in the page cache.",
            Work.OPENED),
    REOPEN_KILLED(
            "reopen-killed", "As reopen, after the writer was killed with -9 in the middle of appends.", Work.OPENED),
    ALLOCATION(
            "allocation",
            "Bytes allocated on the heap per append, by the appending thread and by all threads of the JVM.",
            Work.COUNTED);

    /** What is done, and which numbers come of it. */
    public enum Work {
        /** Appends for a long time. */
        SUSTAINED,
        /** Appends as fast as it goes. */
        UNPACED,
        /** Appends with commits that wait for the device. */
        SYNCED,
        /** Appends at a rate. */
        PACED,
        /** Appends at a low rate, and a reader. */
        LISTENED,
        /** Reads. */
        READ,
        /** Opens what another process has left. */
        OPENED,
        /** Counts what is allocated. */
        COUNTED
    }

    private static final String ON_THE_HEAP = "keeps something of each message on the heap";
    private static final Map<String, String> NOT_SUSTAINED = Map.of(
            "artemis-nio", ON_THE_HEAP,
            "artemis-mapped", ON_THE_HEAP,
            "artemis-aio", ON_THE_HEAP,
            "sqlite", "takes minutes for so much");

    private final String id;
    private final String description;
    private final Durability durability;
    private final int batch;
    private final Work work;
    private final Space space;

    Mode(String id, String description, Durability durability, int batch, Work work, Space space) {
        this.id = id;
        this.description = description;
        this.durability = durability;
        this.batch = batch;
        this.work = work;
        this.space = space;
    }

    Mode(String id, String description, Work work) {
        this(id, description, work, Space.UNPREPARED);
    }

    Mode(String id, String description, Work work, Space space) {
        this(id, description, Durability.BUFFERED, 1, work, space);
    }

    Mode(String id, String description, int batch, Space space) {
        this(id, description, Durability.SYNCED, batch, Work.SYNCED, space);
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

    public Work work() {
        return work;
    }

    /** What the engines find. */
    public Space space() {
        return space;
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
        return this == PRODUCERS_2 || this == PRODUCERS_2_PREPARED ? 2 : 1;
    }

    /** Whether its appends come at a rate that is given, and not as fast as they go. */
    public boolean isPaced() {
        return work == Work.PACED || work == Work.LISTENED;
    }

    /** What its table shows. */
    public List<Metric> metrics() {
        return switch (work) {
            case SUSTAINED -> Metric.SUSTAINED;
            case UNPACED, SYNCED, PACED, LISTENED ->
                List.of(Metric.RATE, Metric.P50, Metric.P99, Metric.P999, Metric.MAX);
            case READ -> List.of(Metric.RATE, Metric.LOG_MIB);
            case OPENED -> List.of(Metric.OPEN_MS, Metric.LOG_MIB);
            case COUNTED -> List.of(Metric.THREAD_BYTES, Metric.JVM_BYTES);
        };
    }

    /** Of which of them it shows the ratio to the baseline. */
    public List<Metric> compared() {
        return switch (work) {
            case SUSTAINED -> List.of(Metric.RATE, Metric.FIRST_RATE, Metric.MAX);
            case UNPACED, READ -> List.of(Metric.RATE);
            case SYNCED -> List.of(Metric.RATE, Metric.P50, Metric.P99, Metric.P999);
            case PACED, LISTENED -> List.of(Metric.P50, Metric.P99, Metric.P999);
            case OPENED -> List.of(Metric.OPEN_MS);
            case COUNTED -> List.of();
        };
    }

    /** What its latencies are called. */
    public String series() {
        return switch (work) {
            case PACED -> "response";
            case SYNCED -> "commit";
            case LISTENED -> "listen";
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
        if (!kind.spaces().contains(space)) {
            return Optional.of(
                    space == Space.PREPARED ? "prepares nothing" : "writes only where it has prepared space");
        }
        if (work == Work.SUSTAINED && NOT_SUSTAINED.containsKey(kind.id())) {
            return Optional.ofNullable(NOT_SUSTAINED.get(kind.id()));
        }
        if (kind.reading() == Reading.LIVE && work != Work.LISTENED) {
            return Optional.of("is another one whose readers listen");
        }
        boolean readable = switch (this) {
            case LISTEN_THREAD -> kind.reading() != Reading.AFTER_CLOSE;
            case LISTEN_PROCESS -> kind.reading() == Reading.ANY_PROCESS || kind.reading() == Reading.LIVE;
            default -> true;
        };
        return readable ? Optional.empty() : Optional.of("cannot be read there while it is written");
    }
}
