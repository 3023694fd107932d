package io.persist.log.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.LogIOException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogContent;
import io.persist.log.RecoveryReport.Left;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.log.segment.LogFiles;
import io.persist.support.CopiedFiles;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A segment of another log has got into the directory, most of all behind the end of this log, where nothing of this
 * one is. Its numbers are higher, and it says of higher positions that they are synced.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class SegmentOfAnotherLogTest extends LeftLogFixture {

    /** Behind what this log has prepared. */
    private static final int AHEAD = 5;

    private String name;

    @BeforeEach
    void chooseName() {
        name = LogFileName.segment(tailBase + AHEAD * LENGTH);
    }

    private void putAnother(LogContent content) {
        storage.replace(name, another(content));
    }

    private byte[] another(LogContent content) {
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), content, other)) {
            while (log.position() < tailBase + (AHEAD + 1) * LENGTH) {
                Records.append(log);
                log.commit(Durability.SYNCED);
            }
            assertThat(log.lastSequence()).isGreaterThan(last);
        }
        return other.content(name);
    }

    private LogInspector.Inspection inspect(LogScan.Start start) {
        return new LogInspector(storage).inspect(start);
    }

    private void checkFound() {
        for (LogScan.Start start : LogScan.Start.values()) {
            LogInspector.Inspection found = inspect(start);
            assertThat(found.findings().row().label()).isEqualTo("A");
            assertThat(found.findings().lastSequence()).isEqualTo(last);
            assertThat(found.findings().proof().acknowledged())
                    .isEqualTo(found.findings().tail());
            assertThat(found.trailing()).isEqualTo(TrailingData.NONE);
        }
        try (Tailer tailer = tailer()) {
            assertThat(Records.readAll(tailer)).isEqualTo(last);
            checkSearches(tailer);
        }
        assertThat(new LogRepair(storage).repair().setAside()).isEmpty();
    }

    private void checkSearches(Tailer tailer) {
        for (long count : new long[] {1, 2, last / 2, last}) {
            tailer.toLast(count);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(last - count + 1);
        }
        tailer.toFirst(record -> false);
        assertThat(tailer.next()).isFalse();
        tailer.toSequence(last);
        assertThat(tailer.next()).isTrue();
    }

    private void checkOpened(byte[] another) {
        try (Log log = open()) {
            assertThat(log.recovery().start()).isEqualTo(closed ? Left.CLOSED : Left.KILLED);
            assertThat(log.lastSequence()).isEqualTo(last);
            assertThat(log.recovery().cut().bytes()).isZero();
            assertThat(log.recovery().cut().setAside()).hasSize(1);
            String aside = log.recovery().cut().setAside().get(0);
            assertThat(aside).startsWith(name);
            assertThat(storage.content(aside)).isEqualTo(another);
        }
    }

    @ParameterizedTest
    @EnumSource(LogContent.class)
    void shouldBeLeftOutAndSetAside(LogContent content) {
        putAnother(content);
        byte[] another = storage.content(name);
        checkFound();
        checkOpened(another);
    }

    /** What another logger writes is refused by the log's own segments, whatever the newest file is. */
    @Test
    void shouldNotStandForTheContentOfTheLog() {
        putAnother(LogContent.TRANSACTIONS);
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(() -> Log.open(WriterKind.MAPPED.config().build(), LogContent.TRANSACTIONS, storage))
                .withMessageContaining("the log holds messages");
    }

    /** In place of what was prepared it leaves no way to what is behind it. */
    @Test
    void shouldBeSetAsideInPlaceOfAPreparedSegment() {
        name = LogFileName.segment(tailBase + LENGTH);
        byte[] another = another(LogContent.MESSAGES);
        storage.replace(name, another);
        checkFound();
        checkOpened(another);
    }

    @Test
    void shouldNotBeCountedBehindATornEnd() {
        putAnother(LogContent.MESSAGES);
        LogScan.Start start = LogScan.Start.BEGINNING;
        long tail = inspect(start).findings().tail();
        LeftLog.change(storage, LogFileName.segment(tailBase), (int) (tail - tailBase) + 40, 1);
        assertThat(inspect(start).findings().row().label()).isEqualTo("B");
        assertThat(inspect(start).trailing()).isEqualTo(new TrailingData(41, 0, 0, 0));
    }

    /** Both have records, and nothing tells which is the log's. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeNamedIfNothingTellsWhichLogItIs(boolean isNewest) throws IOException {
        name = isNewest ? name : LogFileName.segment(0); // which ends, and this log does not go on there
        storage.replace(name, isNewest ? another(LogContent.MESSAGES) : three().content(name));
        storage.delete(LogFileName.CONTROL);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        for (LogScan.Start start : LogScan.Start.values()) {
            assertNamed(() -> inspect(start));
        }
        assertNamed(this::open);
        assertNamed(() -> new LogRepair(storage).repair());
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
    }

    /** It ends where this log's first segment begins: retention has taken what this log had there. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeNamedInFrontOfTheLog(boolean isCutShort) throws IOException {
        name = LogFileName.segment(tailBase - LENGTH);
        byte[] another = another(LogContent.MESSAGES);
        for (long base = 0; base < tailBase; base += LENGTH) {
            storage.delete(LogFileName.segment(base));
        }
        Map<String, ByteBuffer> whole = CopiedFiles.contents(storage);
        if (isCutShort) { // each header still says which log it is
            for (long base : LogFiles.basePositions(storage)) {
                String own = LogFileName.segment(base);
                storage.replace(own, Arrays.copyOf(storage.content(own), LENGTH / 2));
            }
        }
        storage.replace(name, another);
        Map<String, ByteBuffer> before = CopiedFiles.contents(storage);
        for (LogScan.Start start : LogScan.Start.values()) {
            assertNamed(() -> inspect(start));
        }
        assertNamed(this::open);
        assertNamed(() -> new LogRepair(storage).repair());
        assertThat(CopiedFiles.contents(storage)).isEqualTo(before);
        storage.delete(name);
        whole.forEach((file, bytes) -> storage.replace(file, bytes.array()));
        assertThat(inspect(LogScan.Start.BEGINNING).findings().lastSequence()).isEqualTo(last);
    }

    /** The device's errors are no reason to say that files are damaged. */
    @Test
    void shouldNotStandForALogWhoseHeadersCannotBeRead() {
        putAnother(LogContent.MESSAGES);
        Storage failing = new ForwardingStorage() {
            private final Set<String> failed = new HashSet<>();

            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public StorageFile open(String opened, Access access) throws IOException {
                boolean isOwn = LogFileName.basePosition(opened).isPresent() && !opened.equals(name);
                if (isOwn && failed.add(opened)) {
                    throw new IOException("Input/output error");
                }
                return storage.open(opened, access);
            }
        };
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(() -> Log.open(WriterKind.MAPPED.config().build(), failing))
                .withMessageContaining("Input/output error");
        checkOpened(storage.content(name));
    }

    /** Opening does not look there, nor does a reader that begins behind it. */
    @Test
    void shouldNotStandForTheLogThatBeginsBehindIt() throws IOException {
        long logId = logId();
        storage.delete(LogFileName.segment(LENGTH));
        name = LogFileName.segment(0);
        storage.replace(name, three().content(name));
        assertThat(logId()).isEqualTo(logId);
        try (Tailer tailer = tailer()) {
            assertNamed(tailer::next);
            tailer.toLast(1);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(last);
            tailer.toEnd();
            assertThat(tailer.next()).isFalse();
        }
        Log log = open();
        try (log) {
            assertThat(log.logId()).isEqualTo(logId);
        }
        assertThat(storage.list()).contains(name);
    }

    private long logId() {
        try (Tailer tailer = tailer()) {
            return tailer.logId();
        }
    }

    /** Another log that has three records. */
    private static CrashableStorage three() {
        CrashableStorage other = new CrashableStorage();
        try (Log log = Log.open(WriterKind.MAPPED.config().build(), other)) {
            Records.append(log, 3);
        }
        return other;
    }

    private void assertNamed(ThrowingCallable call) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(call)
                .withMessageContaining("another log")
                .withMessageContaining(name);
    }
}
