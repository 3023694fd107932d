package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.log.LogConfig;
import io.persist.memcached.cache.StoredItems;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.memcached.cache.Sweeper;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The disk refuses to read one item, or to make one segment: the log goes on, and so does the server. */
class RefusingDiskTest {

    private static final String LONG = "x".repeat(5000);
    private static final String UNREADABLE =
            "SERVER_ERROR cannot read the log at position \\d+: Input/output error\r\n";

    /** Its first segment, where the items of keys "a" and "b" are, can be made unreadable. */
    private record BadSegment(Storage storage, AtomicBoolean isBad) implements ForwardingStorage {

        @Override
        public StorageFile open(String name, Access access) throws IOException {
            StorageFile file = storage.open(name, access);
            return name.equals("00000000000000000000.log") ? failing(file) : file;
        }

        private StorageFile failing(StorageFile file) {
            return (StorageFile) Proxy.newProxyInstance(
                    StorageFile.class.getClassLoader(),
                    new Class<?>[] {StorageFile.class},
                    (proxy, method, arguments) -> {
                        if (isBad.get() && method.getName().equals("read")) {
                            throw new IOException("Input/output error");
                        }
                        return method.invoke(file, arguments);
                    });
        }
    }

    private final AtomicBoolean isBad = new AtomicBoolean();
    private final FaultyStorage disk = new FaultyStorage(new BadSegment(new CrashableStorage(), isBad));
    private final CrashableStorage checkpoints = new CrashableStorage();
    private final AtomicLong now = new AtomicLong(1_800_000_000L);
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build())
            .build();

    private StoredItems items = open();
    private Wire wire = new Wire(Wire.service(items, now::get));

    private StoredItems open() {
        return StoredItems.open(config, Safety.SYNCED, disk, checkpoints);
    }

    /** What is in earlier segments has to be read from the device again. */
    @BeforeEach
    void openAgain() {
        for (String key : new String[] {"a", "b"}) {
            assertThat(set(key, 10, LONG)).isEqualTo("STORED\r\n");
        }
        for (int i = 0; i < 20; i++) {
            assertThat(set("filler" + i, 0, LONG)).isEqualTo("STORED\r\n");
        }
        items.store().checkpoint();
        wire.close();
        items.close();
        items = open();
        wire = new Wire(Wire.service(items, now::get));
        assertThat(set("z", 10, "new")).isEqualTo("STORED\r\n");
    }

    @AfterEach
    void goesOn() {
        assertThat(wire.service.failure()).isNotDone();
        assertThat(items.hasFailed()).isFalse();
        disk.heal();
        assertThat(set("new", 0, LONG)).isEqualTo("STORED\r\n");
        wire.close();
        items.close();
    }

    private String set(String key, int exptime, String data) {
        return wire.exchange("set " + key + " 0 " + exptime + " " + data.length() + "\r\n" + data + "\r\n");
    }

    @Test
    void shouldReplaceOrDeleteAnItemThatCannotBeRead() {
        isBad.set(true);
        assertThat(wire.exchange("get a\r\n")).matches(UNREADABLE);
        assertThat(wire.exchange("append a 0 0 1\r\nb\r\n")).matches(UNREADABLE);
        assertThat(wire.exchange("get z\r\n")).isEqualTo("VALUE z 0 3\r\nnew\r\nEND\r\n");
        assertThat(set("a", 0, "1")).isEqualTo("STORED\r\n");
        assertThat(wire.exchange("get a\r\n")).isEqualTo("VALUE a 0 1\r\n1\r\nEND\r\n");
        assertThat(wire.exchange("delete b\r\nget b\r\ndelete b\r\n")).isEqualTo("DELETED\r\nEND\r\nNOT_FOUND\r\n");
    }

    @Test
    void shouldRemoveTheDeadItemsBehindOneThatCannotBeRead() {
        long count = items.count();
        now.addAndGet(10);
        isBad.set(true);
        Sweeper sweeper = Sweeper.start(wire.service.cache(), 1, 1);
        try {
            awaitCount(count - 1);
        } finally {
            sweeper.close();
        }
        isBad.set(false);
        assertThat(wire.exchange("get a b\r\n")).isEqualTo("END\r\n");
        assertThat(items.count()).as("they were there").isEqualTo(count - 3);
    }

    private void awaitCount(long count) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (items.count() > count) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    /** Until even a delete finds no space in the reserve. */
    private void useUpFiles() {
        for (int i = 0; i < 2000; i++) {
            assertThat(set("tiny" + i, 0, "")).isEqualTo("STORED\r\n");
        }
        disk.message("Too many open files").failFrom(Verb.CREATE, 1);
        repeat(i -> "set filler 0 0 5000\r\n" + LONG + "\r\n");
        repeat(i -> "set filler 0 0 1\r\nb\r\n");
        repeat(i -> "delete tiny" + i + "\r\n");
    }

    private void repeat(IntFunction<String> command) {
        String answer = "";
        for (int i = 0; i < 5000 && !answer.startsWith("SERVER_ERROR"); i++) {
            answer = wire.exchange(command.apply(i));
        }
        assertThat(answer).startsWith("SERVER_ERROR cannot prepare the next segment: Too many open files");
    }

    /** It would remove an item that has expired, and write down that a delayed flush_all is done. */
    @Test
    void shouldServeGetsWhenNoSegmentCanBeMade() {
        assertThat(wire.exchange("flush_all 20\r\n")).isEqualTo("OK\r\n");
        useUpFiles();
        assertThat(wire.exchange("get z\r\n")).isEqualTo("VALUE z 0 3\r\nnew\r\nEND\r\n");
        now.addAndGet(10);
        assertThat(wire.exchange("get z\r\n")).isEqualTo("END\r\n");
        now.addAndGet(10);
        assertThat(wire.exchange("get filler\r\n")).isEqualTo("END\r\n");
    }

    @Test
    void shouldSweepAgainWhenASegmentCanBeMade() {
        useUpFiles();
        now.addAndGet(10);
        long count = items.count();
        Sweeper sweeper = Sweeper.start(wire.service.cache(), 1, 1);
        try {
            long calls = disk.calls(Verb.CREATE);
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (disk.calls(Verb.CREATE) == calls) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.onSpinWait();
            }
            assertThat(items.count()).isEqualTo(count);
            disk.heal();
            awaitCount(count - 3);
        } finally {
            sweeper.close();
        }
    }
}
