package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A file of the newest chain is found to be damaged while the store is in use: nothing counts on that any more. */
class BrokenFallbackTest {

    private static final int KEYS = 2_000;

    /** Few, so that a checkpoint has few nodes, and their values are soon superfluous. */
    private static final int CHANGED = 10;

    /** A byte of the first node in a file: of the leaf that has the keys that change. */
    private static final int NODE = (int) CheckpointDirectory.nodeOffset(0) + 3000;

    private static final String LAST_KEY = "key-" + (KEYS - 1);

    private final CrashableStorage storage = new CrashableStorage();
    private final Checkpoints checkpoints = new Checkpoints(storage);

    /** All nodes are in memory: so the next checkpoint needs nothing of the chain that has lost its beginning. */
    @Test
    void shouldNotBuildOnAChainThatHasLostItsBeginning() throws IOException {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.fill(store, KEYS, KEYS);
            store.checkpoint();
            long whole = newest();
            Texts.fill(store, CHANGED, 500);
            store.checkpoint(); // builds on it
            assertThat(checkpoints.header(newest()).isWhole()).isFalse();
            checkpoints.setAside(whole); // as whoever finds out that it is damaged does
            assertThat(store.checkpoint()).as("although nothing has changed").isPositive();
            assertThat(checkpoints.header(newest()).isWhole()).isTrue();
            Texts.fill(store, CHANGED, 500);
            store.checkpoint();
            assertThat(checkpoints.isWhole(newest())).isTrue();
            checkpoints.setAside(newest());
            Texts.fill(store, CHANGED, 500);
            store.compact(Long.MAX_VALUE);
            flipBit(newest(), CheckpointHeader.CHECKSUM_OFFSET);
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().skipped()).hasSize(1);
            assertThat(store.recovery().checkpoint().isNone()).isFalse();
            assertThat(store.size()).isEqualTo(KEYS);
        }
    }

    /** The older chain is good, and has to stay so until there is a new one: what is left of the newer one is not. */
    @Test
    void shouldKeepTheOlderChainWhenADamagedNodeIsFoundWhileTheStoreIsInUse() throws IOException {
        Map<String, String> content;
        try (StoreLogger store = Texts.open(storage)) {
            for (int i = 0; i < 3; i++) { // the second one builds on the first one, and makes the chain long enough
                Texts.fill(store, KEYS, KEYS);
                store.checkpoint();
            }
            assertThat(checkpoints.header(newest()).isWhole()).isTrue();
            Texts.fill(store, CHANGED, 500);
            store.checkpoint();
            content = Texts.state(store);
        }
        long changed = newest();
        long whole = checkpoints.header(changed).predecessor();
        flipBit(whole, NODE);
        flipBit(changed, NODE);
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().skipped()).isEmpty();
            assertDamaged(changed, () -> Texts.state(store));
            Texts.put(store, LAST_KEY, "a value of a node that can be read");
            content.put(LAST_KEY, "a value of a node that can be read");
            for (int failures = 1; failures <= 2; failures++) {
                assertDamaged(changed, store::checkpoint);
                assertThat(store.statistics().checkpoint().failures()).isEqualTo(failures);
                assertThat(store.statistics().checkpoint().lastFailure()).contains(CheckpointName.of(changed));
            }
            assertDamaged(changed, () -> store.compact(Long.MAX_VALUE));
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().skipped())
                    .singleElement()
                    .satisfies(skipped -> assertThat(skipped.file()).isEqualTo(CheckpointName.of(whole)));
            assertThat(store.recovery().checkpoint().position()).isPositive().isLessThan(whole);
            assertThat(Texts.state(store)).isEqualTo(content);
            assertThat(store.checkpoint()).isPositive();
        }
    }

    private static void assertDamaged(long position, ThrowingCallable call) {
        assertThatExceptionOfType(CorruptLogException.class)
                .isThrownBy(call)
                .satisfies(damage -> assertThat(damage.file()).isEqualTo(CheckpointName.of(position)))
                .withMessageContaining("wrong checksum of node");
    }

    private long newest() throws IOException {
        return checkpoints.list().get(0);
    }

    private void flipBit(long position, int at) {
        String name = CheckpointName.of(position);
        byte[] content = storage.content(name);
        content[at] ^= 1;
        storage.replace(name, content);
    }
}
