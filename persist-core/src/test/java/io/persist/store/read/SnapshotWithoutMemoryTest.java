package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.LogIOException;
import io.persist.index.KeyIndex;
import io.persist.log.Durability;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.Texts;
import io.persist.store.engine.ReadStore;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.support.ChildJvm;
import io.persist.support.FullHeap;
import io.persist.testkit.CrashableStorage;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** There is memory for a part of a snapshot or a scan only: nobody has it then, who could close it. */
class SnapshotWithoutMemoryTest {

    /** With G1 memory that was given back counts once it is a whole region. */
    @Test
    void shouldLeaveNoneOpen() throws Exception {
        List<String> command = ChildJvm.brieflyWithin("24m", NoMemory.class);
        command.add(1, "-XX:+UseSerialGC");
        try (ChildJvm child = ChildJvm.run(command)) {
            assertThat(child.hear()).isEqualTo("snapshots: some did not begin, 0 are open");
            assertThat(child.hear()).isEqualTo("scans: some did not begin, 0 are open");
            assertThat(child.hear()).isEqualTo("of a view: some did not begin, 0 are open");
        }
    }

    static final class NoMemory {

        /** Together more than a scan needs. */
        private static final Object[] PIECES = new Object[1_000];

        private static final int PIECE_LENGTH = 32;
        private static final Object[] BALLAST = new Object[500_000];

        private NoMemory() {}

        public static void main(String[] arguments) {
            System.out.println(
                    "snapshots: " + tried((store, storage) -> attempts(store.snapshots()::open, index(store))));
            System.out.println("scans: "
                    + tried((store, storage) ->
                            attempts(() -> store.snapshots().scan(KeyRange.all(), Direction.FORWARD), index(store))));
            System.out.println("of a view: "
                    + tried((store, storage) -> {
                        try (ReadStore view = ReadStore.open(storage, storage)) {
                            return attempts(view::snapshot, view.state().index());
                        }
                    }));
        }

        /** With another store, if the thread of the first one was the one that got no memory: then the log has failed. */
        private static String tried(BiFunction<StoreEngine, CrashableStorage, String> attempts) {
            while (true) {
                CrashableStorage storage = new CrashableStorage();
                try (StoreEngine store = new StoreOpener(Texts.config(), null).open(storage, storage)) {
                    store.single().put(new byte[] {1}, new byte[] {11}, Durability.BUFFERED);
                    String found = attempts.apply(store, storage);
                    if (!store.core().writer().positions().hasFailed()) {
                        return found;
                    }
                } catch (LogIOException failed) {
                    // Another one.
                }
            }
        }

        private static KeyIndex index(StoreEngine store) {
            return store.core().state().index();
        }

        /** With more and more memory until one begins. */
        private static String attempts(Supplier<AutoCloseable> opener, KeyIndex index) {
            close(opener.get()); // what is needed at first only is made here
            for (int i = 0; i < PIECES.length; i++) {
                PIECES[i] = new byte[PIECE_LENGTH];
            }
            FullHeap.fill(BALLAST);
            AutoCloseable opened = null;
            int failed = 0;
            try {
                while (opened == null && failed < PIECES.length) {
                    try {
                        opened = opener.get();
                    } catch (OutOfMemoryError full) {
                        PIECES[failed++] = null;
                    }
                }
            } finally {
                Arrays.fill(BALLAST, null);
            }
            if (opened != null) {
                close(opened);
            }
            return (failed > 0 ? "some" : "none") + " did not begin, " + index.openSnapshots() + " are open";
        }

        private static void close(AutoCloseable opened) {
            try {
                opened.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
