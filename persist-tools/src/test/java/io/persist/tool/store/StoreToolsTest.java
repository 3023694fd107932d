package io.persist.tool.store;

import static io.persist.tool.ToolStore.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.command.Run;
import io.persist.file.Storage;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.LogTool;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.print.EntryPrinter;
import io.persist.tool.print.EntryPrinter.Form;
import io.persist.tool.store.StoreGetTool.ValueStyle;
import io.persist.tool.text.KeyFormat;
import io.persist.tool.text.PayloadStyle;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreToolsTest {

    private final CrashableStorage storage = new CrashableStorage();
    private final EntryPrinter text = EntryPrinter.of(Form.TEXT, KeyFormat.TEXT, PayloadStyle.PREVIEW);

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run get(String key, KeyFormat format, ValueStyle style) {
        return ToolLog.run(storage, new StoreGetTool(key, format, style, StorePlace.ONE));
    }

    private Run scan(KeyRange range, Direction direction, long limit, EntryPrinter printer) {
        return ToolLog.run(storage, new StoreScanTool(range, direction, limit, printer, StorePlace.ONE));
    }

    private Run scan(EntryPrinter printer) {
        return scan(KeyRange.all(), Direction.FORWARD, Long.MAX_VALUE, printer);
    }

    private Run stats(StoreStatsTool.Form form) {
        return ToolLog.run(storage, new StoreStatsTool(form, StorePlace.ONE));
    }

    private void write() {
        try (StoreLogger store = ToolStore.open(storage)) {
            put(store, "a", "one");
            put(store, "b,\"", "two\n");
            put(store, "c", "");
        }
    }

    @Test
    void shouldGetAValueInEachStyle() {
        write();
        assertThat(get("b,\"", KeyFormat.TEXT, ValueStyle.TEXT)).isEqualTo(new Run(0, "\"two\\n\"\n", ""));
        assertThat(get("61", KeyFormat.HEX, ValueStyle.HEX)).isEqualTo(new Run(0, "6f6e65\n", ""));
        assertThat(get("a", KeyFormat.TEXT, ValueStyle.BASE64)).isEqualTo(new Run(0, "b25l\n", ""));
        assertThat(get("a", KeyFormat.TEXT, ValueStyle.RAW)).isEqualTo(new Run(0, "one", ""));
        assertThat(get("c", KeyFormat.TEXT, ValueStyle.RAW)).isEqualTo(new Run(0, "", ""));
        assertThat(get("d", KeyFormat.TEXT, ValueStyle.RAW))
                .isEqualTo(new Run(1, "", "persist: memory: no such key: \"d\"\n"));
    }

    @Test
    void shouldScanInEachForm() {
        write();
        assertThat(scan(text)).isEqualTo(new Run(0, """
                        "a" 3 "one"
                        "b,\\"" 4 "two\\n"
                        "c" 0 ""
                        """, ""));
        assertThat(scan(EntryPrinter.of(Form.JSON, KeyFormat.TEXT, PayloadStyle.TEXT))
                        .out())
                .isEqualTo("""
                        {"key":"a","length":3,"value":"one"}
                        {"key":"b,\\"","length":4,"value":"two\\n"}
                        {"key":"c","length":0,"value":""}
                        """);
        assertThat(scan(EntryPrinter.of(Form.CSV, KeyFormat.TEXT, PayloadStyle.HEX))
                        .out())
                .isEqualTo("key,length,value,damage\r\na,3,6f6e65,\r\n\"b,\"\"\",4,74776f0a,\r\nc,0,,\r\n");
        assertThat(scan(EntryPrinter.of(Form.CSV, KeyFormat.HEX, PayloadStyle.NONE))
                        .out())
                .isEqualTo("key,length,damage\r\n61,3,\r\n622c22,4,\r\n63,0,\r\n");
        assertThat(scan(EntryPrinter.ofKeys(Form.TEXT, KeyFormat.HEX)).out()).isEqualTo("61\n622c22\n63\n");
        assertThat(scan(EntryPrinter.ofKeys(Form.JSON, KeyFormat.TEXT)).out()).startsWith("{\"key\":\"a\"}\n");
        assertThat(scan(EntryPrinter.ofKeys(Form.CSV, KeyFormat.TEXT)).out())
                .isEqualTo("key\r\na\r\n\"b,\"\"\"\r\nc\r\n");
    }

    @Test
    void shouldScanARangeInBothDirections() {
        write();
        EntryPrinter keys = EntryPrinter.ofKeys(Form.TEXT, KeyFormat.TEXT);
        assertThat(scan(KeyRange.from(ToolStore.bytes("b")), Direction.FORWARD, 1, keys)
                        .out())
                .isEqualTo("\"b,\\\"\"\n");
        assertThat(scan(KeyRange.below(ToolStore.bytes("c")), Direction.BACKWARD, 9, keys)
                        .out())
                .isEqualTo("\"b,\\\"\"\n\"a\"\n");
    }

    @Test
    void shouldReadOneMomentWhileItIsWritten() {
        try (StoreLogger store = ToolStore.open(storage)) {
            for (int i = 0; i < 50; i++) {
                put(store, "key-" + i, "before");
            }
            Run run = ToolLog.run(
                    storage, new StoreScanTool(KeyRange.all(), Direction.FORWARD, 60, text, new WritingPlace(store)));
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).hasLineCount(50).doesNotContain("after");
            assertThat(get("key-1", KeyFormat.TEXT, ValueStyle.RAW).out()).isEqualTo("after");
        }
    }

    /** Changes the store right after the view was made. */
    private record WritingPlace(StoreLogger store) implements StorePlace {

        @Override
        public Storage checkpoints(Storage log) {
            return log;
        }

        @Override
        public StoreView view(Storage log) {
            StoreView view = StorePlace.ONE.view(log);
            for (int i = 0; i < 50; i++) {
                put(store, "key-" + i, "after");
            }
            store.compact(Long.MAX_VALUE);
            return view;
        }
    }

    @Test
    void shouldSayWhichValueIsDamagedAndGoOn() {
        ToolStore.compacted(storage);
        ToolLog.flip(storage, 0, 500);
        Run run = scan(text);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines().toList())
                .hasSize(2)
                .satisfies(
                        lines -> assertThat(lines.get(0))
                                .startsWith("\"big\" damaged: ")
                                .contains("the value of a key is damaged"),
                        lines -> assertThat(lines.get(1)).startsWith("\"changing\" 1000 \"vvv"));
        assertThat(run.err()).isEqualTo("persist: memory: 1 value cannot be read\n");
        assertThat(scan(EntryPrinter.of(Form.JSON, KeyFormat.TEXT, PayloadStyle.BASE64))
                        .out())
                .startsWith("{\"key\":\"big\",\"damage\":\"corrupt log: ");
        assertThat(scan(EntryPrinter.of(Form.CSV, KeyFormat.TEXT, PayloadStyle.BASE64))
                        .out())
                .contains("\r\nbig,,,\"corrupt log: ");
        Run get = get("big", KeyFormat.TEXT, ValueStyle.RAW);
        assertThat(get.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(get.out()).isEmpty();
        assertThat(get.err()).contains("the value of a key is damaged").hasLineCount(1);
        assertThat(get("changing", KeyFormat.TEXT, ValueStyle.RAW).code()).isZero();
        assertThat(scan(EntryPrinter.ofKeys(Form.TEXT, KeyFormat.TEXT)).code()).isZero();
    }

    @Test
    void shouldTellOneKeyInTheSingular() {
        try (StoreLogger store = ToolStore.open(storage)) {
            put(store, "a", "one");
            store.checkpoint();
        }
        assertThat(stats(StoreStatsTool.Form.TEXT).out()).contains(" bytes, 1 key\n");
    }

    @Test
    void shouldShowTheNumbers() {
        ToolStore.compacted(storage);
        List<String> checkpoints = checkpoints();
        StoreView view = StorePlace.ONE.view(storage);
        try (view) {
            assertThat(stats(StoreStatsTool.Form.TEXT).out())
                    .startsWith("memory: its writer closed it\n  keys         2\n  live         ")
                    .contains(", and " + view.vacatedSegments() + " vacated\n")
                    .containsPattern("\n  checkpoint   " + checkpoints.get(1) + ", \\d+ s old, .* bytes, 2 keys\n")
                    .contains("\n  older one    " + checkpoints.get(0) + ", ")
                    .contains("\n  recovery     checkpoint " + checkpoints.get(1) + " with 2 keys, then ")
                    .doesNotContain("not used");
            assertThat(stats(StoreStatsTool.Form.JSON).out())
                    .startsWith("{\"log\":\"memory\",\"writer\":\"closed\",\"pid\":")
                    .contains(",\"keys\":2,\"liveBytes\":" + view.liveBytes() + ",\"spaceBytes\":" + view.spaceBytes())
                    .contains(",\"vacatedSegments\":" + view.vacatedSegments() + ",")
                    .contains("\"newestCheckpoint\":{\"file\":\"" + checkpoints.get(1))
                    .contains("\"olderCheckpoint\":{\"file\":\"" + checkpoints.get(0))
                    .contains("\"skipped\":[]},\"arcus\":{\"use_persistence\":\"on\"")
                    .hasLineCount(1);
            long bytes = view.recovery().checkpoint().bytes();
            assertThat(stats(StoreStatsTool.Form.ARCUS).out())
                    .startsWith("STAT use_persistence on\nSTAT data_path memory\nSTAT logs_path memory\n"
                            + "STAT async_logging true\nSTAT chkpt_interval_pct_snapshot ")
                    .contains("\nSTAT recovery_elapsed_time_sec 0.", "\nSTAT last_chkpt_failure_count 0\n")
                    .contains("\nSTAT last_chkpt_in_progress false\n")
                    .containsPattern("\nSTAT last_chkpt_start_time 20\\d{12}\n")
                    .contains("\nSTAT last_chkpt_snapshot_filesize_bytes " + bytes + "\n")
                    .endsWith("\nSTAT current_command_log_filesize_bytes "
                            + (view.snapshot().position()
                                    - view.recovery().checkpoint().position()) + "\nEND\n");
        }
    }

    @Test
    void shouldShowWhatWasNotUsed() {
        write();
        assertThat(stats(StoreStatsTool.Form.TEXT).out()).contains("\n  checkpoint   none\n  log since    ");
        ToolStore.compacted(storage);
        String newest = checkpoints().get(1);
        byte[] bytes = storage.content(newest);
        bytes[70] ^= 1;
        storage.replace(newest, bytes);
        assertThat(stats(StoreStatsTool.Form.TEXT).out())
                .contains("\n  checkpoint   " + checkpoints().get(0))
                .contains("\n  not used     " + newest + ": corrupt log: ");
        assertThat(stats(StoreStatsTool.Form.JSON).out()).contains("\"skipped\":[{\"file\":\"" + newest);
    }

    private List<String> checkpoints() {
        return storage.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .sorted()
                .toList();
    }

    @Test
    void shouldWriteACheckpoint() {
        write();
        Supplier<Run> checkpoint = () -> ToolLog.run(storage, StoreUpkeepTool.checkpointing(StorePlace.ONE));
        Run run = checkpoint.get();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("memory: wrote " + checkpoints().get(0) + " with 3 keys in ")
                .contains(" bytes, took ", " ms; opening took ")
                .hasLineCount(1);
        assertThat(checkpoint.get().out())
                .startsWith("memory: nothing new since " + checkpoints().get(0));
        assertThat(checkpoints()).hasSize(1);
        try (StoreLogger store = ToolStore.open(storage)) {
            assertThat(store.recovery().checkpoint().keys()).isEqualTo(3);
            Run locked = checkpoint.get();
            assertThat(locked.code()).isEqualTo(ExitCode.FAILURE);
            assertThat(locked.out()).isEmpty();
            assertThat(locked.err())
                    .startsWith("persist: log is open for writing elsewhere")
                    .hasLineCount(1);
        }
    }

    @Test
    void shouldCompact() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 40);
        }
        long before = storage.list().size();
        Run run = ToolLog.run(storage, StoreUpkeepTool.compacting(Long.MAX_VALUE, StorePlace.ONE));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("^memory: gave back \\d{5,} bytes of \\d+ segments, moved \\d+ bytes, space ratio ")
                .hasLineCount(1);
        assertThat(storage.list()).hasSizeLessThan((int) before);
        assertThat(get("changing", KeyFormat.TEXT, ValueStyle.RAW).out()).isEqualTo("v".repeat(1000));
    }

    @Test
    void shouldSayWhatKeepsASegmentThatIsLongerThanNewOnes() {
        StoreConfig longer = StoreConfig.builder(LogConfig.builder(Path.of("memory"))
                        .segmentLength(4 * ToolLog.SEGMENT_LENGTH)
                        .build())
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        try (StoreLogger store = StoreLogger.open(longer, storage, storage)) {
            put(store, "big", "b".repeat(ToolLog.SEGMENT_LENGTH));
            ToolStore.overwrite(store, 40);
        }
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 40);
        }
        Run run = ToolLog.run(storage, StoreUpkeepTool.compacting(Long.MAX_VALUE, StorePlace.ONE));
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains(", 1 segment kept by values too long for a new segment: replace or remove these, or open the"
                        + " store with the former segmentLength and call compact(), took ")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseWhatIsNoStore() {
        for (LogTool tool : List.of(
                new StoreGetTool("a", KeyFormat.TEXT, ValueStyle.RAW, StorePlace.ONE),
                StoreUpkeepTool.checkpointing(StorePlace.ONE))) {
            CrashableStorage empty = new CrashableStorage();
            assertThat(ToolLog.run(empty, tool).err()).contains("there is no log and no store");
            assertThat(empty.list()).isEmpty();
            CrashableStorage messages = new CrashableStorage();
            ToolLog.closed(messages, 10);
            assertThat(ToolLog.run(messages, tool))
                    .isEqualTo(new Run(
                            1,
                            "",
                            "persist: there is a log of messages and no store: directory=memory; name the directory of"
                                    + " a store\n"));
        }
    }

    @Test
    void shouldFindCheckpointsOfTheirOwnPlace() {
        CrashableStorage checkpoints = new CrashableStorage();
        try (StoreLogger store = StoreLogger.open(ToolStore.CONFIG, storage, checkpoints)) {
            put(store, "a", "one");
        }
        StorePlace place = log -> checkpoints;
        assertThat(ToolLog.run(storage, StoreUpkeepTool.checkpointing(place)).code())
                .isZero();
        assertThat(checkpoints()).isEmpty();
        assertThat(ToolLog.run(storage, new StoreStatsTool(StoreStatsTool.Form.TEXT, place))
                        .out())
                .contains("\n  checkpoint   checkpoint-");
        assertThat(stats(StoreStatsTool.Form.TEXT).out()).contains("\n  checkpoint   none\n");
    }
}
