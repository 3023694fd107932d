package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.log.LogConfig;
import io.persist.memcached.cache.StoredItems;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.memcached.cache.Sweeper;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a full disk clients can let go what is there, and what has expired goes by itself: then there is space again. */
class FullDiskTest {

    private static final long NOW = 1_800_000_000L;
    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int SEGMENTS = 40;
    private static final int LENGTH = 500;
    private static final String DATA = "x".repeat(LENGTH);
    private static final String STORED = "STORED\r\n";
    private static final String NO_SPACE = "SERVER_ERROR out of disk space storing object\r\n";

    private final CrashableStorage disk = new CrashableStorage().capacityBytes(SEGMENTS * SEGMENT_LENGTH);
    private final CrashableStorage checkpoints = new CrashableStorage();
    private final AtomicLong now = new AtomicLong(NOW);
    private final StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("memory"))
                    .segmentLength(SEGMENT_LENGTH)
                    .build())
            .checkpointMinLogBytes(4 * SEGMENT_LENGTH)
            .build();

    private StoredItems items = open();
    private Wire wire = new Wire(Wire.service(items, now::get));
    private Sweeper sweeper = sweeper();

    private Sweeper sweeper() {
        return Sweeper.start(wire.service.cache(), 1, 1);
    }

    private StoredItems open() {
        return StoredItems.open(config, Safety.SYNCED, disk, checkpoints);
    }

    private void openAgain() {
        close();
        items = open();
        wire = new Wire(Wire.service(items, now::get));
        sweeper = sweeper();
    }

    @AfterEach
    void close() {
        sweeper.close();
        wire.close();
        items.close();
    }

    private String set(String key, long exptime, String data) {
        return wire.exchange("set " + key + " 0 " + exptime + " " + data.length() + "\r\n" + data + "\r\n");
    }

    private String get(String key) {
        return wire.exchange("get " + key + "\r\n");
    }

    /** Sets until there is no space for the shortest; returns how many long ones there are. */
    private int fill(long exptime) {
        int stored = fill("key-", exptime, DATA);
        fill("k", exptime, "");
        assertThat(stored * LENGTH).isGreaterThan(SEGMENTS / 2 * SEGMENT_LENGTH);
        return stored;
    }

    private int fill(String prefix, long exptime, String data) {
        int stored = 0;
        String answer = set(prefix + stored, exptime, data);
        while (answer.equals(STORED)) {
            stored++;
            answer = set(prefix + stored, exptime, data);
        }
        assertThat(answer).isEqualTo(NO_SPACE);
        return stored;
    }

    private static String key(int number) {
        return "key-" + number;
    }

    @Test
    void shouldDelete() {
        fill(0);
        assertThat(wire.exchange("delete " + key(0) + "\r\n")).isEqualTo("DELETED\r\n");
        openAgain();
        assertThat(get(key(0))).isEqualTo("END\r\n");
        assertThat(get(key(1))).contains(DATA);
    }

    /** As memcached does: who has set it would read the value before for ever. */
    @Test
    void shouldLeaveNothingStaleBehindASetThatIsRefused() {
        fill(0);
        assertThat(set(key(1), 0, "new" + DATA)).isEqualTo(NO_SPACE);
        assertThat(get(key(1))).isEqualTo("END\r\n");
        assertThat(wire.exchange("replace " + key(2) + " 0 0 " + LENGTH + "\r\n" + DATA + "\r\n"))
                .isEqualTo(NO_SPACE);
        assertThat(get(key(2)))
                .as("only a set is meant to replace whatever is there")
                .contains(DATA);
        openAgain();
        assertThat(get(key(1))).isEqualTo("END\r\n");
    }

    @Test
    void shouldFlushAndGoOn() {
        int stored = fill(0);
        assertThat(wire.exchange("flush_all\r\n")).isEqualTo("OK\r\n");
        assertThat(get(key(0)) + get(key(stored - 1))).isEqualTo("END\r\nEND\r\n");
        await(() -> items.count() == 0);
        awaitSpace();
        openAgain();
        assertThat(get("new")).contains(DATA);
        assertThat(items.count()).isEqualTo(1);
        assertThat(wire.exchange("flush_all\r\n") + get("new")).isEqualTo("OK\r\nEND\r\n");
    }

    /** One that comes at once takes its place, as always. */
    @Test
    void shouldForgetADelayedFlushByAnotherOne() {
        fill(0);
        assertThat(wire.exchange("flush_all\r\n")).isEqualTo("OK\r\n");
        awaitSpace();
        assertThat(wire.exchange("flush_all 1000\r\n")).isEqualTo("OK\r\n");
        fill(0);
        assertThat(wire.exchange("flush_all\r\n")).isEqualTo("OK\r\n");
        openAgain();
        awaitSpace();
        now.addAndGet(1000);
        assertThat(get("new")).contains(DATA);
    }

    @Test
    void shouldDoADelayedFlush() {
        assertThat(wire.exchange("flush_all 1000\r\n")).isEqualTo("OK\r\n");
        int stored = fill(0);
        now.addAndGet(1000);
        assertThat(get(key(stored - 1))).isEqualTo("END\r\n");
        awaitSpace();
        assertThat(get("new")).contains(DATA);
    }

    /** Nobody asks for any of it. */
    @Test
    void shouldFindSpaceOnceWhatIsThereHasExpired() {
        fill(10);
        now.addAndGet(10);
        await(() -> items.count() == 0);
        await(() -> set("new", 0, DATA).equals(STORED));
        openAgain();
        assertThat(get("new")).contains(DATA);
        assertThat(items.count()).isEqualTo(1);
    }

    /** The store does by itself in ten seconds what it is asked for here. */
    private void awaitSpace() {
        await(() -> {
            Throwable unused = catchThrowable(() -> items.store().compact(Long.MAX_VALUE)); // some is put off
            return set("new", 0, DATA).equals(STORED);
        });
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
