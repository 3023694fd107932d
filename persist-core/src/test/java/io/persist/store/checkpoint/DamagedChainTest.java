package io.persist.store.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.StoreRecovery;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Damaged nodes in the older files of a chain of checkpoints, which an opening finds when replay needs them. */
class DamagedChainTest {

    private static final int KEYS = 5000;
    private static final int FIRST_LEAF = 0;
    private static final StoreConfig CONFIG = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(64 << 10).build())
            .checkpointPercent(0)
            .maxSpaceRatio(0)
            .build();

    private final TreeMap<String, String> model = new TreeMap<>();
    private CrashableStorage storage = new CrashableStorage();

    private StoreLogger open() {
        return StoreLogger.open(CONFIG, storage, storage);
    }

    private void put(StoreLogger store, int from, int to) {
        Transaction transaction = store.begin();
        for (int i = from; i < to; i++) {
            String key = "key-" + (10_000 + i);
            String value = "value " + model.size() + " of " + i;
            transaction.put(Texts.bytes(key), Texts.bytes(value));
            model.put(key, value);
        }
        transaction.commit();
    }

    private void putAll(StoreLogger store) {
        for (int i = 0; i < KEYS; i += 500) {
            put(store, i, i + 500);
        }
    }

    /** Ends as a chain of two checkpoints, and behind each of them changes; those behind the newer one are few. */
    private void endAsChain(StoreLogger store, int between) {
        store.checkpoint();
        put(store, 1, 1 + between);
        store.checkpoint();
        put(store, 4000, 4001);
        storage = storage.afterKill();
        assertThat(catchThrowable(store::close)).isInstanceOfAny(PersistException.class, PowerCut.class);
    }

    /** Flips bits in nodes of the newest chain's files, but of the newest one; returns the names of all of them. */
    private List<String> damage() throws IOException {
        Checkpoints checkpoints = new Checkpoints(storage);
        List<String> chain = new ArrayList<>();
        long position = checkpoints.list().get(0);
        chain.add(CheckpointName.of(position));
        while (!checkpoints.header(position).isWhole()) {
            position = checkpoints.header(position).predecessor();
            chain.add(CheckpointName.of(position));
            damageNodes(position);
        }
        assertThat(chain).hasSizeGreaterThan(1);
        return chain;
    }

    /** All but those that any opening reads. */
    private void damageNodes(long position) throws IOException {
        byte[] bytes = storage.content(CheckpointName.of(position));
        try (CheckpointPart part = CheckpointPart.open(storage, position)) {
            for (int number = 0; number < part.nodes(); number++) {
                if (part.id(number) != FIRST_LEAF
                        && part.id(number) != part.tree().root()) {
                    bytes[(int) CheckpointDirectory.nodeOffset(number)] ^= 1;
                }
            }
        }
        storage.replace(CheckpointName.of(position), bytes);
    }

    private void assertOpensWithout(List<String> chain) {
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped())
                    .extracting(StoreRecovery.Skipped::file)
                    .isEqualTo(chain);
            assertThat(store.recovery().skipped())
                    .allSatisfy(skipped ->
                            assertThat(skipped.why()).contains("wrong checksum of node", chain.get(chain.size() - 1)));
            assertThat(Texts.state(store)).isEqualTo(model);
            assertThat(store.checkpoint()).isPositive();
        }
        for (String name : chain) {
            assertThat(storage.list()).contains(name + LogFileName.ASIDE_SUFFIX).doesNotContain(name);
        }
        try (StoreLogger store = open()) {
            assertThat(store.recovery().skipped()).isEmpty();
            assertThat(Texts.state(store)).isEqualTo(model);
        }
    }

    @Test
    void shouldOpenWithoutTheChain() throws IOException {
        StoreLogger store = open();
        putAll(store);
        endAsChain(store, 1);
        assertOpensWithout(damage());
    }

    /** So many that replay from the older checkpoint would leave them, and the node, to the open store. */
    @Test
    void shouldNotOpenWithTheRestOfTheChain() throws IOException {
        StoreLogger store = open();
        putAll(store);
        endAsChain(store, 1000);
        assertOpensWithout(damage());
    }

    @Test
    void shouldChangeNothing_WhenNothingElseCanBeUsed() throws IOException {
        StoreLogger store = open();
        putAll(store);
        putAll(store);
        assertThat(store.compact(Long.MAX_VALUE / 2)).isPositive();
        store.put(Texts.bytes("key"), Texts.bytes("value"));
        endAsChain(store, 1);
        List<String> chain = damage();
        for (String name : checkpoints()) {
            if (!chain.contains(name)) {
                storage.delete(name);
            }
        }
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CorruptLogException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining("no checkpoint of the store can be used");
            assertThat(checkpoints()).isEqualTo(chain);
        }
    }

    /** Names of all files of checkpoints, the newest first. */
    private List<String> checkpoints() {
        return storage.list().stream()
                .filter(name -> name.startsWith(CheckpointName.PREFIX))
                .sorted(Comparator.reverseOrder())
                .toList();
    }
}
