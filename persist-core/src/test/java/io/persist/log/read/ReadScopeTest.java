package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.format.LogFileName;
import io.persist.format.control.ControlBlock;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.visible.Visibility;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(WriterKind.class)
class ReadScopeTest {

    @Parameter
    WriterKind kind;

    private CrashableStorage storage = new CrashableStorage();

    private LogConfig config() {
        return kind.config().writeBufferLength(1 << 16).build();
    }

    private static TailerConfig synced(ReadMode mode) {
        return WriterKind.reader().readMode(mode).readScope(ReadScope.SYNCED).build();
    }

    @Test
    void shouldShowARecordAsSoonAsItIsSyncedAndNotBefore() {
        for (ReadMode mode : ReadMode.values()) {
            storage = new CrashableStorage();
            try (Log log = Log.open(config(), storage);
                    Tailer inside = log.tailer(synced(mode));
                    Tailer outside = Tailer.open(storage, synced(mode))) {
                Records.append(log, 3);
                assertThat(inside.next() || outside.next()).isFalse();
                log.flush();
                boolean isSynced = log.syncedPosition() >= log.position(); // a flush syncs in RWD and RWS
                assertThat(inside.next()).isEqualTo(isSynced);
                assertThat(outside.next()).isEqualTo(isSynced);
                log.sync();
                long next = isSynced ? 2 : 1;
                assertThat(Records.readOn(inside, next)).isEqualTo(4);
                assertThat(Records.readOn(outside, next)).isEqualTo(4);
            }
        }
    }

    @Test
    void shouldNeverShowWhatIsNotSyncedAtAnyMoment() {
        Seeds.run(30, seed -> {
            Random random = new Random(seed);
            storage = new CrashableStorage();
            LogConfig config = config();
            TailerConfig reading = synced(ReadMode.values()[random.nextInt(2)]);
            long shown = 0;
            for (int life = 0; life < 4; life++) {
                Log log = Log.open(config, storage);
                assertThat(log.lastSequence()).as("what was shown is there").isGreaterThanOrEqualTo(shown);
                Tailer tailer = random.nextBoolean() ? log.tailer(reading) : Tailer.open(storage, reading);
                long next = 1;
                for (int i = 0; i < 150; i++) {
                    switch (random.nextInt(8)) {
                        case 0 -> log.sync();
                        case 1 -> log.flush();
                        case 2 -> log.commit(Durability.SYNCED);
                        case 3 -> {
                            next = Records.readOn(tailer, next);
                            long last = next == 1 ? 0 : tailer.position();
                            assertThat(last).isLessThan(Math.max(64, log.syncedPosition()));
                        }
                        default -> Records.append(log);
                    }
                }
                log.flush();
                next = Records.readOn(tailer, next);
                shown = Math.max(shown, next - 1);
                if (random.nextBoolean()) {
                    log.close();
                    assertThat(Records.readOn(tailer, next)).isEqualTo(log.lastSequence() + 1);
                } else {
                    storage = random.nextBoolean()
                            ? storage.afterKill()
                            : storage.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
                    DeadLog.end(log);
                }
                tailer.close();
            }
        });
    }

