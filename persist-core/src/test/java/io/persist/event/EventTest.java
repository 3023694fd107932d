package io.persist.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.Prefill;
import io.persist.log.RecoveryReport;
import io.persist.log.engine.Log;
import io.persist.support.Allocation;
import io.persist.support.ChildJvm;
import io.persist.support.DeadLog;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Flight Recorder gets to see. */
@Timeout(120)
class EventTest {

    private static final int CALLS = 60_000;
    private static final List<String> NAMES = List.of(
            "persist.Sync",
            "persist.SegmentRoll",
            "persist.FillerStall",
            "persist.SegmentMade",
            "persist.Recovery",
            "persist.LogFailure",
            "persist.ListenerFailure");
    private static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(4096).build();

    @TempDir(factory = InMemory.class)
    Path directory;

    private interface Action {
        void run() throws Exception;
    }

    /** The events of Persist during {@code action}, in the order of their ends. */
    private List<RecordedEvent> record(@Nullable Duration threshold, Action action) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            for (String name : NAMES) {
                if (threshold == null) {
                    recording.enable(name);
                } else {
                    recording.enable(name).withThreshold(threshold);
                }
            }
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().startsWith("persist.")) {
                events.add(event);
            }
        }
        return events;
    }

    private static List<RecordedEvent> named(String name, List<RecordedEvent> events) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    void shouldRecordRecoveryFillsRollsAndStalls() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        long[] stalls = new long[1];
        List<RecordedEvent> events = record(Duration.ZERO, () -> {
            try (Log log = Log.open(CONFIG, storage)) {
                Records.appendUntilRolled(log, 30);
                stalls[0] = log.statistics().stalls();
            }
        });
        RecordedEvent recovery = named("persist.Recovery", events).get(0);
        assertThat(recovery.getString("log")).isEqualTo("memory");
        assertThat(recovery.getString("left")).isEqualTo("NEW");
        assertThat(recovery.getString("row")).isEqualTo("A");
        assertThat(recovery.getLong("recordsChecked")).isZero();
        assertThat(recovery.getLong("bytesCut")).isZero();
        List<RecordedEvent> rolls = named("persist.SegmentRoll", events);
        assertThat(rolls).hasSize(30);
        for (int i = 0; i < 30; i++) {
            assertThat(rolls.get(i).getLong("sealed")).isEqualTo(4096L * i);
            assertThat(rolls.get(i).getLong("next")).isEqualTo(4096L * (i + 1));
            assertThat(rolls.get(i).getString("log")).isEqualTo("memory");
            assertThat(rolls.get(i).getStackTrace()).isNull();
        }
        List<RecordedEvent> made = named("persist.SegmentMade", events);
        assertThat(made).hasSizeGreaterThan(30);
        assertThat(made) // in any order: they come from two threads
                .anyMatch(event -> event.getString("file").equals(LogFileName.segment(8192)))
                .allMatch(event ->
                        event.getLong("bytes") == 4096 && !event.getDuration().isNegative());
        assertThat(stalls(events)).hasSize((int) stalls[0]).allMatch(stall -> stall.getLong("position") > 0);
        assertThat(named("persist.LogFailure", events)).isEmpty();
    }

    private static List<RecordedEvent> stalls(List<RecordedEvent> events) {
        return named("persist.FillerStall", events).stream()
                .filter(wait -> wait.getString("cause").equals("SPACE"))
                .toList();
    }

    @Test
    void shouldRecordWhatARecoveryCut() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(CONFIG, storage);
        Records.append(log, 10);
        int end = (int) log.positions().published();
        CrashableStorage after = storage.afterKill();
        byte[] torn = after.content(LogFileName.segment(0));
        torn[end + 16] = 1; // stored and not published
        after.replace(LogFileName.segment(0), torn);
        DeadLog.end(log);
        RecoveryReport[] report = new RecoveryReport[1];
        List<RecordedEvent> events = record(Duration.ZERO, () -> {
            try (Log again = Log.open(CONFIG, after)) {
                report[0] = again.recovery();
            }
        });
        RecordedEvent recovery = named("persist.Recovery", events).get(0);
        assertThat(recovery.getString("left")).isEqualTo("KILLED");
        assertThat(recovery.getString("row"))
                .isEqualTo(report[0].reason().row())
                .isEqualTo("B");
        assertThat(recovery.getLong("recordsChecked"))
                .isEqualTo(report[0].checked().records());
        assertThat(recovery.getLong("bytesCut"))
                .isEqualTo(report[0].cut().bytes())
                .isPositive();
        assertThat(recovery.getString("refusal")).isEmpty();
        assertThat(recovery.getDuration()).isPositive();
    }

    @Test
    void shouldRecordWhyARecoveryWasRefused() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        try (Log log = Log.open(CONFIG, storage)) {
            Records.appendUntilRolled(log, 3);
        }
        String tail = LogFileName.segment(3 * 4096);
        byte[] damaged = storage.content(tail);
        damaged[SegmentHeader.LENGTH - 1] ^= 1;
        storage.replace(tail, damaged);
        Throwable[] refused = new Throwable[1];
        List<RecordedEvent> events = record(
                Duration.ZERO,
                () -> refused[0] = catchThrowableOfType(CorruptLogException.class, () -> Log.open(CONFIG, storage)));
        RecordedEvent recovery = named("persist.Recovery", events).get(0);
        assertThat(recovery.getString("log")).isEqualTo("memory");
        assertThat(recovery.getString("refusal")).isEqualTo(refused[0].toString());
        assertThat(recovery.getString("left")).isEmpty();
        assertThat(recovery.getString("row")).isEmpty();
    }

    @Test
    void shouldRecordAStallThatEndedWithoutASegment() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        long[] stalls = new long[1];
        List<RecordedEvent> events = record(Duration.ZERO, () -> {
            try (Log log = Log.open(CONFIG, storage)) {
                storage.hook((number, what) -> {
                    if (what.startsWith("create")) {
                        throw new IOException("No space left on device");
                    }
                });
                assertThatThrownBy(() -> Records.appendUntilRolled(log, 30)).isInstanceOf(LogFullException.class);
                stalls[0] = log.statistics().stalls();
                assertThat(log.statistics().stallMaxNs()).isPositive();
                storage.hook((number, what) -> {});
            }
        });
        assertThat(stalls[0]).isPositive();
        assertThat(stalls(events))
                .hasSize((int) stalls[0])
                .last()
                .satisfies(stall -> assertThat(stall.getLong("position")).isPositive());
    }

    @Test
    void shouldRecordTheFirstFailureOnly() throws Exception {
        CrashableStorage storage = new CrashableStorage();
        List<RecordedEvent> events = record(null, () -> {
            Log log = Log.open(CONFIG, storage);
            Records.append(log, 1);
            storage.hook((number, what) -> {
                if (what.startsWith("force 0")) {
                    throw new IOException("the device is gone");
                }
            });
            assertThatThrownBy(log::sync).isInstanceOf(LogIOException.class);
            assertThatThrownBy(log::sync).isInstanceOf(LogIOException.class);
            DeadLog.end(log);
        });
        List<RecordedEvent> failures = named("persist.LogFailure", events);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).getString("log")).isEqualTo("memory");
        assertThat(failures.get(0).getString("what")).isEqualTo("sync");
        assertThat(failures.get(0).getString("cause")).contains("the device is gone");
        assertThat(failures.get(0).getStackTrace()).isNotNull();
    }

    @Test
    void shouldRecordAListenerThatThrows() throws Exception {
        List<RecordedEvent> events = record(null, () -> {
            try (Log log = Log.open(CONFIG, new CrashableStorage())) {
                log.listen(Durability.SYNCED, position -> {
                    throw new AssertionError("thrown");
                });
                for (int i = 0; i < 3; i++) {
                    Records.append(log, 1);
                    log.sync();
                }
            }
        });
        List<RecordedEvent> failures = named("persist.ListenerFailure", events);
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).getString("log")).isEqualTo("memory");
        assertThat(failures.get(0).getString("listener")).contains("EventTest");
        assertThat(failures.get(0).getString("level")).isEqualTo("SYNCED");
        assertThat(failures.get(0).getString("cause")).isEqualTo("java.lang.AssertionError: thrown");
    }

    @Test
    void shouldRecordASync() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, () -> {
            SyncEvent event = SyncEvent.begin();
            assertThat(event).isNotNull();
            SyncEvent.end(event, "memory", 64, 4096, 7);
        });
        assertThat(events).hasSize(1);
        RecordedEvent sync = events.get(0);
        assertThat(sync.getEventType().getName()).isEqualTo("persist.Sync");
        assertThat(sync.getString("log")).isEqualTo("memory");
        assertThat(sync.getLong("fromPosition")).isEqualTo(64);
        assertThat(sync.getLong("toPosition")).isEqualTo(4096);
        assertThat(sync.getLong("bytes")).isEqualTo(4032);
        assertThat(sync.getLong("waiters")).isEqualTo(7);
    }

    /** A fast sync is not worth an event. */
    @Test
    void shouldRecordOnlySlowSyncsUnlessToldOtherwise() {
        EventType type = type("persist.Sync");
        assertThat(type.getSettingDescriptors().stream()
                        .filter(setting -> setting.getName().equals("threshold"))
                        .map(setting -> setting.getDefaultValue()))
                .containsExactly("10 ms");
    }

    private static EventType type(String name) {
        FlightRecorder recorder = FlightRecorder.getFlightRecorder();
        SyncEvent.begin(); // JFR knows the events whose classes are loaded
        return recorder.getEventTypes().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldDescribeEveryEventAndField() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO, () -> {
            SyncEvent.end(SyncEvent.begin(), "log", 0, 0, 0);
            SegmentRollEvent.end(SegmentRollEvent.begin(), "log", 0, 0);
            FillerStallEvent.end(FillerStallEvent.begin(), "log", 0, FillerStallEvent.Cause.SPACE);
            SegmentMadeEvent.end(SegmentMadeEvent.begin(), "log", "file", 0);
            RecoveryEvent.end(RecoveryEvent.begin(), "log", "NEW", "A", 0, 0, 0);
            LogFailureEvent.record("log", "sync", new IOException());
            ListenerFailureEvent.record("log", "Listener", "SYNCED", new IOException());
        });
        assertThat(events.stream().map(event -> event.getEventType().getName())).containsExactlyElementsOf(NAMES);
        for (RecordedEvent event : events) {
            EventType type = event.getEventType();
            assertThat(type.getCategoryNames()).containsExactly("Persist");
            assertThat(type.getLabel()).isNotBlank();
            assertThat(type.getDescription()).isNotBlank();
            assertThat(event.getString("log")).isEqualTo("log");
            type.getFields().stream()
                    .filter(field -> !List.of("startTime", "duration", "eventThread", "stackTrace")
                            .contains(field.getName()))
                    .forEach(field -> {
                        assertThat(field.getLabel()).as(type + "." + field).isNotBlank();
                        assertThat(field.getDescription())
                                .as(type.getName() + "." + field.getName())
                                .isNotBlank();
                    });
        }
    }

    @Test
    void shouldAllocateNothingWhileNobodyRecords() {
        Allocation.checkNone(1, CALLS, EventTest::touchAll);
    }

    private static void touchAll() {
        SyncEvent.end(SyncEvent.begin(), "log", 0, 0, 0);
        SegmentRollEvent.end(SegmentRollEvent.begin(), "log", 0, 0);
        FillerStallEvent.end(FillerStallEvent.begin(), "log", 0, FillerStallEvent.Cause.SPACE);
        SegmentMadeEvent.end(SegmentMadeEvent.begin(), "log", "file", 0);
        RecoveryEvent.end(RecoveryEvent.begin(), "log", "NEW", "A", 0, 0, 0);
    }

    /** As with jcmd: the process has run for a while when somebody begins to record. */
    @Test
    void shouldRecordEventsThatWereUsedBeforeTheRecordingBegan() throws Exception {
        try (ChildJvm child = ChildJvm.startBriefly(LateRecordingJvm.class)) {
            assertThat(child.hear()).isEqualTo("before: false");
            assertThat(child.hear()).isEqualTo("recording: true");
            assertThat(child.hear()).isEqualTo("after: false");
        }
    }

    static final class LateRecordingJvm {

        public static void main(String[] arguments) {
            System.out.println("before: " + (SyncEvent.begin() != null));
            try (Recording recording = new Recording()) {
                recording.enable("persist.Sync");
                recording.start();
                System.out.println("recording: " + (SyncEvent.begin() != null));
            }
            System.out.println("after: " + (SyncEvent.begin() != null));
        }
    }

    @Test
    void shouldDoWithoutFlightRecorder() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.briefly(BareJvm.class, directory.resolve("log")));
        command.addAll(1, List.of("--limit-modules", "java.base,jdk.unsupported"));
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("jdk.jfr false");
            assertThat(child.hear()).isEqualTo("rolls 5");
            assertThat(child.hear()).isEqualTo("failed true");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** It takes longer to load than a log to open. */
    @Test
    void shouldNotLoadFlightRecorderWhichWasNotStarted() throws Exception {
        Path classes = directory.resolve("classes");
        List<String> command = new ArrayList<>(ChildJvm.briefly(BareJvm.class, directory.resolve("log")));
        command.add(1, "-Xlog:class+load:file=" + classes);
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("jdk.jfr true");
            assertThat(child.hear()).isEqualTo("rolls 5");
            assertThat(child.hear()).isEqualTo("failed true");
            assertThat(child.awaitEnd()).isZero();
        }
        assertThat(Files.readString(classes))
                .contains("io.persist.event.SyncEvent ")
                .doesNotContain("jdk.jfr.internal")
                .doesNotContain("jdk.jfr.Event ");
    }

    /** Every place that has an event, in a runtime without the module. */
    static final class BareJvm {

        public static void main(String[] arguments) throws IOException {
            System.out.println(
                    "jdk.jfr " + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
            LogConfig config = LogConfig.builder(Path.of(arguments[0]))
                    .segmentLength(4096)
                    .initialLength(8 * 4096)
                    .prefill(Prefill.BEFORE_OPEN)
                    .build();
            try (Log log = Log.open(config, DirectoryStorage.create(config.directory()))) {
                byte[] record = new byte[1000];
                while (log.statistics().rolls() < 5) {
                    log.append(record, 0, record.length);
                }
                log.commit(Durability.SYNCED);
                System.out.println("rolls " + log.statistics().rolls());
            }
            LogFailureEvent.record("log", "sync", new IOException("failed"));
            ListenerFailureEvent.record("log", "Listener", "SYNCED", new IOException("thrown"));
            System.out.println("failed true");
        }
    }
}
