package io.persist.tool.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.StoreFigure;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The store is open meanwhile, and the tool has neither its lock nor its memory. */
class ArcusStatsToolTest {

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
    }

    private Run arcus(StorePlace place) {
        return ToolLog.run(storage, new ArcusStatsTool(place));
    }

    /** What the store says, with the directories as the tool sees them. */
    private static String expected(StoreLogger store, String dataPath) {
        Map<String, String> stats = ArcusStats.of(store);
        return stats.entrySet().stream()
                .filter(stat -> !stat.getKey().equals("data_path") || !dataPath.isEmpty())
                .map(stat -> "STAT " + stat.getKey() + " "
                        + switch (stat.getKey()) {
                            case "data_path" -> dataPath;
                            case "logs_path" -> "memory";
                            default -> stat.getValue();
                        })
                .collect(Collectors.joining("\n", "", "\nEND\n"));
    }

    @Test
    void shouldPrintWhatAStoreThatIsOpenSays() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "a", "one");
            assertThat(arcus(StorePlace.ONE)).isEqualTo(new Run(0, expected(store, ""), ""));
            store.checkpoint();
            ToolStore.put(store, "a", "two");
            store.tune(store.tuning().withCheckpointMinLogBytes(17 << 20));
            assertThat(expected(store, "memory")).contains("STAT chkpt_interval_min_logsize 17\n");
            assertThat(arcus(StorePlace.ONE)).isEqualTo(new Run(0, expected(store, "memory"), ""));
        }
    }

    @Test
    void shouldTakeTheDirectoryOfTheCheckpoints() {
        CrashableStorage checkpoints = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(storage)) {
            assertThat(arcus(log -> checkpoints).out()).contains("\nSTAT data_path memory\n");
            assertThat(store.size()).isZero();
        }
    }

    @Test
    void shouldBeInTheOtherFormsToo() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "a", "one");
            String bytes = Long.toString(store.position());
            assertThat(ToolLog.run(storage, StatsTool.once(Output.TEXT)).out())
                    .contains("\n  the store, in the words of ARCUS\n  use_persistence                     on\n")
                    .endsWith("\n  current_command_log_filesize_bytes  " + bytes + "\n");
            assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                    .contains(
                            ",\"arcus\":{\"use_persistence\":\"on\",\"logs_path\":\"memory\",\"async_logging\":\"true\"");
        }
    }

    /** Of a writer that was killed in the middle of a checkpoint: nobody writes it any more. */
    @Test
    void shouldShowNoCheckpointOfAStoreThatHasEnded() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "a", "one");
            beginCheckpoint();
            assertThat(arcus(StorePlace.ONE).out()).contains("STAT last_chkpt_in_progress true\n");
        }
        beginCheckpoint();
        assertThat(arcus(StorePlace.ONE).out()).contains("STAT last_chkpt_in_progress false\n");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out())
                .contains(",\"last_chkpt_in_progress\":\"false\",");
    }

    /** Stores what a writer stores when one begins. */
    private void beginCheckpoint() {
        byte[] control = storage.content(LogFileName.CONTROL);
        ByteBuffer bytes = ByteBuffer.allocateDirect(control.length).put(0, control);
        new CounterBlock(bytes).set(StoreFigure.CHECKPOINT_IN_PROGRESS, 1);
        bytes.get(0, control);
        storage.replace(LogFileName.CONTROL, control);
    }

    @Test
    void shouldSayThatThereIsNoStore() {
        ToolLog.closed(storage, 3);
        Run run = arcus(StorePlace.ONE);
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("no store says anything of itself here: directory=memory; name the directory");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.TEXT)).out()).doesNotContain("ARCUS");
        assertThat(ToolLog.run(storage, StatsTool.once(Output.JSON)).out()).doesNotContain("arcus");
    }
}