    @Test
    void shouldHideWhatAKilledWriterLeftUntilItIsSynced() {
        Log killed = Log.open(config(), storage);
        Records.append(killed, 3);
        killed.sync();
        Records.append(killed, 3);
        boolean flushSyncs = kind == WriterKind.FILE_RWD || kind == WriterKind.FILE_RWS;
        killed.flush();
        storage = storage.afterKill();
        DeadLog.end(killed);
        try (Tailer tailer = Tailer.open(storage, synced(ReadMode.FILE))) {
            long next = Records.readOn(tailer, 1);
            assertThat(next).isEqualTo(flushSyncs ? 7 : 4);
            try (Log log = Log.open(config(), storage)) {
                assertThat(log.lastSequence()).isEqualTo(6);
                assertThat(tailer.next()).isFalse();
                log.sync();
                assertThat(Records.readOn(tailer, next)).isEqualTo(7);
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldShowWhatAPowerCutLeft() {
        Log cut = Log.open(config(), storage);
        Records.append(cut, 5);
        cut.flush();
        storage = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(cut);
        try (Tailer tailer = Tailer.open(storage, synced(ReadMode.MAPPED))) {
            assertThat(Records.readOn(tailer, 1)).isEqualTo(6);
        }
    }

    /** The tailer has found no bound, then a writer of this boot is opened and publishes before the tailer looks. */
    @Test
    void shouldHideARecordOfAWriterThatIsOpenedWhileTheTailerLooks() throws IOException {
        Log cut = Log.open(config(), storage);
        Records.append(cut, 5);
        cut.sync();
        storage = storage.crash(new Random(1), Loss.ALL_KEPT);
        DeadLog.end(cut);
        Visibility visibility = new Visibility(storage, ReadScope.SYNCED);
        long limit = visibility.limit();
        assertThat(limit).as("the end of what was left").isLessThan(Long.MAX_VALUE);
        Log log = Log.open(config(), storage);
        long position = log.position();
        Records.append(log, 1);
        assertThat(position).isEqualTo(limit);
        assertThat(visibility.hides(position, Long.MAX_VALUE)).isTrue();
        assertThat(visibility.hides(64, Long.MAX_VALUE)).isFalse();
        log.sync();
        assertThat(visibility.hides(position, Long.MAX_VALUE)).isFalse();
        visibility.close();
        log.close();
    }

    @Test
    void shouldShowNothingWithoutAControlBlockUntilAWriterMakesOne() throws IOException {
        try (Log log = Log.open(config(), storage)) {
            Records.append(log, 3);
        }
        storage.delete(LogFileName.CONTROL);
        try (Tailer tailer = Tailer.open(storage, synced(ReadMode.MAPPED))) {
            assertThat(tailer.next()).isFalse();
            try (Log log = Log.open(config(), storage)) {
                log.sync();
                tailer.next(); // finds the control block
                tailer.toStart();
                assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
            }
        }
    }

    /** The two halves of the synced position are stored one after the other. */
    @Test
    void shouldNotLoseTheSyncedPositionWhileItIsBeingStored() throws IOException {
        try (Log log = Log.open(config(), storage);
                Tailer tailer = Tailer.open(storage, synced(ReadMode.MAPPED));
                StorageFile file = storage.open(LogFileName.CONTROL, Storage.Access.WRITE);
                Mapping control = file.map(ControlBlock.LENGTH)) {
            Records.append(log, 3);
            log.sync();
            control.buffer().putLong(ControlBlock.SYNCED_OFFSET + 8, 0);
            tailer.toSequence(3);
            assertThat(tailer.next()).isTrue();
        }
    }

    @Test
    void shouldGoToTheEndOfWhatIsSynced() {
        try (Log log = Log.open(config(), storage);
                Tailer tailer = Tailer.open(storage, synced(ReadMode.MAPPED))) {
            Records.append(log, 3);
            log.sync();
            Records.appendUntilRolled(log, 1);
            Records.append(log, 3);
            log.flush();
            if (log.syncedPosition() < log.position()) {
                tailer.toEnd();
                assertThat(tailer.nextPosition()).isLessThanOrEqualTo(log.syncedPosition());
                assertThatIllegalArgumentException().isThrownBy(() -> tailer.toSequence(log.lastSequence()));
            }
            log.sync();
            assertThat(tailer.next() || log.syncedPosition() == tailer.nextPosition() || !kind.isMapped())
                    .isTrue();
            tailer.toEnd();
            assertThat(tailer.sequence()).isEqualTo(log.lastSequence());
        }
    }

    @Test
    void shouldWorkOnRealFiles(@TempDir Path directory) {
        LogConfig config = kind.config(directory).build();
        try (Log log = Log.open(config);
                Tailer tailer = Tailer.open(directory, synced(ReadMode.MAPPED))) {
            Records.append(log, 3);
            assertThat(tailer.next()).isFalse();
            log.sync();
            assertThat(Records.readOn(tailer, 1)).isEqualTo(4);
        }
    }
}
