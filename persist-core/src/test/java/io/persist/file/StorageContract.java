package io.persist.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.persist.file.Storage.Access;
import io.persist.file.StorageFile.WriteThrough;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every storage does, the real one and the ones of tests. */
public abstract class StorageContract {

    protected Storage storage;

    protected abstract Storage newStorage() throws IOException;

    @BeforeEach
    void createStorage() throws IOException {
        storage = newStorage();
    }

    @Test
    void shouldBeEmptyAtFirst() throws IOException {
        assertThat(storage.list()).isEmpty();
        assertThat(storage.usableBytes()).isPositive();
        assertThat(storage.description()).isNotBlank();
    }

    @Test
    void shouldListTheFilesThatWereCreated() throws IOException {
        storage.create("a").close();
        storage.create("b").close();
        assertThat(storage.list()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void shouldCreateAnEmptyFile() throws IOException {
        try (StorageFile file = storage.create("a")) {
            assertThat(file.length()).isZero();
            assertThat(file.read(0, new byte[8], 0, 8)).isZero();
        }
    }

    @Test
    void shouldNotCreateAFileThatExists() throws IOException {
        write("a", "content");
        assertThatIOException().isThrownBy(() -> storage.create("a")).withMessageContaining("exists already");
        assertThat(read("a")).isEqualTo("content");
    }

    @Test
    void shouldNotOpenAFileThatDoesNotExist() throws IOException {
        for (Access access : Access.values()) {
            assertThatExceptionOfType(FileNotFoundException.class)
                    .isThrownBy(() -> storage.open("a", access))
                    .withMessageContaining("no such file");
        }
        assertThat(storage.list()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatWasWritten(WriteThrough through) throws IOException {
        try (StorageFile file = storage.create("a")) {
            file.write(0, ascii("xx1234yy"), 2, 4, through);
            file.write(4, ascii("5678"), 0, 4, through);
            file.write(2, ascii("-"), 0, 1, through);
            file.sync();
            assertThat(file.length()).isEqualTo(8);
        }
        assertThat(read("a")).isEqualTo("12-45678");
    }

    @Test
    void shouldSeeAllKindsOfWritesInOneFile() throws IOException {
        try (StorageFile file = storage.create("a")) {
            file.write(0, ascii("aaaa"), 0, 4, WriteThrough.NONE);
            file.write(4, ascii("bbbb"), 0, 4, WriteThrough.DATA);
            file.write(8, ascii("cccc"), 0, 4, WriteThrough.ALL);
            file.write(12, ascii("dddd"), 0, 4, WriteThrough.NONE);
            file.write(2, ascii("BB"), 0, 2, WriteThrough.DATA);
        }
        assertThat(read("a")).isEqualTo("aaBBbbbbccccdddd");
    }

    @Test
    void shouldReadAPartAndNothingBehindTheEnd() throws IOException {
        write("a", "0123456789");
        try (StorageFile file = storage.open("a", Access.READ)) {
            byte[] target = ascii("________");
            assertThat(file.read(7, target, 2, 6)).isEqualTo(3);
            assertThat(new String(target, US_ASCII)).isEqualTo("__789___");
            assertThat(file.read(10, target, 0, 8)).isZero();
            assertThat(file.read(100, target, 0, 8)).isZero();
            assertThat(file.read(0, target, 0, 2)).isEqualTo(2);
            assertThat(new String(target, US_ASCII)).startsWith("01");
        }
    }

    @Test
    void shouldFillAGapWithZeros() throws IOException {
        try (StorageFile file = storage.create("a")) {
            file.write(3, ascii("x"), 0, 1, WriteThrough.NONE);
        }
        assertThat(read("a")).isEqualTo("\0\0\0x");
    }

    @Test
    void shouldNotWriteToAFileOpenedForReading() throws IOException {
        write("a", "content");
        try (StorageFile file = storage.open("a", Access.READ)) {
            assertThatIOException().isThrownBy(() -> file.write(0, ascii("x"), 0, 1, WriteThrough.NONE));
            try (Mapping mapping = file.map(7)) {
                assertThatExceptionOfType(ReadOnlyBufferException.class)
                        .isThrownBy(() -> mapping.buffer().put(0, (byte) 1));
            }
        }
        assertThat(read("a")).isEqualTo("content");
    }

    @Test
    void shouldShareMappedStoresWithEveryReaderAndMapping() throws IOException {
        try (StorageFile file = storage.create("a")) {
            file.write(0, new byte[8192], 0, 8192, WriteThrough.NONE);
            try (Mapping mapping = file.map(8192);
                    StorageFile other = storage.open("a", Access.READ);
                    Mapping reader = other.map(4096)) {
                assertThat(mapping.buffer().isDirect()).isTrue();
                assertThat(mapping.buffer().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
                assertThat(reader.buffer().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
                assertThat(mapping.buffer().capacity()).isEqualTo(8192);
                assertThat(reader.buffer().capacity()).isEqualTo(4096);

                mapping.buffer().putInt(100, 0x01020304);
                assertThat(reader.buffer().getInt(100)).isEqualTo(0x01020304);
                byte[] read = new byte[4];
                assertThat(other.read(100, read, 0, 4)).isEqualTo(4);
                assertThat(read).containsExactly(4, 3, 2, 1);

                file.write(200, new byte[] {5}, 0, 1, WriteThrough.NONE);
                assertThat(reader.buffer().get(200)).isEqualTo((byte) 5);
                mapping.force(0, 8192);
                mapping.force(100, 4);
                mapping.force(4097, 1);
            }
        }
    }

    @Test
    void shouldKeepAMappingWhenItsFileIsClosedRenamedOrDeleted() throws IOException {
        write("a", "12345678");
        StorageFile file = storage.open("a", Access.WRITE);
        try (Mapping mapping = file.map(8)) {
            file.close();
            storage.rename("a", "b");
            mapping.buffer().put(0, (byte) 'x');
            mapping.force(0, 8);
            assertThat(read("b")).isEqualTo("x2345678");
            storage.delete("b");
            assertThat(mapping.buffer().get(1)).isEqualTo((byte) '2');
        }
    }

    @Test
    void shouldNotMapMoreThanTheFileHas() throws IOException {
        write("a", "12345678");
        for (Access access : Access.values()) {
            try (StorageFile file = storage.open("a", access)) {
                assertThatIOException()
                        .isThrownBy(() -> file.map(9))
                        .withMessageContaining("length=8")
                        .withMessageContaining("needed=9");
                assertThat(file.length()).isEqualTo(8);
            }
        }
    }

    @Test
    void shouldLetAMappingBeClosedTwice() throws IOException {
        write("a", "12345678");
        try (StorageFile file = storage.open("a", Access.WRITE)) {
            Mapping mapping = file.map(8);
            mapping.close();
            mapping.close();
        }
    }

    @Test
    void shouldRenameInPlaceOfAnotherFile() throws IOException {
        write("a", "new");
        write("b", "old");
        storage.rename("a", "b");
        storage.syncDirectory();
        assertThat(storage.list()).containsExactly("b");
        assertThat(read("b")).isEqualTo("new");
    }

    @Test
    void shouldNotRenameOrDeleteWhatDoesNotExist() {
        assertThatIOException().isThrownBy(() -> storage.rename("a", "b"));
        assertThatIOException().isThrownBy(() -> storage.delete("a"));
    }

    @Test
    void shouldDeleteAFile() throws IOException {
        write("a", "content");
        storage.delete("a");
        storage.syncDirectory();
        assertThat(storage.list()).isEmpty();
        storage.create("a").close();
        assertThat(read("a")).isEmpty();
    }

    @Test
    void shouldLockOnceUntilClosed() throws IOException {
        WriterLock lock = storage.tryLock("lock");
        assertThat(lock).isNotNull();
        assertThat(storage.tryLock("lock")).isNull();
        assertThat(storage.tryLock("lock")).isNull();
        lock.close();
        try (WriterLock again = storage.tryLock("lock")) {
            assertThat(again).isNotNull();
            assertThat(storage.list()).containsExactly("lock");
        }
    }

    @Test
    void shouldLockFilesIndependently() throws IOException {
        try (WriterLock one = storage.tryLock("one");
                WriterLock two = storage.tryLock("two")) {
            assertThat(one).isNotNull();
            assertThat(two).isNotNull();
        }
    }

    @Test
    void shouldKeepALockOfSomebodyElseWhenClosedTwice() throws IOException {
        WriterLock first = storage.tryLock("lock");
        assertThat(first).isNotNull();
        first.close();
        try (WriterLock second = storage.tryLock("lock")) {
            assertThat(second).isNotNull();
            first.close();
            assertThat(storage.tryLock("lock")).isNull();
        }
    }

    @Test
    void shouldRefuseToUseAClosedFile() throws IOException {
        StorageFile file = storage.create("a");
        file.close();
        file.close();
        assertThatIOException().isThrownBy(file::length);
        assertThatIOException().isThrownBy(() -> file.write(0, ascii("x"), 0, 1, WriteThrough.NONE));
        assertThatIOException().isThrownBy(() -> file.read(0, new byte[1], 0, 1));
        assertThatIOException().isThrownBy(file::sync);
    }

    @Test
    void shouldGoOnAtTheRightPlaceAfterAFailedAccess() throws IOException {
        try (StorageFile file = storage.create("a")) {
            file.write(0, ascii("1234"), 0, 4, WriteThrough.NONE);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> file.write(4, ascii("x"), 0, 2, WriteThrough.NONE));
            file.write(4, ascii("5678"), 0, 4, WriteThrough.NONE);
        }
        assertThat(read("a")).isEqualTo("12345678");
    }

    protected final void write(String name, String content) throws IOException {
        try (StorageFile file = storage.create(name)) {
            file.write(0, ascii(content), 0, content.length(), WriteThrough.NONE);
        }
    }

    protected final String read(String name) throws IOException {
        try (StorageFile file = storage.open(name, Access.READ)) {
            byte[] bytes = new byte[(int) file.length()];
            assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
            return new String(bytes, US_ASCII);
        }
    }

    protected static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
