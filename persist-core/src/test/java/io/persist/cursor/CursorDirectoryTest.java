package io.persist.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.persist.error.CorruptLogException;
import io.persist.error.LogLockedException;
import io.persist.error.UnsupportedFormatException;
import io.persist.file.ForwardingStorage;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.file.WriterLock;
import io.persist.format.control.CursorSlot;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorDirectoryTest {

    private static final CursorSlot FIRST = new CursorSlot(1, 99, 64, 1, 1_700_000_000_000L, 12);
    private static final String FILE = "billing.cursor";

    private CrashableStorage storage = new CrashableStorage();

    private CursorFile open() throws IOException {
        return new CursorDirectory(storage).open("billing", FIRST);
    }

    @Test
    void shouldKeepWhatWasStored() throws IOException {
        try (CursorFile cursor = open()) {
            assertThat(cursor.slot()).isEqualTo(FIRST);
            cursor.claim();
            assertThat(cursor.slot().pid()).isEqualTo(ProcessHandle.current().pid());
            for (int i = 2; i < 10; i++) {
                cursor.store(99, 64L * i, i);
                CursorSlot read = new CursorDirectory(storage).read("billing");
                assertThat(read).isEqualTo(cursor.slot());
                assertThat(read.position()).isEqualTo(64L * i);
                assertThat(read.sequence()).isEqualTo(i);
            }
        }
        assertThat(storage.content(FILE)).hasSize(CursorSlot.FILE_LENGTH);
        assertThat(storage.openHandles()).isZero();
        try (CursorFile again = open()) {
            assertThat(again.slot().position()).isEqualTo(64 * 9);
        }
    }

    @Test
    void shouldFallBackToTheOlderSlotWhateverBitOfTheNewerOneIsWrong() throws IOException {
        for (int generations = 2; generations <= 3; generations++) {
            storage = new CrashableStorage();
            try (CursorFile cursor = open()) {
                for (int i = 2; i <= generations; i++) {
                    cursor.store(99, 100 * i, i);
                }
            }
            byte[] good = storage.content(FILE);
            int newest = CursorSlot.offset(generations);
            for (int bit = 0; bit < 8 * CursorSlot.LENGTH; bit++) {
                byte[] torn = good.clone();
                torn[newest + bit / 8] ^= (byte) (1 << bit % 8);
                storage.replace(FILE, torn);
                assertThat(new CursorDirectory(storage).read("billing").generation())
                        .as("bit " + bit)
                        .isEqualTo(generations - 1);
                torn[CursorSlot.offset(generations - 1) + bit / 8] ^= 1;
                storage.replace(FILE, torn);
                assertNeitherIsWhole();
            }
        }
    }

    private void assertNeitherIsWhole() {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(this::open)
                .withMessageContaining("file=" + FILE)
                .withMessageContaining("remove the cursor")
                .satisfies(e -> assertThat(e.file()).isEqualTo(FILE));
        assertThat(storage.openHandles()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 71, 4096, 4167})
    void shouldReadAFileThatWasCutOff(int length) throws IOException {
        try (CursorFile cursor = open()) {
            cursor.store(99, 128, 2);
        }
        byte[] cut = Arrays.copyOf(storage.content(FILE), length);
        storage.replace(FILE, cut);
        if (length < CursorSlot.LENGTH) {
            assertNeitherIsWhole();
        } else {
            assertThat(new CursorDirectory(storage).read("billing")).isEqualTo(FIRST);
        }
    }

    /** The next write would go over the only slot that is whole. */
    @Test
    void shouldTakeASlotInThePlaceOfTheOtherForNothing() throws IOException {
        try (CursorFile cursor = open()) {
            cursor.store(99, 128, 2);
        }
        byte[] content = storage.content(FILE);
        System.arraycopy(content, 0, content, CursorSlot.INTERVAL, CursorSlot.LENGTH);
        storage.replace(FILE, content);
        assertThat(new CursorDirectory(storage).read("billing")).isEqualTo(FIRST);
        System.arraycopy(new byte[CursorSlot.LENGTH], 0, content, 0, CursorSlot.LENGTH);
        storage.replace(FILE, content);
        assertNeitherIsWhole();
    }

    @Test
    void shouldRefuseACursorOfANewerVersion() throws IOException {
        try (CursorFile cursor = open()) {
            cursor.store(99, 128, 2);
        }
        byte[] newer = storage.content(FILE);
        ByteBuffer slot = ByteBuffer.wrap(newer, 0, CursorSlot.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        slot.putInt(CursorSlot.VERSION_OFFSET, 2);
        CRC32C crc = new CRC32C();
        crc.update(newer, 0, CursorSlot.CHECKSUM_OFFSET);
        slot.putInt(CursorSlot.CHECKSUM_OFFSET, (int) crc.getValue());
        storage.replace(FILE, newer);
        assertThatExceptionOfType(UnsupportedFormatException.class).isThrownBy(this::open);
        assertThat(storage.content(FILE)).isEqualTo(newer);
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldHaveOneUser() throws IOException {
        CursorDirectory directory = new CursorDirectory(storage);
        assertThat(directory.isInUse("billing")).isFalse();
        try (CursorFile cursor = open()) {
            cursor.claim();
            assertThat(directory.isInUse("billing")).isTrue();
            assertThatExceptionOfType(LogLockedException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("name=billing")
                    .withMessageContaining("pid=" + ProcessHandle.current().pid());
            assertThatExceptionOfType(LogLockedException.class).isThrownBy(() -> directory.remove("billing"));
            assertThat(directory.exists("billing")).isTrue();
        }
        assertThat(directory.isInUse("billing")).isFalse();
        directory.remove("billing");
        assertThat(storage.list()).isEmpty();
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldKnowTheCursorsByTheirFiles() throws IOException {
        CursorDirectory directory = new CursorDirectory(storage);
        for (String name : List.of("b", "a.cursor", "00000000000000000000.log")) {
            directory.open(name, FIRST).close();
        }
        for (String foreign : List.of("cursor", ".cursor", ".a.cursor", "a b.cursor", "a.cursors", "x.cursor.lock")) {
            storage.replace(foreign, new byte[0]);
        }
        assertThat(directory.names()).containsExactly("00000000000000000000.log", "a.cursor", "b");
    }

    @Test
    void shouldClearUpWhatAnInterruptedRegistrationLeft() throws IOException {
        storage.replace("old.cursor.tmp", new byte[10]);
        storage.replace(FILE + ".tmp", new byte[10]);
        open().close();
        assertThat(storage.list()).containsExactlyInAnyOrder(FILE, FILE + ".lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", ".a", "a/b", "a\\b", "a b", "ä", "a\n", "..", "a:b"})
    void shouldRefuseWhatIsNoName(String name) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> CursorName.check(name))
                .withMessageContaining("name=" + name);
    }

    @Test
    void shouldNameWhatIsNull() {
        assertThatNullPointerException()
                .isThrownBy(() -> CursorName.check((String) null))
                .withMessage("name");
    }

    @Test
    void shouldTakeNamesOf64Characters() {
        assertThat(CursorName.check("a".repeat(64))).hasSize(64);
        assertThat(CursorName.check("A-z_0.9")).isEqualTo("A-z_0.9");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> CursorName.check("a".repeat(65)));
    }

    @Test
    void shouldHaveOneWhoChangesCursors() throws Exception {
        CursorDirectory directory = new CursorDirectory(storage);
        WriterLock lock = directory.exclusive();
        List<String> order = new ArrayList<>();
        Thread other = new Thread(() -> {
            try (WriterLock second = directory.exclusive()) {
                order.add("second " + (second != null));
            } catch (IOException e) {
                order.add(e.toString());
            }
        });
        other.start();
        order.add("first");
        lock.close();
        other.join();
        assertThat(order).containsExactly("first", "second true");
    }

    /** Refuses the lock; a second goes by at each attempt. */
    private class Refusing implements ForwardingStorage {

        private final int others;
        private int attempts;
        private String holder = "";

        int attempts() {
            return attempts;
        }

        /** So many others take the lock first, one every 8 seconds; with 0 nobody ever gets it. */
        Refusing(int others) {
            this.others = others;
        }

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public WriterLock tryLock(String name) throws IOException {
            attempts++;
            boolean isTurn = attempts % 8 == 0;
            if (isTurn && attempts / 8 <= others) {
                new CursorDirectory(storage).exclusive().close();
            } else if (isTurn && others > 0) {
                return storage.tryLock(name);
            }
            return null;
        }

        @Override
        public String lockedHere(String name) {
            return holder;
        }

        WriterLock exclusive() throws IOException {
            return new CursorDirectory(this, () -> TimeUnit.SECONDS.toNanos(attempts)).exclusive();
        }
    }

    /** As many tailers that are opened at once. */
    @Test
    void shouldWaitAsLongAsOthersOfThisProcessGetTheirTurn() throws IOException {
        Refusing refusing = new Refusing(5);
        refusing.exclusive().close();
        assertThat(refusing.attempts).isEqualTo(48);
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldSayWhetherTheOneThatDoesNotGiveItBackIsHere() {
        Refusing other = new Refusing(0);
        assertThatExceptionOfType(LogLockedException.class)
                .isThrownBy(other::exclusive)
                .withMessageStartingWith("another process has been changing cursors for 10 s: directory=memory");
        Refusing here = new Refusing(0);
        here.holder = "thread=main";
        assertThatExceptionOfType(LogLockedException.class)
                .isThrownBy(here::exclusive)
                .withMessageStartingWith("this process has been changing cursors for 10 s: directory=memory")
                .withMessageContaining("holder: thread=main;");
    }

    /** Of a process with many logs some are in use at any time. */
    @Test
    void shouldNotWaitForOthersOfOtherDirectories() {
        Refusing busy = new Refusing(0) {
            @Override
            public WriterLock tryLock(String name) throws IOException {
                assertThat(attempts()).as("attempts, of a second each").isLessThan(20);
                for (int i = 0; i < 1000; i++) {
                    String directory = "other" + i;
                    Storage other = new Refusing(0) {
                        @Override
                        public WriterLock tryLock(String file) throws IOException {
                            return storage.tryLock(file);
                        }

                        @Override
                        public String description() {
                            return directory;
                        }
                    };
                    new CursorDirectory(other).exclusive().close();
                }
                return super.tryLock(name);
            }
        };
        assertThatExceptionOfType(LogLockedException.class).isThrownBy(busy::exclusive);
    }

    /** No thread can park with the flag up. */
    @Test
    void shouldKeepAnInterruptForLater() throws IOException {
        List<Boolean> flags = new ArrayList<>();
        Refusing refusing = new Refusing(1) {
            @Override
            public WriterLock tryLock(String name) throws IOException {
                flags.add(Thread.currentThread().isInterrupted());
                return super.tryLock(name);
            }
        };
        Thread.currentThread().interrupt();
        refusing.exclusive().close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(flags).hasSize(16);
        assertThat(flags.subList(1, flags.size())).containsOnly(false);
    }

    /** As another process finds the lock if anything in the one that has it has closed its file. */
    private CursorFile openWithoutLock() throws IOException {
        ForwardingStorage lockless = new ForwardingStorage() {
            @Override
            public Storage storage() {
                return storage;
            }

            @Override
            public WriterLock tryLock(String name) {
                return new WriterLock() {
                    @Override
                    public boolean isInPlace() {
                        return true;
                    }

                    @Override
                    public void close() {}
                };
            }
        };
        return new CursorDirectory(lockless).open("billing", FIRST);
    }

    @Test
    void shouldStoreNothingMoreOnceAnotherTailerHasTheCursor() throws IOException {
        try (CursorFile lost = openWithoutLock()) {
            lost.claim();
            lost.store(99, 128, 2);
            try (CursorFile other = openWithoutLock()) {
                other.claim();
                for (int i = 3; i < 6; i++) {
                    other.store(99, 64L * i, i);
                    for (int again = 0; again < 2; again++) {
                        assertThatExceptionOfType(LogLockedException.class)
                                .isThrownBy(() -> lost.store(99, 640, 10))
                                .withMessageContaining("file=" + FILE)
                                .withMessageContaining(
                                        "pid=" + ProcessHandle.current().pid());
                        assertThatExceptionOfType(LogLockedException.class).isThrownBy(lost::cutOff);
                    }
                    assertThat(new CursorDirectory(storage).read("billing")).isEqualTo(other.slot());
                }
            }
        }
    }

    /** It comes between a tailer's look for a repair and its write, or between that and the tailer's own mark. */
    @Test
    void shouldStoreAndMarkAfterTheMarkOfARepair() throws IOException {
        CursorDirectory directory = new CursorDirectory(storage);
        try (CursorFile cursor = open()) {
            cursor.claim();
            cursor.store(99, 128, 2);
            directory.cutOff("billing");
            CursorSlot seen = directory.read("billing");
            cursor.store(99, 192, 3);
            ByteBuffer late = CursorSlot.allocate();
            new CursorSlot(seen.generation(), 99, 128, 0, seen.storedAtMs(), seen.pid()).encode(late);
            try (StorageFile file = storage.open(FILE, Storage.Access.WRITE)) {
                file.write(CursorSlot.offset(seen.generation()), late.array(), 0, CursorSlot.LENGTH, WriteThrough.DATA);
            }
            cursor.cutOff();
            assertThat(directory.read("billing").isCutOff()).isTrue();
            directory.cutOff("billing");
            cursor.store(99, 192, 3);
        }
        assertThat(directory.read("billing").position()).isEqualTo(192);
    }

    /** A store that was seen, but not acknowledged, is in memory only: the next one overwrites the only durable slot. */
    @Test
    void shouldMakeTheNewestSlotDurableBeforeItOverwritesTheOther() throws IOException {
        try (CursorFile cursor = open()) {
            cursor.store(99, 128, 2);
        }
        ByteBuffer unsynced = CursorSlot.allocate();
        new CursorSlot(3, 99, 192, 3, 0, 1).encode(unsynced);
        try (StorageFile file = storage.open(FILE, Storage.Access.WRITE)) {
            file.write(CursorSlot.offset(3), unsynced.array(), 0, CursorSlot.LENGTH, WriteThrough.NONE);
        }
        storage = storage.afterKill();
        int operations = storage.operations();
        for (int cut = 1; cut <= 8; cut++) {
            CrashableStorage run = storage.afterKill().cutPowerAt(operations + cut);
            try (CursorFile cursor = new CursorDirectory(run).open("billing", null)) {
                assertThat(cursor.slot().position()).isEqualTo(192);
                cursor.claim();
                cursor.store(99, 256, 4);
            } catch (PowerCut off) {
                assertThat(off).isNotNull();
            }
            // So many, because few tear the sector just where the slot is.
            for (int seed = 0; seed < 3000; seed++) {
                CrashableStorage after = run.crash(new Random(seed), Loss.RANDOM);
                assertThat(new CursorDirectory(after).read("billing").position())
                        .as("cut %d, seed %d", cut, seed)
                        .isGreaterThanOrEqualTo(128);
            }
        }
    }
}
