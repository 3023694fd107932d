package io.persist.support;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.persist.file.Mapping;
import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.WriterLock;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashableStorageTest {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CrashableStorage storage = new CrashableStorage();
    private final Random random = new Random(1);

    @Test
    void shouldDropUnsyncedSectors() throws IOException {
        StorageFile file = durableFile("log", 4096);
        write(file, 0, "lost", WriteThrough.NONE);

        assertThat(storage.content("log")).startsWith("lost".getBytes(US_ASCII));
        CrashableStorage after = storage.crash(random, Loss.ALL_LOST);

        assertThat(after.content("log")).isEqualTo(new byte[4096]);
    }

    /** Its page cache may have room for more. */
    @Test
    void shouldLeaveAFileThatHasGrownAsItIsAfterAKill() throws IOException {
        StorageFile file = storage.create("log");
        write(file, 0, "begun", WriteThrough.NONE);
        write(file, 5, " and gone on with", WriteThrough.NONE);
        assertThat(storage.afterKill().content("log")).isEqualTo("begun and gone on with".getBytes(US_ASCII));
    }

    /** A process dies at one moment: who stores one number after another never leaves the second one ahead. */
    @Test
    void shouldLeaveWhatWasInMemoryAtOneMomentOfAKill() throws Exception {
        for (int kill = 0; kill < 100; kill++) {
            CrashableStorage memory = new CrashableStorage();
            try (StorageFile first = memory.create("1");
                    StorageFile second = memory.create("2")) {
                first.write(0, new byte[8], 0, 8, WriteThrough.NONE);
                second.write(0, new byte[8], 0, 8, WriteThrough.NONE);
                ByteBuffer one = first.map(8).buffer();
                ByteBuffer two = second.map(8).buffer();
                Thread process = new Thread(() -> {
                    for (long number = 1; number < 50_000; number++) {
                        LONG.setVolatile(one, 0, number);
                        LONG.setVolatile(two, 0, number);
                    }
                });
                process.start();
                Await.until("it runs", () -> (long) LONG.getVolatile(two, 0) > 0);
                CrashableStorage left = memory.afterKill();
                process.join();
                long ofOne = (long) LONG.get(ByteBuffer.wrap(left.content("1")), 0);
                long ofTwo = (long) LONG.get(ByteBuffer.wrap(left.content("2")), 0);
                assertThat(ofOne - ofTwo).isBetween(0L, 1L);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepWhatWasSyncedWhateverIsLost(Loss loss) throws IOException {
        StorageFile file = durableFile("log", 8192);
        write(file, 0, "synced", WriteThrough.NONE);
        file.sync();
        write(file, 5000, "unsynced", WriteThrough.NONE);

        assertThat(storage.crash(random, loss).content("log")).hasSize(8192).startsWith("synced".getBytes(US_ASCII));
    }

    @Test
    void shouldKeepEverythingIfAllWasWrittenBack() throws IOException {
        StorageFile file = storage.create("log");
        write(file, 700, "kept", WriteThrough.NONE);

        CrashableStorage after = storage.crash(random, Loss.ALL_KEPT);

        assertThat(after.content("log")).isEqualTo(storage.content("log")).hasSize(704);
    }

    @Test
    void shouldPersistTheSectorsOfAWriteThrough() throws IOException {
        StorageFile file = durableFile("log", 4096);
        write(file, 0, "lost", WriteThrough.NONE);
        write(file, 600, "kept", WriteThrough.DATA);
        write(file, 4096, "grown", WriteThrough.ALL);

        byte[] content = storage.crash(random, Loss.ALL_LOST).content("log");

        assertThat(content).hasSize(4101);
        assertThat(text(content, 0, 4)).isEqualTo("\0\0\0\0");
        assertThat(text(content, 600, 4)).isEqualTo("kept");
        assertThat(text(content, 4096, 5)).isEqualTo("grown");
    }

    @Test
    void shouldPersistThePagesOfAForcedRange() throws IOException {
        StorageFile file = durableFile("log", 3 * 4096);
        Mapping mapping = file.map(3 * 4096);
        mapping.buffer().putInt(0, 1).putInt(5000, 2).putInt(8000, 3).putInt(8192, 4);
        mapping.force(5000, 8);

        CrashableStorage after = storage.crash(random, Loss.ALL_LOST);
        try (Mapping again = after.open("log", Access.READ).map(3 * 4096)) {
            assertThat(again.buffer().getInt(0)).isZero();
            assertThat(again.buffer().getInt(5000)).isEqualTo(2);
            assertThat(again.buffer().getInt(8000)).isEqualTo(3);
            assertThat(again.buffer().getInt(8192)).isZero();
        }
    }

    @Test
    void shouldTearSectorsAtMultiplesOfEightOnly() throws IOException {
        byte[] before = filled(4096, 1);
        byte[] after = filled(4096, 2);
        Set<String> seen = new HashSet<>();
        for (int run = 0; run < 200; run++) {
            CrashableStorage fresh = new CrashableStorage();
            fresh.replace("log", before);
            fresh.open("log", Access.WRITE).write(0, after, 0, after.length, WriteThrough.NONE);
            byte[] content = fresh.crash(random, Loss.RANDOM).content("log");
            for (int at = 0; at < 4096; at += 8) {
                byte first = content[at];
                assertThat(first).isBetween((byte) 1, (byte) 2);
                assertThat(Arrays.copyOfRange(content, at, at + 8)).containsOnly(first);
            }
            for (int at = 0; at < 4096; at += 512) {
                boolean torn = content[at] != content[at + 511];
                seen.add(torn ? "torn" : content[at] == 1 ? "old" : "new");
            }
        }
        assertThat(seen).containsExactlyInAnyOrder("old", "new", "torn");
    }

    @Test
    void shouldKeepAPrefixOfTheSectorsInOrder() throws IOException {
        Set<Integer> lengths = new HashSet<>();
        for (int run = 0; run < 200; run++) {
            CrashableStorage fresh = new CrashableStorage();
            fresh.replace("log", new byte[8 * 512]);
            fresh.open("log", Access.WRITE).write(0, filled(8 * 512, 1), 0, 8 * 512, WriteThrough.NONE);
            byte[] content = fresh.crash(random, Loss.ORDERED_PREFIX).content("log");
            int whole = 0;
            while (whole < 8 && Arrays.equals(content, whole * 512, whole * 512 + 512, filled(512, 1), 0, 512)) {
                whole++;
            }
            lengths.add(whole);
            for (int at = Math.min(content.length, (whole + 1) * 512); at < content.length; at++) {
                assertThat(content[at]).isZero();
            }
        }
        assertThat(lengths).contains(0, 8).hasSizeGreaterThan(5);
    }

    @Test
    void shouldLetUnsyncedFilesSurviveWithAnyLength() throws IOException {
        Set<Integer> lengths = new HashSet<>();
        for (int run = 0; run < 300; run++) {
            CrashableStorage fresh = new CrashableStorage();
            fresh.create("log").write(0, filled(4096, 1), 0, 4096, WriteThrough.NONE);
            fresh.syncDirectory();
            byte[] content = fresh.crash(random, Loss.RANDOM).content("log");
            for (byte value : content) {
                assertThat(value).isBetween((byte) 0, (byte) 1);
            }
            lengths.add(content.length);
        }
        assertThat(lengths).contains(0, 4096).hasSizeGreaterThan(10);
    }

    @Test
    void shouldForgetDirectoryOperationsThatWereNotSynced() throws IOException {
        durableFile("a", 10);
        storage.rename("a", "b");
        storage.create("c");

        assertThat(storage.list()).containsExactlyInAnyOrder("b", "c");
        assertThat(storage.durableContent("c")).isNull();
        assertThat(storage.crash(random, Loss.ALL_LOST).list()).containsExactly("a");
    }

    @Test
    void shouldKeepAPrefixOfTheDirectoryOperations() throws IOException {
        Set<List<String>> outcomes = new HashSet<>();
        for (int run = 0; run < 100; run++) {
            CrashableStorage fresh = new CrashableStorage();
            fresh.replace("a", new byte[1]);
            fresh.rename("a", "b");
            fresh.create("c");
            fresh.delete("b");
            outcomes.add(fresh.crash(random, Loss.RANDOM).list());
        }
        assertThat(outcomes).containsExactlyInAnyOrder(List.of("a"), List.of("b"), List.of("b", "c"), List.of("c"));
    }

    @Test
    void shouldKeepWhatWasWrittenAndNoMoreDurableThroughAKill() throws IOException {
        StorageFile file = durableFile("log", 4096);
        WriterLock lock = storage.tryLock("lock");
        write(file, 0, "written", WriteThrough.NONE);

        CrashableStorage killed = storage.afterKill();
        assertThat(text(killed.content("log"), 0, 7)).isEqualTo("written");
        assertThat(killed.tryLock("lock")).isNotNull();
        assertThatExceptionOfType(PowerCut.class).isThrownBy(storage::list);
        lock.close();

        assertThat(killed.crash(random, Loss.ALL_LOST).content("log")).isEqualTo(new byte[4096]);
    }

    @Test
    void shouldHaveOneLockHolderAtATime() throws IOException {
        WriterLock lock = storage.tryLock("lock");
        assertThat(storage.tryLock("lock")).isNull();
        lock.close();
        lock.close();
        assertThat(storage.tryLock("lock")).isNotNull();
        assertThat(storage.openHandles()).isEqualTo(1);
    }

    @Test
    void shouldAnnounceEveryOperationThatChangesSomething() throws IOException {
        List<String> announced = new ArrayList<>();
        storage.hook((number, what) -> announced.add(number + " " + what));
        StorageFile file = storage.create("a");
        write(file, 0, "12345678", WriteThrough.NONE);
        file.sync();
        file.map(8).force(0, 8);
        storage.rename("a", "b");
        file.read(0, new byte[8], 0, 8);
        file.length();
        storage.list();
        storage.delete("b");
        storage.syncDirectory();
        storage.tryLock("lock");

        assertThat(announced)
                .containsExactly(
                        "1 create a",
                        "2 write a",
                        "3 sync a",
                        "4 map a",
                        "5 force a",
                        "6 rename a",
                        "7 delete b",
                        "8 syncDirectory",
                        "9 tryLock lock");
        assertThat(storage.operations()).isEqualTo(9);
    }

    @Test
    void shouldStayOffAfterAPowerCut() throws IOException {
        StorageFile file = durableFile("log", 8);
        Mapping mapping = file.map(8);
        int number = storage.operations() + 1;
        storage.cutPowerAt(number);

        assertThatExceptionOfType(PowerCut.class)
                .isThrownBy(() -> write(file, 0, "x", WriteThrough.DATA))
                .withMessageContaining("operation " + number);
        assertThat(storage.isOff()).isTrue();
        assertThatExceptionOfType(PowerCut.class).isThrownBy(file::sync);
        assertThatExceptionOfType(PowerCut.class).isThrownBy(file::length);
        assertThatExceptionOfType(PowerCut.class).isThrownBy(() -> mapping.force(0, 8));
        mapping.close();
        file.close();
        assertThat(storage.crash(random, Loss.ALL_LOST).content("log")).isEqualTo(new byte[8]);
        byte[] underWay = {'x', 0, 0, 0, 0, 0, 0, 0};
        assertThat(storage.crash(random, Loss.ALL_KEPT).content("log")).isEqualTo(underWay);
    }

    @Test
    void shouldNotWritePagesAgainWhoseSyncFailed() throws IOException {
        StorageFile file = durableFile("log", 8192);
        write(file, 0, "gone", WriteThrough.NONE);
        storage.hook((number, what) -> {
            throw new IOException("Input/output error");
        });
        assertThatIOException().isThrownBy(file::sync);
        storage.hook((number, what) -> {});
        write(file, 4096, "kept", WriteThrough.NONE);
        file.sync();

        assertThat(text(storage.content("log"), 0, 4)).isEqualTo("gone");
        byte[] content = storage.crash(random, Loss.ALL_KEPT).content("log");
        assertThat(text(content, 0, 4)).isEqualTo("\0\0\0\0");
        assertThat(text(content, 4096, 4)).isEqualTo("kept");
    }

    @Test
    void shouldTellEachHandleThatIsOpenOnceThatASyncFailed() throws IOException {
        StorageFile failing = durableFile("log", 4096);
        StorageFile other = storage.open("log", Access.WRITE);
        other.beginRangeSyncs();
        Mapping mapping = other.map(4096);
        write(failing, 0, "lost", WriteThrough.NONE);
        FailedOnce.of(storage, "sync log");
        assertThatIOException().isThrownBy(failing::sync);
        failing.sync();
        List<ThrowingCallable> syncs = List.of(other::sync, () -> other.sync(0, 1), () -> mapping.force(0, 1));
        for (ThrowingCallable sync : syncs) {
            assertThatIOException().isThrownBy(sync);
        }
        for (ThrowingCallable sync : syncs) {
            assertThatNoException().isThrownBy(sync);
        }
        storage.open("log", Access.WRITE).sync();
    }

    @Test
    void shouldWritePagesAgainThatWereRewrittenAfterAFailedSync() throws IOException {
        StorageFile file = durableFile("log", 4096);
        write(file, 0, "again", WriteThrough.NONE);
        storage.hook((number, what) -> {
            throw new IOException("Input/output error");
        });
        assertThatIOException().isThrownBy(file::sync);
        storage.hook((number, what) -> {});
        write(file, 0, "again", WriteThrough.NONE);
        file.sync();

        assertThat(text(storage.crash(random, Loss.ALL_LOST).content("log"), 0, 5))
                .isEqualTo("again");
    }

    @Test
    void shouldWriteAPartWhenTheDiskIsFull() throws IOException {
        storage.capacityBytes(10);
        StorageFile file = storage.create("log");
        write(file, 0, "123456", WriteThrough.NONE);
        assertThat(storage.usableBytes()).isEqualTo(4);

        assertThatIOException()
                .isThrownBy(() -> write(file, 4, "abcdefgh", WriteThrough.NONE))
                .withMessage("No space left on device");

        assertThat(new String(storage.content("log"), US_ASCII)).isEqualTo("1234abcdef");
        write(file, 0, "still", WriteThrough.NONE);
        storage.delete("log");
        assertThat(storage.usableBytes()).isEqualTo(10);
    }

    @Test
    void shouldWriteBackSomeSectorsWhenTold() throws IOException {
        StorageFile file = durableFile("log", 100 * 512);
        file.write(0, filled(100 * 512, 1), 0, 100 * 512, WriteThrough.NONE);
        for (int i = 0; i < 10; i++) {
            storage.writeBack(random);
        }
        assertThat(storage.durableContent("log")).contains(1);
    }

    @Test
    void shouldCountWhatIsNotClosed() throws IOException {
        StorageFile file = durableFile("log", 8);
        Mapping mapping = file.map(8);
        assertThat(storage.openHandles()).isEqualTo(2);
        mapping.close();
        mapping.close();
        file.close();
        assertThat(storage.openHandles()).isZero();
        assertThatIOException().isThrownBy(file::sync);
    }

    private StorageFile durableFile(String name, int length) throws IOException {
        StorageFile file = storage.create(name);
        file.write(0, new byte[length], 0, length, WriteThrough.NONE);
        file.sync();
        storage.syncDirectory();
        return file;
    }

    private static void write(StorageFile file, long offset, String text, WriteThrough through) throws IOException {
        byte[] bytes = text.getBytes(US_ASCII);
        file.write(offset, bytes, 0, bytes.length, through);
    }

    private static String text(byte[] content, int offset, int length) {
        return new String(content, offset, length, US_ASCII);
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
