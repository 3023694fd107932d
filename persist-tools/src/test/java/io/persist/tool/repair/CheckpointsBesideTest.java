package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.CorruptLogException;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.StorePlace;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.store.StoreUpkeepTool;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store has a directory for its checkpoints, and those that fit its log lie beside the log. */
class CheckpointsBesideTest {

    private static final String MOVE = "mv memory/checkpoint-*.chk memory";

    private final CrashableStorage storage = new CrashableStorage();
    private final CrashableStorage own = new CrashableStorage();
    private String said = "";

    @BeforeEach
    void compactWithoutTheirDirectory() {
        try (StoreLogger store = open()) {
            ToolStore.put(store, "big", "b".repeat(3900));
            store.checkpoint();
            ToolStore.overwrite(store, 40);
        }
        Run run = ToolLog.run(storage, StoreUpkeepTool.compacting(Long.MAX_VALUE, StorePlace.ONE));
        assertThat(run.code()).as(run.err()).isZero();
        said = run.err();
    }

    @AfterEach
    void shouldLeaveNothingOpen() {
        assertThat(storage.openHandles()).isZero();
        assertThat(own.openHandles()).isZero();
    }

    private StoreLogger open() {
        return StoreLogger.open(ToolStore.CONFIG, storage, own);
    }

    private Run verify() {
        return ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}, log -> own));
    }

    private static List<String> checkpoints(CrashableStorage storage) {
        return storage.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .toList();
    }

    private void move() throws Exception {
        for (String name : checkpoints(storage)) {
            own.replace(name, storage.content(name));
            storage.delete(name);
        }
    }

    @Test
    void shouldBeSaidByTheCommandThatWritesThemThere() {
        assertThat(said)
                .contains("no checkpoint was found in memory; if the store has a directory for them, name it with")
                .contains("mv memory/checkpoint-*.chk DIRECTORY");
        Run again = ToolLog.run(storage, StoreUpkeepTool.checkpointing(StorePlace.ONE));
        assertThat(again.err()).doesNotContain("no checkpoint was found");
    }

    @Test
    void shouldBeSaidByWhoRefusesTheStore() throws Exception {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("no checkpoint of the store can be used, and the log's beginning is gone")
                .withMessageEndingWith("; the directory of the log has what is missing here: " + MOVE);
        Map<String, Long> before = ToolLog.hashes(storage);
        String advice = "what can be done: nothing is lost, the directory of the log has the checkpoints that are"
                + " missing: " + MOVE + " (the store opens then from "
                + checkpoints(storage).stream()
                        .sorted()
                        .toList()
                        .get(checkpoints(storage).size() - 1);
        Run verify = verify();
        assertThat(verify.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(verify.out()).contains(advice);
        Run repair = ToolLog.run(storage, new RepairTool(Effect.APPLY, log -> own));
        assertThat(repair.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(repair.out()).contains(advice);
        assertThat(ToolLog.hashes(storage)).isEqualTo(before);
        move();
        try (StoreLogger store = open()) {
            assertThat(store.size()).isEqualTo(2);
        }
        assertThat(verify().out()).startsWith("memory: clean\n").doesNotContain("refused");
    }

    /** As long as nobody knows a way, none is promised. */
    @Test
    void shouldNotBeSaidOfThoseThatAreOfNoUse() {
        for (String name : checkpoints(storage)) {
            byte[] bytes = storage.content(name);
            bytes[bytes.length / 2] ^= 1;
            bytes[5] ^= 1;
            storage.replace(name, bytes);
        }
        assertThat(verify().out()).contains("restore a backup of the store").doesNotContain(MOVE);
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageEndingWith("restore a checkpoint of this log");
    }
}
