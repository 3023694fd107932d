package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.persist.file.Storage.Access;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FaultyStorageTest {

    private final CrashableStorage memory = new CrashableStorage();
    private final FaultyStorage storage = new FaultyStorage(memory);

    @Test
    void shouldFailTheNthCallOnce() throws IOException {
        StorageFile file = storage.create("log");
        storage.fail(Verb.WRITE, 2);
        write(file, 10);
        assertThatIOException().isThrownBy(() -> write(file, 20)).withMessage("Input/output error (injected: WRITE 2)");
        write(file, 10);

        assertThat(file.length()).isEqualTo(10);
        assertThat(storage.calls(Verb.WRITE)).isEqualTo(3);
        assertThat(storage.injected()).isEqualTo(1);
    }

    @Test
    void shouldFailFromTheNthCallOnUntilHealed() throws IOException {
        StorageFile file = storage.create("log");
        storage.failFrom(Verb.SYNC, 1).message("Remote I/O error");
        assertThatIOException().isThrownBy(file::sync);
        assertThatIOException().isThrownBy(file::sync).withMessageStartingWith("Remote I/O error");
        storage.heal();
        file.sync();
    }

    @Test
    void shouldFailEveryVerb() throws IOException {
        StorageFile file = storage.create("log");
        write(file, 8);
        for (Verb verb : Verb.values()) {
            storage.heal().fail(verb, 1);
            assertThatIOException().as(verb.name()).isThrownBy(() -> {
                storage.open("log", Access.WRITE);
                write(file, 8);
                file.read(0, new byte[8], 0, 8);
                file.sync();
                file.map(8).force(0, 8);
                storage.create("other");
                storage.rename("other", "another");
                storage.delete("another");
                storage.syncDirectory();
                storage.list();
                storage.tryLock("lock");
            });
            if (memory.list().contains("other")) {
                memory.delete("other");
            } else if (memory.list().contains("another")) {
                memory.delete("another");
            }
        }
    }

    @Test
    void shouldWriteHalfOfAShortWrite() throws IOException {
        StorageFile file = storage.create("log");
        storage.shortWrite(1);
        assertThatIOException().isThrownBy(() -> write(file, 10));
        assertThat(file.length()).isEqualTo(5);
    }

    @Test
    void shouldLoseWhatALyingDeviceClaimsToHave() throws IOException {
        StorageFile file = storage.create("log");
        storage.syncDirectory();
        storage.lie(Verb.SYNC);
        write(file, 10);
        file.sync();

        CrashableStorage after = memory.crash(new Random(1), Loss.ALL_LOST);

        assertThat(after.content("log")).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> storage.lie(Verb.WRITE));
    }

    private static void write(StorageFile file, int length) throws IOException {
        file.write(0, new byte[length], 0, length, WriteThrough.NONE);
    }
}
