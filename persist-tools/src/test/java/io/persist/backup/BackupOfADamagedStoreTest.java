package io.persist.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.backup.Backup.Taken;
import io.persist.command.Run;
import io.persist.error.LogIOException;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ExitCode;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.VerifyTool;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checkpoints that are damaged where opening does not look. */
class BackupOfADamagedStoreTest {

    private static final int KEYS = 500; // more than a leaf holds

    private final CrashableStorage source = new CrashableStorage();
    private final CrashableStorage place = new CrashableStorage();
    private final Backup backup = Backup.directory(place);

    private static void putAll(StoreLogger store) {
        for (int key = 0; key < KEYS; key++) {
            ToolStore.put(store, "key " + key, "value " + key);
        }
    }

    private static List<String> checkpoints(CrashableStorage storage) {
        return storage.list().stream()
                .filter(name -> CheckpointName.position(name).isPresent())
                .sorted()
                .toList();
    }

    /** Changes a byte of a node; the first one has the least keys, which opening may need. */
    private void damageANode(String file) {
        damageANode(source, file);
    }

    private static void damageANode(CrashableStorage storage, String file) {
        byte[] bytes = storage.content(file);
        bytes[(int) CheckpointDirectory.nodeOffset(1) + 100] ^= 1;
        storage.replace(file, bytes);
    }

    /** Has it say that there is one key more than its nodes have: all checksums are right. */
    private void forgeTheTree(String file) {
        byte[] bytes = source.content(file);
        int footerOffset = bytes.length - CheckpointFooter.LENGTH;
        long salt = header(file).salt();
        CheckpointFooter footer = CheckpointFooter.decode(
                Arrays.copyOfRange(bytes, footerOffset, bytes.length), file, bytes.length, salt);
        byte[] forged = new CheckpointFooter(
                        footer.nodes(),
                        footer.words(),
                        footer.segments(),
                        footer.root(),
                        footer.height(),
                        footer.idLimit(),
                        footer.keys() + 1,
                        footer.version(),
                        footer.directoryChecksum())
                .encode(salt);
        System.arraycopy(forged, 0, bytes, footerOffset, forged.length);
        source.replace(file, bytes);
    }

    private static Run verify(CrashableStorage storage) {
        return ToolLog.run(storage, new VerifyTool(Output.TEXT, base -> {}));
    }

