package io.persist.store.checkpoint;

import static io.persist.store.checkpoint.CheckpointEntries.entry;
import static io.persist.store.checkpoint.CheckpointEntries.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.index.IndexImage.Scope;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint and those that it builds on are the index as it was; and are nothing if one of them is not right. */
class CheckpointChainTest {

    private static final long FIRST = 100;
    private static final long SECOND = 200;
    private static final long LAST = 300;

    private final CrashableStorage storage = new CrashableStorage();

    @AfterEach
    void checkHandles() {
        assertThat(storage.openHandles()).isZero();
    }

    @Test
    void shouldBeTheIndexAsItWasAtEachCheckpoint() {
        Seeds.run(20, seed -> {
            Random random = new Random(seed);
            CrashableStorage fresh = new CrashableStorage();
            try (CheckpointHistory history = new CheckpointHistory(fresh)) {
                int count = 2 + random.nextInt(12);
                for (int i = 1; i <= count; i++) {
                    history.change(random, 1 << random.nextInt(11));
                    if (random.nextInt(4) == 0) {
                        history.giveUp();
                    }
                    history.write(i * 64L, random.nextInt(5) == 0 ? Scope.ALL : Scope.CHANGED);
                }
                for (int i = 1; i <= count; i++) {
                    assertThat(read(fresh, i * 64L)).as("checkpoint %s", i).isEqualTo(history.written(i * 64L));
                }
            }
            assertThat(fresh.openHandles()).isZero();
        });
    }

    /** A whole one and two that build on it, each with other nodes of the same tree. */
    private CheckpointHistory writeThree() throws IOException {
        return writeThree(storage);
    }

    private static CheckpointHistory writeThree(CrashableStorage storage) throws IOException {
        CheckpointHistory history = new CheckpointHistory(storage);
        for (int i = 1000; i < 2000; i++) {
            history.put(entry("task/" + i, i, 1));
        }
        history.write(FIRST, Scope.ALL);
        history.put(entry("task/1000", 1, 2));
        history.write(SECOND, Scope.CHANGED);
        history.put(entry("task/1999", 1, 2));
        history.write(LAST, Scope.CHANGED);
        return history;
    }

    @Test
    void shouldTellOfWhatItIsMade() throws IOException {
        try (CheckpointHistory history = writeThree();
                CheckpointChain chain = open()) {
            ChainSummary summary = chain.summary();
            assertThat(summary.header().position()).isEqualTo(LAST);
            assertThat(summary.files()).isEqualTo(3);
            Checkpoints checkpoints = new Checkpoints(storage);
            assertThat(summary.wholeBytes()).isEqualTo(checkpoints.length(FIRST));
            assertThat(summary.bytes())
                    .isEqualTo(chain.length())
                    .isEqualTo(checkpoints.length(FIRST) + checkpoints.length(SECOND) + checkpoints.length(LAST));
            assertThat(checkpoints.length(LAST)).as("less than three nodes").isLessThan(4 * 4096L);
            assertThat(chain.tree().size()).isEqualTo(history.written(LAST).size());
            assertThat(chain.verify()).isGreaterThan(4);
        }
    }

    private CheckpointChain open() throws IOException {
        return CheckpointChain.open(storage, LAST, damaged -> {});
    }

    private CorruptLogException assertRefused(String message) {
        CorruptLogException[] thrown = new CorruptLogException[1];
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(() -> open().close())
                .withMessageContaining(message)
                .satisfies(e -> thrown[0] = e);
        return thrown[0];
    }

    private void damage(long position, int at) {
        byte[] content = storage.content(CheckpointName.of(position));
        content[at < 0 ? content.length + at : at] ^= 1;
        storage.replace(CheckpointName.of(position), content);
    }

    @ParameterizedTest
    @ValueSource(longs = {FIRST, SECOND, LAST})
    void shouldNameTheFileThatIsDamaged(long damaged) throws IOException {
        writeThree().close();
        for (int at : new int[] {0, 20, 100, -50, -1}) {
            damage(damaged, at);
            assertThat(assertRefused("").file()).as("byte %s", at).isEqualTo(CheckpointName.of(damaged));
            damage(damaged, at);
        }
        open().close();
    }

