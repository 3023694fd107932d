package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.Effect;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of what is said about recovery, opening the store is the judge. */
class VerifyStoreTest {

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void writeTwoCheckpoints() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "a", "one");
            store.checkpoint();
            ToolStore.put(store, "b", "two");
            store.checkpoint();
            ToolStore.put(store, "c", "three");
        }
    }

    private Run verify() {
        return ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
    }

    private String json() {
        return ToolLog.run(storage, new VerifyTool(Output.JSON, base -> {})).out();
    }

    private List<String> checkpoints() {
        return storage.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .sorted()
                .toList();
    }

    private void damage(String file) {
        byte[] bytes = storage.content(file);
        bytes[CheckpointHeader.LENGTH + 5] ^= 1;
        storage.replace(file, bytes);
    }

    private void replaceHeader(String file, long logId, int sequenceOffset) {
        byte[] bytes = storage.content(file);
        long position = CheckpointName.position(file).orElseThrow();
        CheckpointHeader old = CheckpointHeader.decode(bytes, file, position);
        byte[] header = new CheckpointHeader(
                        logId == 0 ? old.logId() : logId,
                        position,
                        old.sequence() + sequenceOffset,
                        old.salt(),
                        old.createdAtMs(),
                        old.predecessor(),
                        old.predecessorSalt())
                .encode();
        System.arraycopy(header, 0, bytes, 0, header.length);
        storage.replace(file, bytes);
    }

    private void assertRecoveryBeginsWith(String file, int keys) {
        assertThat(json()).contains(",\"recoveryCheckpoint\":\"" + file + "\",\"refusal\":\"\",\"remedy\":\"");
        try (StoreLogger store = ToolStore.open(storage)) {
            assertThat(store.recovery().checkpoint().file()).isEqualTo(file);
            assertThat(store.size()).isEqualTo(keys);
        }
    }

    private void assertRefused(String why) {
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .containsPattern(
                        "\n  recovery: refused, .*" + why + ".*\n  what can be done: repair does not help; .+\n$")
                .startsWith("memory: the store does not open, though every record is good\n");
        assertThat(json())
                .contains(",\"recoveryCheckpoint\":\"\",\"refusal\":\"")
                .contains(why);
        assertThatExceptionOfType(PersistException.class)
                .isThrownBy(() -> ToolStore.open(storage))
                .withMessageContaining(why);
    }

    @Test
    void shouldFindCheckpointsGood() {
        List<String> files = checkpoints();
        Run run = verify();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("memory: clean\n")
                .containsPattern("  " + files.get(1) + ": good, 2 keys, \\d+ bytes, begun at 20.*Z\n  " + files.get(0)
                        + ": good, 1 key, \\d+ bytes, begun at ")
                .endsWith("\n  recovery: from " + files.get(1) + " and the log after it\n");
        assertThat(json())
                .contains("\"vacatedSegments\":0,\"unreadable\":[],\"checkpoints\":[{\"file\":\"" + files.get(1)
                        + "\",\"position\":")
                .contains("\"fit\":\"good\",\"why\":\"\"}");
        assertRecoveryBeginsWith(files.get(1), 3);
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldSayThatTheOlderOneWouldBeUsed() {
        List<String> files = checkpoints();
        damage(files.get(1));
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains("\n  " + files.get(1) + ": damaged: corrupt log: ")
                .contains("\n  recovery: from " + files.get(0) + " and the log after it\n  what can be done: the store"
                        + " opens without the checkpoints that are not good; opening it sets those aside")
                .doesNotContain("run verify");
        assertThat(json()).contains("\"fit\":\"damaged\"");
        assertRecoveryBeginsWith(files.get(0), 3);
        assertThat(checkpoints()).containsExactly(files.get(0));
        assertThat(verify().code()).isZero();
    }

    /** Opening does not look at a node that it does not need; verify does. */
    @Test
    void shouldFindADamagedNode() throws IOException {
        try (StoreLogger store = ToolStore.open(storage)) {
            for (int key = 1000; key < 1500; key++) {
                ToolStore.put(store, "key " + key, "value"); // more than a leaf holds
            }
            store.checkpoint(); // so that nothing is to be replayed
        }
        List<String> files = checkpoints();
        String newest = files.get(files.size() - 1);
        byte[] bytes = storage.content(newest);
        int second = (int) CheckpointDirectory.nodeOffset(1); // the first one is the first leaf, which opening reads
        bytes[second + 100] ^= 1;
        storage.replace(newest, bytes);
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .contains(
                        "\n  " + newest + ": damaged where opening does not look: corrupt log: wrong checksum of node ")
                .contains("\n  recovery: from " + newest + " and the log after it\n")
                .contains(
                        "\n  what can be done: close the store and move the checkpoints that are named as damaged away");
        assertThat(json()).containsPattern("\"nodeFault\":\"corrupt log: .*\",\"createdAtMs\".*\"fit\":\"good\"");
        storage.delete(newest);
        try (StoreLogger store = ToolStore.open(storage)) {
            assertThat(store.size()).isEqualTo(503);
            assertThat(store.recovery().checkpoint().file()).isEqualTo(files.get(files.size() - 2));
        }
        assertThat(verify().code()).isZero();
    }

    @Test
    void shouldSayThatTheLogAloneWouldBeUsed() {
        checkpoints().forEach(this::damage);
        assertThat(verify().out()).contains("\n  recovery: from the log alone\n  what can be done: the store opens");
        assertRecoveryBeginsWith("", 3);
    }

    @Test
    void shouldTellACheckpointOfAnotherLog() {
        replaceHeader(checkpoints().get(1), 4711, 0);
        assertThat(json()).contains("\"fit\":\"other\"");
        assertRefused("belongs to another log");
    }

    @Test
    void shouldTellACheckpointThatTheLogDoesNotGoOnFrom() {
        replaceHeader(checkpoints().get(1), 0, 1);
        assertThat(json()).contains("\"fit\":\"unfit\"");
        assertRefused("3 in place of 4");
    }

    @Test
    void shouldTellACheckpointBehindTheEnd() throws IOException {
        String newest = checkpoints().get(1);
        long position = CheckpointName.position(newest).orElseThrow() + 4096;
        CheckpointHeader old = CheckpointHeader.decode(storage.content(newest), newest, position - 4096);
        byte[] bytes = storage.content(newest);
        byte[] header = new CheckpointHeader(
                        old.logId(),
                        position,
                        old.sequence(),
                        old.salt(),
                        old.createdAtMs(),
                        old.predecessor(),
                        old.predecessorSalt())
                .encode();
        System.arraycopy(header, 0, bytes, 0, header.length);
        storage.replace(newest, bytes);
        storage.rename(newest, CheckpointName.of(position));
        assertThat(json()).contains("\"fit\":\"beyond\"");
        assertThat(verify().code()).isEqualTo(ExitCode.FAILURE);
        assertRecoveryBeginsWith(checkpoints().get(0), 3);
    }

    @Test
    void shouldTellThatACompactedLogNeedsACheckpoint() {
        ToolStore.compacted(storage);
        assertThat(verify().code()).isZero();
        checkpoints().forEach(this::damage);
        assertRefused("beginning is gone");
    }

    /** Nothing is wrong with it. */
    @Test
    void shouldSayThatTheCheckpointsMayBeElsewhere() throws IOException {
        ToolStore.compacted(storage);
        CrashableStorage elsewhere = new CrashableStorage();
        for (String file : checkpoints()) {
            elsewhere.replace(file, storage.content(file));
            storage.delete(file);
        }
        String advice = "name the directory of the store's checkpoints with --checkpoints if it is not this one; else"
                + " repair does not help; put good copies back";
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).contains("\n  what can be done: " + advice);
        assertThat(ToolLog.run(storage, new RepairTool(Effect.APPLY)).out()).contains(advice);
        Run named = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}, log -> elsewhere));
        assertThat(named.code()).as(named.out()).isZero();

        String damaged = LogFileName.segment(ToolLog.SEGMENT_LENGTH);
        byte[] bytes = storage.content(damaged);
        bytes[SegmentHeader.LENGTH + 1] ^= 1;
        storage.replace(damaged, bytes);
        assertThat(verify().out()).contains("what can be done: name the directory of the store's checkpoints");
    }

    @Test
    void shouldTellACheckpointThatCompactionHasOvertaken() {
        String oldest = checkpoints().get(0);
        byte[] bytes = storage.content(oldest);
        ToolStore.compacted(storage);
        storage.replace(oldest, Arrays.copyOf(bytes, bytes.length));
        assertThat(json())
                .contains("\"fit\":\"old\",\"why\":\"it is too old: compaction has taken records after it, before ");
        assertThat(verify().code()).isEqualTo(ExitCode.FAILURE);
        assertRecoveryBeginsWith(checkpoints().get(2), 5);
    }

    /** Compaction goes up to the end of a chain, and so past the checkpoints at its beginning. */
    @Test
    void shouldFindAnOldCheckpointGoodThatALaterOneBuildsOn() {
        try (StoreLogger store = ToolStore.open(storage)) {
            for (int key = 1000; key < 3000; key++) {
                ToolStore.put(store, "key " + key, "value"); // many leaves, so that not all of them change
            }
            store.checkpoint();
            ToolStore.overwrite(store, 40);
            store.compact(Long.MAX_VALUE); // which writes one that builds on it, then one with all nodes
        }
        String oldest = checkpoints().get(0);
        assertThat(json()).containsPattern("\\{\"file\":\"" + oldest + "\",[^}]*\"fit\":\"old\"");
        Run run = verify();
        assertThat(run.out()).contains("\n  " + oldest + ": good, but only for the later ones that build on it, ");
        assertThat(run.code()).isZero();
        damage(oldest);
        assertThat(verify().code()).isEqualTo(ExitCode.FAILURE);
    }

    /** Compaction has taken records from the middle of the log, whose first segment is full of what lives. */
    @Test
    void shouldTellACheckpointBeforeAVacatedSegment() throws IOException {
        for (String name : List.copyOf(storage.list())) {
            storage.delete(name);
        }
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.put(store, "big", "b".repeat(3900));
            store.checkpoint();
        }
        String first = checkpoints().get(0);
        byte[] bytes = storage.content(first);
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 40);
            store.compact(Long.MAX_VALUE);
        }
        assertThat(storage.list()).as("the log's beginning is there").contains("00000000000000000000.log");
        storage.replace(first, bytes);
        assertThat(json())
                .containsPattern("\"vacatedSegments\":[1-9]")
                .contains("\"fit\":\"old\",\"why\":\"it is too old: compaction has taken records after it, before ");
        assertThat(verify().code()).isEqualTo(ExitCode.FAILURE);
        assertRecoveryBeginsWith(checkpoints().get(2), 2);
        for (String other : List.of(checkpoints().get(1), checkpoints().get(2))) {
            storage.delete(other);
        }
        assertRefused("no checkpoint of the store can be used");
    }

    /** The writer replaces both checkpoints and compacts while the log is looked at. */
    @Test
    void shouldNotTakeAFastWriterForDamage() {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 40);
            List<String> before = checkpoints();
            boolean[] done = new boolean[1];
            Run run = ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {
                if (!done[0]) {
                    done[0] = true;
                    store.compact(Long.MAX_VALUE);
                }
            }));
            assertThat(run.code()).as(run.out()).isZero();
            assertThat(checkpoints()).doesNotContainAnyElementsOf(before).hasSize(2);
            assertThat(run.out()).endsWith("\n  recovery: from " + checkpoints().get(1) + " and the log after it\n");
        }
    }

    /** Opening does not read what lies before the checkpoint. */
    @Test
    void shouldTellDamageInAValueFromALogThatIsRefused() {
        ToolLog.flip(storage, 64, 40);
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("memory: damaged at ")
                .contains("\n  recovery: from " + checkpoints().get(1) + " and the log after it\n")
                .contains("\n  what can be done: nothing needs repair: get refuses a value that is damaged; ")
                .doesNotContain("does not fit");
        ToolStore.open(storage).close();
    }

    @Test
    void shouldTellThatADamagedLogIsRefusedAndThatACutHelps() {
        ToolLog.flip(storage, 192, 40);
        Run run = verify();
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out())
                .startsWith("memory: damaged at position 192, ")
                .containsPattern(
                        "\n  recovery: refused, corrupt log: .*row F.*\n  what can be done: repair cuts the log .*"
                                + checkpoints().get(1));
    }
}
