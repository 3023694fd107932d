package io.persist.shard.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.file.disk.ProcessIdentity;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.file.FileBlob;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBlobTest extends BlobContract {

    /** What the name of a file that is being written ends with. */
    private static final String RANDOM = "-01234567-89ab-cdef-0123-456789abcdef.tmp";

    @TempDir
    private Path directory;

    @Override
    protected Blob open() {
        return Locations.blob("file://" + directory);
    }

    @Override
    protected boolean survives() {
        return true;
    }

    @Test
    void shouldSayThatItSurelyDidNotHappen() {
        for (Verb verb : new Verb[] {Verb.CREATE, Verb.WRITE, Verb.SYNC}) {
            CrashableStorage memory = new CrashableStorage();
            FaultyStorage faulty = new FaultyStorage(memory);
            Blob blob = FileBlob.open(faulty);
            faulty.fail(verb, 1);
            assertThatThrownBy(() -> blob.set("a", new byte[] {1}))
                    .as(verb.name())
                    .isInstanceOf(DeterminateException.class)
                    .hasMessageContaining("object=a");
            assertThat(blob.get("a")).isNull();
            assertThat(memory.list()).isEmpty();
            blob.set("a", new byte[] {1});
            assertThat(blob.get("a")).containsExactly(1);
        }
    }

    @Test
    void shouldSayThatItMayHaveHappened() {
        for (Verb verb : new Verb[] {Verb.RENAME, Verb.SYNC_DIRECTORY}) {
            FaultyStorage faulty = new FaultyStorage(new CrashableStorage());
            Blob blob = FileBlob.open(faulty);
            faulty.fail(verb, 1);
            assertThatThrownBy(() -> blob.set("a", new byte[] {1}))
                    .as(verb.name())
                    .isInstanceOf(IndeterminateException.class);
        }
        FaultyStorage faulty = new FaultyStorage(new CrashableStorage());
        Blob blob = FileBlob.open(faulty);
        blob.set("a", new byte[] {1});
        faulty.fail(Verb.SYNC_DIRECTORY, 1);
        assertThatThrownBy(() -> blob.delete("a")).isInstanceOf(IndeterminateException.class);
    }

    /** It is written again for as long as calls are repeated: the files would be more and more. */
    @Test
    void shouldLeaveNoFileBehindIfItCannotBeRenamed() throws Exception {
        CrashableStorage memory = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(memory);
        Blob blob = FileBlob.open(faulty);
        for (int attempt = 0; attempt < 3; attempt++) {
            faulty.fail(Verb.RENAME, 1);
            assertThatThrownBy(() -> blob.set("a", new byte[] {1})).isInstanceOf(IndeterminateException.class);
        }
        assertThat(memory.list()).isEmpty();
        blob.set("a", new byte[] {1});
        assertThat(memory.list()).hasSize(1);
    }

    @Test
    void shouldDeleteManyWithOneSync() {
        CrashableStorage memory = new CrashableStorage();
        Blob blob = FileBlob.open(memory);
        List<String> names = List.of("a", "b", "c");
        names.forEach(name -> blob.set(name, new byte[] {1}));
        int before = memory.operations();
        assertThat(blob.deleteAll(names)).isEqualTo(3);
        assertThat(memory.operations() - before).isEqualTo(3 + 1);
        assertThat(blob.deleteAll(List.of())).isZero();
        assertThat(memory.operations() - before).isEqualTo(3 + 1);
    }

    /** The attempt that has removed the files has failed behind that, so the next one finds none. */
    @Test
    void shouldHaveDeletedForEverWhenARepetitionSaysSo() {
        List<String> names = List.of("a", "b");
        List<Consumer<Blob>> deletions = List.of(blob -> blob.deleteAll(names), blob -> names.forEach(blob::delete));
        for (Consumer<Blob> deletion : deletions) {
            CrashableStorage memory = new CrashableStorage();
            FaultyStorage faulty = new FaultyStorage(memory);
            Blob blob = FileBlob.open(faulty);
            names.forEach(name -> blob.set(name, new byte[] {1}));
            for (int attempt = 0; attempt < 2; attempt++) {
                faulty.fail(Verb.SYNC_DIRECTORY, 1);
                assertThatThrownBy(() -> deletion.accept(blob)).isInstanceOf(IndeterminateException.class);
            }
            deletion.accept(blob);
            CrashableStorage left = memory.crash(new Random(1), Loss.ALL_LOST);
            names.forEach(name -> assertThat(FileBlob.open(left).get(name)).isNull());
        }
    }

    @Test
    void shouldDeleteWhatDeadProcessesHaveLeft() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.write(directory.resolve(dead.pid() + RANDOM), new byte[1]);
        Files.write(directory.resolve(ProcessHandle.current().pid() + RANDOM), new byte[1]);
        Files.write(directory.resolve("notes.txt"), new byte[1]);
        try (Blob blob = open()) {
            assertThat(blob.get("a")).isNull();
            assertThat(directory.toFile().list())
                    .containsExactlyInAnyOrder(ProcessHandle.current().pid() + RANDOM, "notes.txt");
        }
    }

    /** The directory may be one that somebody has other things in. */
    @Test
    void shouldLeaveFilesOfOthersAlone() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        String[] others = {
            dead.pid() + "-notes.tmp",
            "99999999999-notes.tmp",
            dead.pid() + "-s1-n1-notes.tmp",
            dead.pid() + "-01234567-89ab-cdef-0123456789-abcdef.tmp",
            "my%20notes.blob",
            "%zz.blob",
            "n".repeat(Blob.MAX_NAME + 1) + ".blob"
        };
        for (String other : others) {
            Files.write(directory.resolve(other), new byte[1]);
        }
        try (Blob blob = open()) {
            blob.set("a", new byte[] {1});
            List<String> names = new ArrayList<>();
            blob.list("", (name, length) -> names.add(name));
            assertThat(names).containsExactly("a");
        }
        assertThat(directory.toFile().list()).contains(others).hasSize(others.length + 1);
    }

    /** In a container it is always the same number, and in another pid namespace each time. */
    @Test
    void shouldDeleteWhatAnEarlierProcessOfItsNumberHasLeft() throws Exception {
        CrashableStorage memory = new CrashableStorage();
        FaultyStorage faulty = new FaultyStorage(memory);
        faulty.fail(Verb.SYNC, 1);
        faulty.fail(Verb.DELETE, 1);
        assertThatThrownBy(() -> FileBlob.open(faulty).set("a", new byte[] {1}))
                .isInstanceOf(DeterminateException.class);
        String own = memory.list().get(0);
        ProcessIdentity self = ProcessIdentity.current();
        String start = "-s" + self.start() + "-";
        String namespace = "-n" + self.namespace() + "-";
        assertThat(own).startsWith(self.pid() + start).contains(namespace);
        String earlier = own.replace(start, "-s" + (self.start() - 1) + "-");
        String ofAnEarlierContainer = earlier.replace(namespace, "-n" + (self.namespace() + 1) + "-");
        String ofAnotherContainer = own.replace(namespace, "-n" + (self.namespace() + 1) + "-");
        for (String file : List.of(earlier, ofAnEarlierContainer, ofAnotherContainer)) {
            memory.create(file).close();
        }
        FileBlob.open(memory);
        assertThat(memory.list()).containsExactlyInAnyOrder(own, ofAnotherContainer);
    }

    /** One that lives, and an earlier one that had its number. */
    @Test
    void shouldKeepWhatAnotherProcessWrites() throws Exception {
        ProcessIdentity other = ProcessIdentity.of(
                ProcessHandle.current().parent().orElseThrow().pid());
        String writing = other.pid() + "-s" + other.start() + "-n" + other.namespace() + RANDOM;
        String leftOver = other.pid() + "-s" + (other.start() + 1) + "-n" + other.namespace() + RANDOM;
        CrashableStorage memory = new CrashableStorage();
        for (String file : List.of(writing, leftOver)) {
            memory.create(file).close();
        }
        FileBlob.open(memory);
        assertThat(memory.list()).containsExactly(writing);
    }

    /** Another opening, of another process, deletes them at the same time. */
    @Test
    void shouldOpenThoughALeftOverCannotBeDeleted() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        String leftOver = dead.pid() + RANDOM;
        CrashableStorage memory = new CrashableStorage();
        memory.create(leftOver).close();
        FaultyStorage faulty = new FaultyStorage(memory);
        faulty.fail(Verb.DELETE, 1);
        Blob blob = FileBlob.open(faulty);
        assertThat(memory.list()).as("it was tried").contains(leftOver);
        blob.set("a", new byte[] {1});
        assertThat(FileBlob.open(faulty).get("a")).containsExactly(1);
        assertThat(memory.list()).doesNotContain(leftOver);
    }

    @Test
    void shouldRefuseWhatIsNoDirectory() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[1]);
        assertThatThrownBy(() -> Locations.blob("file://" + file)).isInstanceOf(DeterminateException.class);
        assertThatThrownBy(() -> Locations.blob("file://host/directory")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Locations.blob("file://" + directory + "/run#1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("; in its name write %23 for # and %3F for ?");
        assertThat(directory.resolve("run")).doesNotExist();
        Locations.blob("file://" + directory + "/run%231").close();
        assertThat(directory.resolve("run#1")).isDirectory();
        assertThatThrownBy(() -> Locations.blob("ftp://host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("known are [file, mem]");
        assertThatThrownBy(() -> Locations.consensus("file:///tmp"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("known are [journal, mem]");
    }
}