    /** The root is in the newest one; and a leaf that did not change in the oldest. */
    @ParameterizedTest
    @ValueSource(longs = {FIRST, LAST})
    void shouldTellOfTheFileWhoseNodeIsDamaged(long damaged) throws IOException {
        writeThree().close();
        ForgedCheckpoint whole =
                new ForgedCheckpoint(storage.content(CheckpointName.of(damaged)), CheckpointName.of(damaged));
        for (int number = 0; number < whole.footer().nodes(); number++) {
            damage(damaged, 4096 * (number + 1) + 7);
        }
        long[] told = new long[1];
        try (CheckpointChain chain = CheckpointChain.open(storage, LAST, position -> told[0] = position)) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(chain::verify)
                    .withMessageContaining("wrong checksum of node")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(CheckpointName.of(damaged)));
        }
        assertThat(told[0]).isEqualTo(damaged);
    }

    @ParameterizedTest
    @ValueSource(longs = {FIRST, SECOND})
    void shouldNameTheFileThatIsMissing(long missing) throws IOException {
        writeThree().close();
        storage.delete(CheckpointName.of(missing));
        assertRefused(CheckpointName.of(missing) + ", on which it builds, is missing");
    }

    @Test
    void shouldNotTakeAMissingCheckpointForADamagedOne() {
        assertThatExceptionOfType(FileNotFoundException.class).isThrownBy(this::open);
    }

    /** One of the same name that was written another time: a checkpoint that was replaced, or restored. */
    @ParameterizedTest
    @ValueSource(longs = {FIRST, SECOND})
    void shouldRefuseOneThatIsNotTheOneOnWhichItBuilds(long other) throws IOException {
        writeThree().close();
        CheckpointEntries.write(storage, other, CheckpointEntries.random(new Random(1), 100, 10)); // of another salt
        assertRefused(CheckpointName.of(other) + " is not the one on which it builds");
    }

    @ParameterizedTest
    @ValueSource(longs = {FIRST, SECOND})
    void shouldRefuseOneOfAnotherLog(long other) throws IOException {
        writeThree().close();
        String name = CheckpointName.of(other);
        ForgedCheckpoint forged = new ForgedCheckpoint(storage.content(name), name);
        storage.replace(
                name,
                forged.putInt(CheckpointHeader.LOG_ID_OFFSET, 4711).signHeader().content());
        assertRefused(name + " is not the one on which it builds");
    }

    @Test
    void shouldRefuseOneOfAnotherVersion() throws IOException {
        writeThree().close();
        String name = CheckpointName.of(FIRST);
        ForgedCheckpoint forged = new ForgedCheckpoint(storage.content(name), name);
        storage.replace(
                name,
                forged.putInt(CheckpointHeader.VERSION_OFFSET, 7).signHeader().content());
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(this::open)
                .withMessageContaining("version=7")
                .withMessageContaining("file=" + name);
    }

    /** Of a chain without its middle the rest does not say what the index was. */
    @Test
    void shouldRefuseAChainOfWhichAPartWasLeftOut() throws IOException {
        writeThree().close();
        String name = CheckpointName.of(LAST);
        CheckpointHeader first = CheckpointPart.header(storage, FIRST);
        ForgedCheckpoint forged = new ForgedCheckpoint(storage.content(name), name)
                .putLong(CheckpointHeader.PREDECESSOR_OFFSET, FIRST)
                .putLong(CheckpointHeader.PREDECESSOR_SALT_OFFSET, first.salt() + 1)
                .signHeader();
        storage.replace(name, forged.content());
        assertRefused(CheckpointName.of(FIRST) + " is not the one");
    }

    @Test
    void shouldRefuseATreeOfWhichANodeIsInNoFile() throws IOException {
        writeThree().close();
        String name = CheckpointName.of(LAST);
        ForgedCheckpoint forged = new ForgedCheckpoint(storage.content(name), name)
                .putLong(CheckpointHeader.PREDECESSOR_OFFSET, CheckpointHeader.NONE)
                .signHeader();
        storage.replace(name, forged.content());
        assertThat(assertRefused("is in none of the files").file()).isEqualTo(name);
    }

    @Test
    void shouldTakeAsManyFilesAsAChainMayHave() throws IOException {
        try (CheckpointHistory history = new CheckpointHistory(storage)) {
            for (int i = 1; i <= CheckpointChain.MAX_PARTS + 1; i++) {
                history.put(entry("key" + i, i, i));
                history.write(i, Scope.CHANGED);
            }
            long most = CheckpointChain.MAX_PARTS;
            assertThat(read(storage, most)).isEqualTo(history.written(most)).hasSize(CheckpointChain.MAX_PARTS);
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(() -> read(storage, most + 1))
                    .withMessageContaining("it builds on more than 63 checkpoints")
                    .satisfies(e -> assertThat(e.file()).isEqualTo(CheckpointName.of(most + 1)));
        }
    }

    /** What is read then is of the file that was opened, whatever its name is taken for. */
    @Test
    void shouldReadOnWhenItsFilesAreDeleted() throws IOException {
        try (CheckpointHistory history = writeThree();
                CheckpointChain chain = open()) {
            for (long position : new long[] {FIRST, SECOND, LAST}) {
                storage.delete(CheckpointName.of(position));
            }
            assertThat(chain.verify()).isGreaterThan(4);
            assertThat(chain.tree().size()).isEqualTo(history.written(LAST).size());
        }
    }
}