    private void shouldRestoreAll() {
        CrashableStorage target = new CrashableStorage();
        backup.restore(target);
        Run verified = verify(target);
        assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.OK);
        try (StoreLogger store = ToolStore.open(target)) {
            for (int key = 0; key < KEYS; key++) {
                assertThat(store.getBytes(ToolStore.bytes("key " + key))).isEqualTo(ToolStore.bytes("value " + key));
            }
        }
    }

    @Test
    void shouldLeaveOutADamagedCheckpointIfAnotherOneIsWhole() {
        try (StoreLogger store = ToolStore.open(source)) {
            putAll(store);
            store.checkpoint();
            putAll(store);
            store.checkpoint(); // all of it has changed: a chain of its own
        }
        List<String> files = checkpoints(source);
        assertThat(files).hasSize(2);
        damageANode(files.get(1));
        Taken taken = backup.take(source, source);
        assertThat(taken.leftOut())
                .singleElement()
                .asString()
                .startsWith(files.get(1) + ": corrupt log: wrong checksum of node ");
        assertThat(checkpoints(place)).containsExactly(files.get(0));
        shouldRestoreAll();
    }

    @Test
    void shouldLeaveOutWhatBuildsOnADamagedCheckpoint() {
        try (StoreLogger store = ToolStore.open(source)) {
            putAll(store);
            store.checkpoint();
            ToolStore.put(store, "other", "value");
            store.checkpoint();
        }
        List<String> files = checkpoints(source);
        assertThat(header(files.get(1)).predecessor())
                .isEqualTo(CheckpointName.position(files.get(0)).orElseThrow());
        damageANode(files.get(0));
        assertThat(backup.take(source, source).leftOut())
                .hasSize(2)
                .last()
                .isEqualTo(files.get(1) + ": " + files.get(0) + ", on which it builds, is damaged or missing");
        assertThat(checkpoints(place)).isEmpty();
        shouldRestoreAll(); // the log has all
    }

    private CheckpointHeader header(String file) {
        return CheckpointHeader.decode(
                source.content(file), file, CheckpointName.position(file).orElseThrow());
    }

    /** A store with two checkpoints, the second of which builds on the first; returns their files. */
    private List<String> writeChain() {
        try (StoreLogger store = ToolStore.open(source)) {
            putAll(store);
            store.checkpoint();
            ToolStore.put(store, "key 0", "value 0");
            store.checkpoint();
        }
        List<String> files = checkpoints(source);
        assertThat(header(files.get(1)).isWhole()).isFalse();
        return files;
    }

    /** Each of its nodes is good for itself. */
    @Test
    void shouldLeaveOutACheckpointWhoseNodesAreNoTree() {
        List<String> files = writeChain();
        forgeTheTree(files.get(1));
        assertThat(backup.take(source, source).leftOut())
                .singleElement()
                .asString()
                .startsWith(files.get(1) + ": corrupt log: a tree of " + KEYS + " keys in place of " + (KEYS + 1));
        assertThat(checkpoints(place)).containsExactly(files.get(0));
        shouldRestoreAll();
    }

    /** A store whose log has lost its beginning to compaction; nothing of it is to be replayed. */
    private void writeCompacted() {
        try (StoreLogger store = ToolStore.open(source)) {
            ToolStore.overwrite(store, 40);
            putAll(store);
            store.compact(Long.MAX_VALUE);
            store.checkpoint();
        }
    }

    /** Compaction has overtaken the checkpoint before, and taken the log's beginning away. */
    @Test
    void shouldKeepTheGoodBackupIfNoCheckpointIsWhole() {
        writeCompacted();
        BackupManifest good = backup.take(source, source).manifest();
        checkpoints(source).forEach(this::damageANode);
        assertThat(verify(source).out())
                .contains("\n  recovery: from checkpoint-")
                .contains("\n  what can be done: leave the checkpoints that are named as damaged where they are, since"
                        + " the store would not open without them (");
        try (StoreLogger store = ToolStore.open(source)) {
            ToolStore.overwrite(store, 1);
        }
        assertThatThrownBy(() -> Backup.zip(place, "b.zip").take(source, source))
                .isInstanceOf(LogIOException.class)
                .hasMessageContaining("no checkpoint is left that is whole: checkpoint-")
                .hasMessageContaining("put good copies of them back, such as those of an earlier backup");
        assertThat(backup.verify()).isEqualTo(good);
        assertThat(place.list()).noneMatch(name -> name.endsWith(".tmp") || name.endsWith(".zip"));
        shouldRestoreAll();
    }

    /** It has good copies, and the log goes on. */
    @Test
    void shouldGoOnWithItsCopiesOfCheckpointsThatAreDamagedSince() {
        writeCompacted();
        BackupManifest before = backup.take(source, source).manifest();
        try (StoreLogger store = ToolStore.open(source)) {
            ToolStore.overwrite(store, 1);
        }
        checkpoints(source).forEach(this::damageANode);
        Taken taken = backup.take(source, source);
        assertThat(taken.leftOut()).isEmpty();
        assertThat(taken.manifest().endPosition()).isGreaterThan(before.endPosition());
        assertThat(backup.verify()).isEqualTo(taken.manifest());
        shouldRestoreAll();
    }

    /** A checkpoint that comes later builds on it, and is good. */
    @Test
    void shouldMakeItsCopyOfACheckpointAnewWhereItIsNeededAndHasGoneBad() {
        try (StoreLogger store = ToolStore.open(source)) {
            putAll(store);
            store.checkpoint();
            backup.take(source, source);
            ToolStore.put(store, "key 0", "value 0");
            store.checkpoint();
        }
        List<String> files = checkpoints(source);
        assertThat(header(files.get(1)).isWhole()).isFalse();
        damageANode(place, files.get(0));
        Taken taken = backup.take(source, source);
        assertThat(taken.leftOut()).isEmpty();
        assertThat(checkpoints(place)).isEqualTo(files);
        assertThat(place.content(files.get(0))).isEqualTo(source.content(files.get(0)));
        assertThat(backup.verify()).isEqualTo(taken.manifest());
        shouldRestoreAll();
    }

    /** The store would not open without it, so that the run finds it out. */
    @Test
    void shouldMakeItsOnlyCheckpointAnewWhereItHasGoneBad() {
        writeCompacted();
        backup.take(source, source);
        for (String file : checkpoints(place)) {
            byte[] bytes = place.content(file);
            Arrays.fill(bytes, CheckpointHeader.LENGTH, bytes.length - CheckpointFooter.LENGTH, (byte) 7);
            place.replace(file, bytes);
        }
        try (StoreLogger store = ToolStore.open(source)) {
            ToolStore.overwrite(store, 1);
        }
        BackupManifest taken = backup.take(source, source).manifest();
        assertThat(backup.verify()).isEqualTo(taken);
        shouldRestoreAll();
    }

    /** One that no other one builds on any more was not looked at as a tree. */
    @Test
    void shouldLookAtTheTreeOfACopyOnWhichNoneBuildsAnyMore() {
        List<String> files = writeChain();
        forgeTheTree(files.get(0));
        assertThat(backup.take(source, source).leftOut()).isEmpty();
        source.replace(files.get(1), new byte[100]);
        assertThat(backup.take(source, source).leftOut())
                .anyMatch(line -> line.startsWith(files.get(0) + ": corrupt log: a tree of "));
        shouldRestoreAll();
    }
}
