package io.persist.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.PersistException;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.read.StoreScan;
import io.persist.store.read.StoreSnapshot;
import io.persist.support.Interposed;
import io.persist.support.OwnThreads;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whichever step of the end of a store fails, the others are done: nothing is left open, locked or running. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoreEndTest {

    private static final int KEYS = 200;
    private static final String FAULT = "Input/output error";

    /** How the log is written. */
    enum Way {
        MAPPED,
        FILE,
        DETACHED
    }

    /** The thread that ends the store; null before it does. */
    private volatile @Nullable Thread closer;

    /** So many steps of that thread until one fails. */
    private int left;

    private static StoreConfig config(Way way) {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(Texts.SEGMENT_LENGTH)
                .writeMode(way == Way.FILE ? WriteMode.FILE : WriteMode.MAPPED)
                .build();
        return StoreConfig.builder(log).checkpointPercent(0).maxSpaceRatio(0).build();
    }

    private boolean isDue() {
        return Thread.currentThread() == closer && left-- == 0;
    }

    /** Of an access to a page that is not there. */
    private void failIfDue() {
        if (isDue()) {
            throw new InternalError(FAULT);
        }
    }

    private void failOperationIfDue(int number, String what) throws IOException {
        if (isDue()) {
            throw new IOException(FAULT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAllWhicheverOperationFails(Way way) throws Exception {
        int steps = 0;
        while (isEndedWithFault(steps, way, disk -> disk.hook(this::failOperationIfDue))) {
            steps++;
        }
        assertThat(steps).isGreaterThan(1);
    }

    /** An error may come at any return of a method, also when a file was closed. */
    @ParameterizedTest
    @EnumSource
    void shouldCloseAllWhicheverCloseFails(Way way) throws Exception {
        int steps = 0;
        while (isEndedWithFault(steps, way, this::failing)) {
            steps++;
        }
        assertThat(steps).isGreaterThan(10);
    }

    /** Has the step of this number fail; false if there was none. */
    private boolean isEndedWithFault(int step, Way way, Function<CrashableStorage, Storage> faults) throws Exception {
        CrashableStorage disk = new CrashableStorage();
        closer = null;
        left = step;
        OwnThreads.run(() -> live(way, disk, faults.apply(disk)));
        disk.hook((number, what) -> {});
        String how = "step=" + step;
        assertThat(disk.openHandles()).as(how).isZero();
        try (StoreLogger store = StoreLogger.open(config(way), disk, disk)) {
            assertThat(store.size()).as(how).isEqualTo(KEYS + 1);
            String last = Texts.get(store, "last");
            assertThat(last).as(how).isIn("value", "again");
        }
        return left < 0;
    }

    /** Ends a store that has all that can be open: files of checkpoints and segments, a scan, a snapshot. */
    private void live(Way way, CrashableStorage disk, Storage storage) {
        try (StoreLogger before = StoreLogger.open(config(way), disk, disk)) {
            Texts.fill(before, KEYS, KEYS);
            before.checkpoint();
            Texts.put(before, "key-1", "later");
            before.checkpoint();
        }
        StoreLogger store = way == Way.DETACHED
                ? StoreLogger.open(config(way), DetachedConfig.builder().build(), storage, storage)
                : StoreLogger.open(config(way), storage, storage);
        StoreSnapshot snapshot = store.snapshot();
        snapshot.get(Texts.bytes("key-2"));
        StoreScan scan = store.scan(KeyRange.all(), Direction.FORWARD);
        for (int i = 0; i < KEYS; i++) {
            scan.next();
            scan.value();
            store.get(Texts.bytes("key-" + i));
        }
        Texts.put(store, "last", "value");
        store.checkpoint(); // the snapshots still read from the source before
        store.put(Texts.bytes("last"), Texts.bytes("again"), Durability.BUFFERED);
        closer = Thread.currentThread();
        try {
            store.close();
        } catch (PersistException | InternalError e) {
            assertThat(e).hasStackTraceContaining(FAULT);
            assertThat(left).isNegative();
        } finally {
            closer = null;
        }
        scan.close(); // they have kept the segments in which they read last
        snapshot.close();
    }

    /** The disk, on which each close fails that is due, behind what it does. */
    private Storage failing(CrashableStorage disk) {
        return Interposed.after(Storage.class, disk, (call, arguments, result) -> switch (call) {
            case "open", "create" -> failing((StorageFile) result);
            case "tryLock" -> result == null ? null : failing(WriterLock.class, (WriterLock) result);
            default -> result;
        });
    }

    private StorageFile failing(StorageFile file) {
        return Interposed.after(StorageFile.class, file, (call, arguments, result) -> {
            if (call.equals("close")) {
                failIfDue();
            }
            return call.equals("map") ? failing(Mapping.class, (Mapping) result) : result;
        });
    }

    private <T> T failing(Class<T> type, T target) {
        return Interposed.after(type, target, (call, arguments, result) -> {
            if (call.equals("close")) {
                failIfDue();
            }
            return result;
        });
    }
}
