package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.StoreLogger;
import io.persist.error.LogIOException;
import io.persist.index.KeyIndex;
import io.persist.index.node.NodeSource;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.layer.LayeredSnapshot;
import io.persist.support.Allocation;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while the index takes over what is on the log: it can be tried again, or the store has failed. */
class SettlerTest {

    private static final int KEYS = 20_000;
    private static final int CHANGES = 100;

    private final CrashableStorage storage = new CrashableStorage();
    private final StoreConfig config = StoreConfig.builder(
                    LogConfig.builder(Path.of("store")).segmentLength(4 << 20).build())
            .checkpointPercent(0)
            .build();

    /** Reads as the index's own source does, but for one read. */
    private static final class OneBadRead implements NodeSource {

        private final NodeSource source;
        private int readsToFailure;
        private @Nullable Throwable failure;

        OneBadRead(NodeSource source, int readsToFailure, Throwable failure) {
            this.source = source;
            this.readsToFailure = readsToFailure;
            this.failure = failure;
        }

        @Override
        public boolean has(int id) {
            return source.has(id);
        }

        @Override
        public void read(int id, ByteBuffer target, int at) {
            Throwable now = failure;
            if (now != null && readsToFailure-- == 0) {
                failure = null;
                throwIt(now);
            }
            source.read(id, target, at);
        }

        private static void throwIt(Throwable thrown) {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }

        @Override
        public RuntimeException damaged(int id, String what) {
            return source.damaged(id, what);
        }

        @Override
        public void close() {
            source.close();
        }
    }

    private static byte[] key(int number) {
        return Texts.bytes("key/" + (1_000_000 + number));
    }

    @BeforeEach
    void putAll() {
        try (StoreLogger store = StoreLogger.open(config, storage, storage)) {
            for (int i = 0; i < KEYS; i++) {
                store.put(key(i), new byte[] {1});
            }
            store.checkpoint();
        }
    }

    /** A store whose index has to read nodes for changes that it has not got, of which the number that is said fails. */
    private StoreEngine open(int readsToFailure, Throwable failure) {
        StoreEngine store = new StoreOpener(config, null).open(storage, storage);
        store.core().lock();
        try {
            KeyIndex index = store.core().state().index();
            index.source(new OneBadRead(index.source(), readsToFailure, failure));
        } finally {
            store.core().unlock();
        }
        new HeldSettler(store)
                .publish(staged -> IntStream.range(0, CHANGES)
                        .forEach(i -> staged.put(key(i * KEYS / CHANGES), new byte[] {2}, 0, 1)));
        return store;
    }

    private void assertHasAll(StoreLogger store) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(store.getBytes(key(i))).as("key %d", i).containsExactly(i % (KEYS / CHANGES) == 0 ? 2 : 1);
        }
        assertThat(store.size()).isEqualTo(KEYS);
    }

    /** A late error may come in the middle of a change: nobody may go on with what the index is then. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20})
    void shouldEndTheStoreAtAnErrorThatMayHaveLeftHalfOfAChange(int readsToFailure) {
        StackOverflowError late = new StackOverflowError();
        StoreEngine store = open(readsToFailure, late);
        Settler settler = store.core().settler();
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(settler::settle)
                .withCause(late);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(settler::lockSettled);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(store.core()::lock);
        assertThatThrownBy(store::close).isInstanceOf(LogIOException.class);
        try (StoreLogger again = StoreLogger.open(config, storage, storage)) {
            assertHasAll(again);
        }
    }

    @Test
    void shouldTryAgainAfterANodeCouldNotBeRead() {
        LogIOException unread = new LogIOException("cannot read a node", null);
        try (StoreEngine store = open(20, unread)) {
            Settler settler = store.core().settler();
            assertThatThrownBy(settler::settle).isSameAs(unread);
            settler.settle();
            assertThat(store.core().ask(store.core().state()::isSettled)).isTrue();
        }
        try (StoreLogger again = StoreLogger.open(config, storage, storage)) {
            assertHasAll(again);
        }
    }

    /** What a call holds has to end, also if it has met a heap that is full. */
    @Test
    void shouldNotNeedMemoryToEndWhatItHolds() {
        try (StoreEngine store = new StoreOpener(config, null).open(storage, storage)) {
            StoreCore core = store.core();
            Runnable nothing = () -> {};
            long least = Long.MAX_VALUE;
            for (int i = 0; i < Allocation.TRIES; i++) { // at first classes are loaded
                LayeredSnapshot moment = core.read(core::snapshot);
                Runnable end = () -> {
                    core.settler().close(moment);
                    core.lockedAnyway(nothing);
                };
                least = Math.min(least, Allocation.in(1, end));
                assertThat(core.state().index().openSnapshots()).isZero();
            }
            assertThat(least).as("bytes allocated").isZero();
        }
    }
}
