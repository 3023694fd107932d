package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.read;
import static io.persist.store.checkpoint.CheckpointEntries.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage;
import io.persist.index.KeyIndex;
import io.persist.store.checkpoint.CheckpointEntries.Entry;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever stops a checkpoint: those that were there are untouched, and none is there that is not whole. */
class CheckpointFaultTest {

    private static final long OLDEST = 100;
    private static final long OLDER = 200;
    private static final long NEW = 300;

    private final Random random = new Random(Seeds.seed());
    private final Map<Long, List<Entry>> contents = new TreeMap<>();

    CheckpointFaultTest() {
        for (long position : new long[] {OLDEST, OLDER, NEW}) {
            contents.put(position, CheckpointEntries.random(random, 400, 1024));
        }
    }

    private CrashableStorage withOldOnes() throws IOException {
        CrashableStorage storage = new CrashableStorage();
        write(storage, OLDEST, contents.get(OLDEST));
        write(storage, OLDER, contents.get(OLDER));
        return storage;
    }

    /** Each checkpoint that has its name is whole. */
    private void checkAll(CrashableStorage storage) throws IOException {
        Checkpoints checkpoints = new Checkpoints(storage);
        checkpoints.deleteTemporaries();
        for (long position : checkpoints.list()) {
            assertThat(read(storage, position)).as("position %s", position).isEqualTo(contents.get(position));
        }
        assertThat(storage.list()).hasSameSizeAs(checkpoints.list());
        assertThat(storage.openHandles()).isZero();
    }

    // ---- the power

    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldHaveTheNewOneOrTheOldOnesAfterAPowerCut(Loss loss) throws IOException {
        for (int cut = 1; ; cut++) {
            CrashableStorage storage = withOldOnes();
            storage.cutPowerAt(storage.operations() + cut);
            boolean isFinished = false;
            boolean isDone = false;
            try {
                write(storage, NEW, contents.get(NEW));
                isFinished = true;
                new Checkpoints(storage).deleteOlder(CheckpointEntries.LOG_ID);
                isDone = true;
            } catch (PowerCut off) {
                assertThat(storage.isOff()).isTrue();
            }
            CrashableStorage after = storage.crash(random, loss);
            checkAll(after);
            List<Long> left = new Checkpoints(after).list();
            assertThat(left).contains(OLDER);
            if (isFinished) {
                assertThat(left).contains(NEW);
            } else {
                assertThat(left).contains(OLDEST);
            }
            if (isDone) {
                assertThat(cut).as("operations of a checkpoint of some blocks").isGreaterThan(8);
                return;
            }
        }
    }

    // ---- errors

