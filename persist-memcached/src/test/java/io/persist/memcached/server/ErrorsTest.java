package io.persist.memcached.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.LogConfig;
import io.persist.memcached.cache.Counters.Counter;
import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.cache.StoredItems;
import io.persist.memcached.cache.StoredItems.Safety;
import io.persist.store.StoreConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What clients are told when the machine has no more, and that the server goes on as far as it can. */
class ErrorsTest {

    private static final long NOW = 1_800_000_000L;
    private static final String NO_SPACE = "SERVER_ERROR out of disk space storing object\r\n";
    private static final String LONG = "x".repeat(5000);

    private final CrashableStorage memory = new CrashableStorage();
    private final FaultyStorage disk = new FaultyStorage(memory);
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(64 << 10).build())
            .build();

    @Test
    void shouldServeGetsOnAFullDiskAndStoreAgainWhenThereIsSpace() {
        try (StoredItems items = StoredItems.open(config, Safety.SYNCED, disk, new CrashableStorage())) {
            Wire wire = new Wire(Wire.service(items, () -> NOW));
            assertThat(wire.exchange("set a 0 0 1\r\nb\r\n")).isEqualTo("STORED\r\n");
            fill(wire);
            assertThat(wire.exchange("get a\r\n")).isEqualTo("VALUE a 0 1\r\nb\r\nEND\r\n");
            assertThat(wire.service.failure()).isNotDone();
            disk.heal();
            assertThat(wire.exchange("set z 0 0 5000\r\n" + LONG + "\r\n")).isEqualTo("STORED\r\n");
            wire.close();
        }
    }

    /** Fills the disk until even a delete finds no space in the reserve. */
    private void fill(Wire wire) {
        for (int i = 0; i < 2000; i++) {
            assertThat(wire.exchange("set tiny" + i + " 0 0 0\r\n\r\n")).isEqualTo("STORED\r\n");
        }
        disk.message("No space left on device").failFrom(Verb.WRITE, 1).failFrom(Verb.CREATE, 1);
        repeat(wire, i -> "set key" + i + " 0 0 5000\r\n" + LONG + "\r\n", "STORED\r\n");
        repeat(wire, i -> "set key" + i + " 0 0 1\r\nx\r\n", "STORED\r\n");
        repeat(wire, i -> "delete tiny" + i + "\r\n", "DELETED\r\n");
    }

    private static void repeat(Wire wire, IntFunction<String> command, String answer) {
        String answered = answer;
        for (int i = 0; i < 5000 && answered.equals(answer); i++) {
            answered = wire.exchange(command.apply(i));
        }
        assertThat(answered).isEqualTo(NO_SPACE);
    }

    /** It would remove an item that has expired, and write down that a delayed flush_all is done. */
    @Test
    void shouldServeGetsOfWhatIsGoneOnAFullDisk() {
        AtomicLong now = new AtomicLong(NOW);
        try (StoredItems items = StoredItems.open(config, Safety.SYNCED, disk, new CrashableStorage())) {
            Wire wire = new Wire(Wire.service(items, now::get));
            wire.exchange("set expires 0 10 1\r\nb\r\nset flushed 0 0 1\r\nb\r\nflush_all 100\r\n");
            fill(wire);
            assertThat(wire.exchange("flush_all\r\n")).isEqualTo(NO_SPACE);
            now.addAndGet(10);
            assertThat(wire.exchange("get expires flushed\r\n")).isEqualTo("VALUE flushed 0 1\r\nb\r\nEND\r\n");
            now.addAndGet(90);
            assertThat(wire.exchange("get flushed expires\r\n")).isEqualTo("END\r\n");
            assertThat(wire.exchange("set a 0 0 1\r\nb\r\n")).isEqualTo(NO_SPACE);
            assertThat(counted(wire, Counter.GET_EXPIRED)).isEqualTo(1);
            assertThat(counted(wire, Counter.GET_FLUSHED)).isEqualTo(2);
            disk.heal();
            assertThat(wire.exchange("set a 0 0 1\r\nb\r\nget flushed a\r\n"))
                    .isEqualTo("STORED\r\nVALUE a 0 1\r\nb\r\nEND\r\n");
            wire.close();
        }
    }

    /** A set that is too large takes the present item away, and a second answer would be taken for the next one's. */
    @Test
    void shouldAnswerOnceIfWhatIsStaleCannotBeRemoved() {
        try (StoredItems items = StoredItems.open(config, Safety.SYNCED, disk, new CrashableStorage())) {
            Wire wire = new Wire(Wire.service(items, () -> NOW));
            wire.exchange("set a 0 0 1\r\nb\r\n");
            fill(wire);
            int length = (1 << 20) + 1;
            String data = "y".repeat(length);
            String got = "VALUE a 0 1\r\nb\r\nEND\r\n";
            assertThat(wire.exchange("set a 0 0 " + length + "\r\n" + data + "\r\nget a\r\n"))
                    .isEqualTo(NO_SPACE + got);
            assertThat(wire.exchange("set a 0 0 " + length + " noreply\r\n" + data + "\r\nget a\r\n"))
                    .isEqualTo(got);
            disk.heal();
            assertThat(wire.exchange("set a 0 0 " + length + "\r\n" + data + "\r\nget a\r\n"))
                    .isEqualTo("SERVER_ERROR object too large for cache\r\nEND\r\n");
            wire.close();
        }
    }

    private static long counted(Wire wire, Counter counter) {
        return wire.service.cache().counters().value(counter);
    }

    @Test
    void shouldNotAcknowledgeWhatCouldNotBeSyncedAndSayThatTheLogHasFailed() {
        StoredItems items = StoredItems.open(config, Safety.SYNCED, disk, new CrashableStorage());
        Wire wire = new Wire(Wire.service(items, () -> NOW));
        disk.failFrom(Verb.FORCE, 1).failFrom(Verb.SYNC, 1);
        String answer = wire.send("set a 0 0 1\r\nb\r\n");
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!wire.service.failure().isDone()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            answer += wire.answers();
        }
        assertThat(answer + wire.answers()).doesNotContain("STORED");
        assertThat(wire.channel.isOpen()).isFalse();
        Wire other = new Wire(wire.service);
        assertThat(other.send("get a\r\n")).isEqualTo("SERVER_ERROR the log has failed\r\n");
    }

    @Test
    void shouldReplaceOrDeleteADamagedItem() {
        try (StoredItems items = StoredItems.open(config, Safety.SYNCED, memory, new CrashableStorage())) {
            Wire wire = new Wire(Wire.service(items, () -> NOW));
            for (String key : List.of("set", "deleted")) {
                wire.exchange("set " + key + " 0 0 5000\r\n" + LONG + "\r\n");
            }
            memory.damage(LONG);
            String damaged = "SERVER_ERROR the item is damaged\r\n";
            assertThat(wire.exchange("get set\r\nget deleted\r\nadd deleted 0 0 1\r\nb\r\n"))
                    .isEqualTo(damaged.repeat(3));
            assertThat(wire.exchange("set set 0 0 1\r\nb\r\nget set\r\n"))
                    .isEqualTo("STORED\r\nVALUE set 0 1\r\nb\r\nEND\r\n");
            assertThat(wire.exchange("delete deleted\r\nget deleted\r\ndelete deleted\r\n"))
                    .isEqualTo("DELETED\r\nEND\r\nNOT_FOUND\r\n");
            wire.close();
        }
    }

    @Test
    void shouldNotAnswerWhoWantsNoAnswerIfTheCommandFails() {
        Wire wire = new Wire(Wire.service(new HeapItems(1000), () -> NOW));
        assertThat(wire.send("set a 0 0 5000 noreply\r\n" + LONG + "\r\nget a\r\n"))
                .isEqualTo("END\r\n");
        assertThat(counted(wire, Counter.STORE_NO_MEMORY)).isEqualTo(1);
    }

    @Test
    void shouldChangeOnAFullHeapWhatNeedsNoMoreRoom() {
        Wire wire = new Wire(Wire.service(new HeapItems(10_000), () -> NOW));
        assertThat(wire.send("set n 0 0 2\r\n10\r\n")).isEqualTo("STORED\r\n");
        int filled = 0;
        while (wire.send("set %03d 0 0 0\r\n\r\n".formatted(filled)).equals("STORED\r\n")) {
            filled++;
        }
        assertThat(wire.send("incr n 1\r\ntouch n 100\r\ngat 100 n\r\nset n 0 0 2\r\n12\r\nset n 0 0 1\r\n3\r\n"))
                .isEqualTo("11\r\nTOUCHED\r\nVALUE n 0 2\r\n11\r\nEND\r\nSTORED\r\nSTORED\r\n");
        String refused = "SERVER_ERROR out of memory storing object\r\n";
        assertThat(wire.send("set new 0 0 0\r\n\r\nappend n 0 0 200\r\n" + "x".repeat(200) + "\r\n"))
                .isEqualTo(refused + refused);
    }

    /** Each takes two regions of 1 MiB of the garbage collector G1. */
    @Test
    void shouldCountLongItemsTwice() {
        Wire wire = new Wire(Wire.service(new HeapItems(3 << 20), () -> NOW));
        String half = "set %s 0 0 524200\r\n" + "x".repeat(524_200) + "\r\n";
        String whole = "set %s 0 0 1048576\r\n" + "x".repeat(1 << 20) + "\r\n";
        String refused = "SERVER_ERROR out of memory storing object\r\n";
        assertThat(wire.send(whole.formatted("a") + whole.formatted("b"))).isEqualTo("STORED\r\n" + refused);
        assertThat(wire.send(half.formatted("b"))).isEqualTo("STORED\r\n");
        assertThat(wire.send("delete a\r\n" + half.formatted("c") + whole.formatted("d")))
                .isEqualTo("DELETED\r\nSTORED\r\n" + refused);
        assertThat(wire.send("delete c\r\n" + whole.formatted("d"))).isEqualTo("DELETED\r\nSTORED\r\n");
    }

    @Test
    void shouldSayThatTheHeapIsFullOfSomethingElse() {
        LateItems items = new LateItems();
        Wire wire = new Wire(Wire.service(items, () -> NOW));
        items.failPut(new OutOfMemoryError("of a test"));
        assertThat(wire.send("set a 0 0 1\r\nb\r\nget a\r\n"))
                .isEqualTo("SERVER_ERROR out of memory storing object\r\nEND\r\n");
        assertThat(counted(wire, Counter.STORE_NO_MEMORY)).isEqualTo(1);
        assertThat(wire.channel.isOpen()).isTrue();
    }

    /** Whichever request it is: the client keeps its connection, and the item is as it was. */
    @Test
    void shouldSayThatTheHeapHasNoRoomForAnItemThatIsThere() {
        LateItems items = new LateItems();
        Wire wire = new Wire(Wire.service(items, () -> NOW));
        wire.receive("set a 0 0 1\r\n7\r\n");
        items.makeSafe();
        assertThat(wire.answers()).isEqualTo("STORED\r\n");
        for (String change : new String[] {"incr a 1", "decr a 1", "touch a 60", "gat 60 a", "delete a"}) {
            items.failGet(new OutOfMemoryError("of a test"));
            assertThat(wire.send(change + "\r\n"))
                    .as(change)
                    .isEqualTo("SERVER_ERROR out of memory storing object\r\n");
        }
        assertThat(counted(wire, Counter.STORE_NO_MEMORY)).isEqualTo(5);
        for (String get : new String[] {"get a", "gets a"}) {
            items.failGet(new OutOfMemoryError("of a test"));
            assertThat(wire.send(get + "\r\n"))
                    .as(get)
                    .isEqualTo("SERVER_ERROR out of memory writing get response\r\n");
        }
        assertThat(counted(wire, Counter.STORE_NO_MEMORY)).isEqualTo(5);
        assertThat(wire.send("get a\r\n")).isEqualTo("VALUE a 0 1\r\n7\r\nEND\r\n");
        assertThat(wire.channel.isOpen()).isTrue();
    }

    /** As memcached does: who wants no answer would read the old value for ever. */
    @Test
    void shouldRemoveWhatIsStaleIfThereIsNoMemoryForASet() {
        Wire wire = new Wire(Wire.service(new HeapItems(1000), () -> NOW));
        String refused = "SERVER_ERROR out of memory storing object\r\n";
        String small = "set a 0 0 1\r\nb\r\n";
        String large = " a 0 0 5000\r\n" + LONG + "\r\n";
        assertThat(wire.send(small + "set" + large + "get a\r\n")).isEqualTo("STORED\r\n" + refused + "END\r\n");
        assertThat(wire.send(small + "set a 0 0 5000 noreply\r\n" + LONG + "\r\nget a\r\n"))
                .isEqualTo("STORED\r\nEND\r\n");
        assertThat(wire.send(small + "replace" + large + "append" + large + "get a\r\n"))
                .isEqualTo("STORED\r\n" + refused + refused + "VALUE a 0 1\r\nb\r\nEND\r\n");
    }

    @Test
    void shouldSayThatTheHeapIsFull() {
        Wire wire = new Wire(Wire.service(new HeapItems(1000), () -> NOW));
        assertThat(wire.send("set a 0 0 5000\r\n" + LONG + "\r\nset a 0 0 1\r\nb\r\nget a\r\n"))
                .isEqualTo("SERVER_ERROR out of memory storing object\r\nSTORED\r\nVALUE a 0 1\r\nb\r\nEND\r\n");
    }
}
