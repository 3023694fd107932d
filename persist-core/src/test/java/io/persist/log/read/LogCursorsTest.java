package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A look at cursors that are at the end of the log, as those of readers are that are up to date. */
class LogCursorsTest {

    private static final String NAME = "billing";

    private final CrashableStorage storage = new CrashableStorage();

    /** Makes a log and the cursor; returns the position where the last segment begins. */
    private long write() {
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
                Tailer tailer = log.tailer(NAME)) {
            Records.appendUntilRolled(log, 2);
            Records.append(log, 5);
            log.commit(Durability.SYNCED);
            tailer.toEnd();
            tailer.store();
            return log.position() / WriterKind.SEGMENT_LENGTH * WriterKind.SEGMENT_LENGTH;
        }
    }

    /** Tells whether somebody else could have the lock of all cursors each time that a segment is opened. */
    private record Watched(Storage storage, List<Boolean> isLockFree) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            if (LogFileName.basePosition(name).isPresent()) {
                try (WriterLock lock = storage.tryLock(LogFileName.CURSORS_LOCK)) {
                    isLockFree.add(lock != null);
                }
            }
            return storage.open(name, access);
        }
    }

    @Test
    void shouldReadNothingOfTheLogWhileOthersWaitForTheLock() {
        write();
        List<Boolean> isLockFree = new ArrayList<>();
        LogCursors cursors = new LogCursors(new Watched(storage, isLockFree));
        assertThat(cursors.list())
                .singleElement()
                .satisfies(cursor -> assertThat(cursor.refused()).isNull());
        assertThat(isLockFree).isNotEmpty().doesNotContain(false);
    }

    @Test
    void shouldSayWhatAnOpeningSaysBehindDamage() {
        String segment = LogFileName.segment(write());
        Log.open(WriterKind.MAPPED.config().build(), storage).close(); // which notes where the last record is
        byte[] bytes = storage.content(segment);
        bytes[SegmentHeader.LENGTH + Frame.HEADER_LENGTH] ^= 1;
        storage.replace(segment, bytes);
        LogCursors cursors = new LogCursors(storage);
        assertThat(cursors.list())
                .singleElement()
                .satisfies(cursor -> assertThat(cursor.refused()).isNull());
        assertThat(cursors.refused()).isEmpty();
        try (Tailer tailer = Tailer.open(storage, NAME, TailerConfig.defaults())) {
            assertThat(tailer.next()).isFalse();
        }
    }

    /** As a log is that was restored, and is looked at by somebody who may not leave a file of his own. */
    @Test
    void shouldLeaveNoFileBehindForANameThatIsNotThere() throws IOException {
        write();
        storage.delete(LogFileName.CURSORS_LOCK);
        List<String> before = storage.list();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LogCursors(storage).remove("biling"))
                .withMessageContaining(NAME);
        assertThat(storage.list()).isEqualTo(before);
    }
}