    private void checkFailed(CrashableStorage storage) throws IOException {
        checkAll(storage);
        assertThat(new Checkpoints(storage).list()).contains(OLDER, OLDEST);
        long length = write(storage, NEW, contents.get(NEW)); // and the next attempt goes well
        assertThat(new Checkpoints(storage).length(NEW)).isEqualTo(length);
        checkAll(storage);
    }

    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"CREATE", "WRITE", "SYNC", "RENAME", "SYNC_DIRECTORY"})
    void shouldThrowWhateverFails(Verb verb) throws IOException {
        for (int call = 1; ; call++) {
            CrashableStorage storage = withOldOnes();
            FaultyStorage faulty = new FaultyStorage(storage).fail(verb, call);
            try {
                write(faulty, NEW, contents.get(NEW));
                assertThat(faulty.injected()).isZero();
                assertThat(call).isGreaterThan(verb == Verb.WRITE ? 5 : 1);
                return;
            } catch (IOException failed) {
                assertThat(failed).hasMessageContaining("injected: " + verb);
            }
            assertThat(storage.list()).noneMatch(CheckpointName::isTemporary);
            checkFailed(storage);
        }
    }

    /** A sync that failed once must not be taken for one that went well later. */
    @ParameterizedTest
    @EnumSource(Loss.class)
    void shouldNotNameWhatADeviceRefused(Loss loss) throws IOException {
        CrashableStorage storage = withOldOnes();
        storage.hook((number, what) -> {
            if (what.startsWith("sync ")) {
                throw new IOException("Input/output error");
            }
        });
        assertThatIOException().isThrownBy(() -> write(storage, NEW, contents.get(NEW)));
        CrashableStorage after = storage.crash(random, loss);
        checkAll(after);
        assertThat(new Checkpoints(after).list()).containsExactly(OLDER, OLDEST);
    }

    @Test
    void shouldLeaveTheTemporaryFileToTheNextOneIfItCannotBeDeleted() throws IOException {
        CrashableStorage storage = withOldOnes();
        FaultyStorage faulty = new FaultyStorage(storage).fail(Verb.WRITE, 2).failFrom(Verb.DELETE, 1);
        assertThatIOException()
                .isThrownBy(() -> write(faulty, NEW, contents.get(NEW)))
                .withMessageContaining("WRITE");
        assertThat(storage.list()).contains(CheckpointName.temporary(NEW));
        Checkpoints checkpoints = new Checkpoints(storage);
        assertThat(checkpoints.list()).containsExactly(OLDER, OLDEST);
        try (CheckpointWriter writer = checkpoints.create(checkpoints.header(1, NEW, 1, null), bytes -> {})) {
            CheckpointEntries.finish(writer, contents.get(NEW));
        }
        checkAll(storage);
        assertThat(checkpoints.list()).containsExactly(NEW, OLDER, OLDEST);
    }

    @Test
    void shouldThrowWhenTheDeviceIsFull() throws IOException {
        CrashableStorage whole = withOldOnes();
        long length = write(whole, NEW, contents.get(NEW));
        for (long room = 0; room < length; room += 1 + random.nextInt(20_000)) {
            CrashableStorage storage = withOldOnes();
            long used = (1L << 40) - storage.usableBytes();
            storage.capacityBytes(used + room);
            assertThatIOException()
                    .isThrownBy(() -> write(storage, NEW, contents.get(NEW)))
                    .withMessageContaining("No space left");
            assertThat(storage.list()).noneMatch(CheckpointName::isTemporary);
            storage.capacityBytes(1L << 40);
            checkFailed(storage);
        }
    }

    @Test
    void shouldNotGoOnAfterAFailure() throws IOException {
        FaultyStorage faulty = new FaultyStorage(new CrashableStorage());
        try (CheckpointWriter writer = CheckpointWriter.create(faulty, CheckpointEntries.header(NEW), bytes -> {});
                KeyIndex index = CheckpointEntries.index(contents.get(NEW));
                IndexImage image = index.image(IndexImage.Scope.ALL)) {
            faulty.shortWrite(1);
            assertThatIOException().isThrownBy(() -> writer.add(image));
            assertThatIllegalStateException().isThrownBy(() -> writer.add(image));
            assertThatIllegalStateException().isThrownBy(() -> writer.finish(image, CheckpointEntries.NO_SEGMENTS));
        }
        assertThat(faulty.list()).isEmpty();
    }

    @Test
    void shouldEndWhenThePaceSaysSo() throws IOException {
        CrashableStorage storage = withOldOnes();
        int[] writes = new int[1];
        assertThatIOException()
                .isThrownBy(() -> write(storage, NEW, contents.get(NEW), bytes -> {
                    if (++writes[0] == 3) {
                        throw new IOException("the store is being closed");
                    }
                }))
                .withMessage("the store is being closed");
        assertThat(storage.list()).noneMatch(CheckpointName::isTemporary);
        checkFailed(storage);
    }

    @Test
    void shouldTellAReadErrorFromDamage() throws IOException {
        CrashableStorage storage = withOldOnes();
        for (int call = 1; call <= 3; call++) {
            FaultyStorage faulty = new FaultyStorage(storage).fail(Verb.READ, call);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> read(faulty, OLDER))
                    .withMessageContaining("injected: READ");
        }
        assertThat(storage.openHandles()).isZero();
    }
}
