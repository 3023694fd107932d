package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.StoreView;
import io.persist.error.CorruptLogException;
import io.persist.error.RetiredException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.segment.LogFiles;
import io.persist.store.checkpoint.CheckpointFile;
import io.persist.store.checkpoint.CheckpointFile.Depth;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.ToolStore;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store whose writer takes away what is just being read is not called damaged. */
class OvertakenStoreTest {

    /** Changes the storage before a file is opened, as a writer would. */
    private interface Writer {
        void beforeOpening(String name) throws IOException;
    }

    private record Written(Storage storage, Writer writer) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            writer.beforeOpening(name);
            return storage.open(name, access);
        }
    }

    private final CrashableStorage storage = new CrashableStorage();

    private static boolean isOvertaken(Storage log, List<CheckpointFile> files, long end) throws IOException {
        CheckpointCheck check = new CheckpointCheck(log, files, end);
        assertThat(check.isGood()).isFalse();
        return check.isOvertaken(log);
    }

    @Test
    void shouldLookAgainIfTheLogIsTakenAwayBehindACheckpointMeanwhile() throws IOException {
        try (StoreLogger store = ToolStore.open(storage)) {
            ToolStore.overwrite(store, 10);
            store.checkpoint();
            ToolStore.overwrite(store, 10);
        }
        List<CheckpointFile> files = CheckpointFile.list(storage, Depth.WHOLE);
        long position = files.get(0).position();
        String last = LogFileName.segment(LogFiles.basePositions(storage).last());
        boolean[] isListed = {false}; // the headers are read up to that of the last segment
        Storage log = new Written(storage, name -> {
            if (!isListed[0]) {
                isListed[0] = name.equals(last);
                return;
            }
            for (long base : LogFiles.basePositions(storage).headSet(position, true)) {
                storage.delete(LogFileName.segment(base));
            }
        });
        assertThat(new CheckpointCheck(storage, files, Long.MAX_VALUE).isGood()).isTrue();
        assertThat(isOvertaken(log, files, Long.MAX_VALUE)).isTrue();
        assertThat(isOvertaken(storage, files, Long.MAX_VALUE)).isFalse(); // it is too old for what is left
    }

    /** Of each checkpoint that is opened another one is there by then, and none can be used. */
    @Test
    void shouldNotSayThatAStoreIsDamagedWhichChangesAllTheTime() {
        ToolStore.compacted(storage);
        Storage changing = new Written(
                storage,
                name -> CheckpointName.position(name).ifPresent(at -> {
                    storage.replace(name, new byte[1]);
                    storage.replace(CheckpointName.of(at + 8), new byte[1]);
                }));
        assertThatExceptionOfType(RetiredException.class)
                .isThrownBy(() -> StoreView.open(changing, changing).close())
                .withMessageContainingAll("5 times in a row", "directory=memory; try again", "beginning is gone");
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> StoreView.open(storage, storage).close());
    }
}
