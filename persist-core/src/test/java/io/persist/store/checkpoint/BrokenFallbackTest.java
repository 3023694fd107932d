package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compaction leaves to replay what it needs when the newer chain is damaged, and the older one was while it ran. */
class BrokenFallbackTest {

    private static final int KEYS = 2_000;

    /** Few, so that a checkpoint has few nodes, and their values are soon superfluous. */
    private static final int CHANGED = 10;

    private final CrashableStorage storage = new CrashableStorage();
    private final Checkpoints checkpoints = new Checkpoints(storage);

    @Test
    void shouldNotCountOnAChainThatHasLostItsBeginning() throws IOException {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.fill(store, KEYS, KEYS);
            store.checkpoint();
            long whole = checkpoints.list().get(0);
            Texts.fill(store, CHANGED, 500);
            store.checkpoint(); // builds on it
            assertThat(checkpoints.header(checkpoints.list().get(0)).isWhole()).isFalse();
            checkpoints.setAside(whole); // as whoever finds out that it is damaged does
            Texts.fill(store, CHANGED, 500);
            store.compact(Long.MAX_VALUE);
            damage(checkpoints.list());
        }
        try (StoreLogger store = Texts.open(storage)) {
            assertThat(store.recovery().checkpoint().isNone()).isTrue();
            assertThat(store.size()).isEqualTo(KEYS);
        }
    }

    /** The newest one. */
    private void damage(List<Long> positions) {
        String name = CheckpointName.of(positions.get(0));
        byte[] content = storage.content(name);
        content[CheckpointHeader.CHECKSUM_OFFSET] ^= 1;
        storage.replace(name, content);
    }
}
