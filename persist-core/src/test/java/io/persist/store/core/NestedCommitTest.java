package io.persist.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.space.Headroom.Reserve;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener commits, in the middle of a flush of a commit. */
class NestedCommitTest {

    private static final byte[] KEY = Texts.bytes("key");

    private final CrashableStorage storage = new CrashableStorage();

    /** The commit around it flushes because it waits for space, one thread at a time. */
    @Test
    void shouldBeRefusedAndLeaveTheTurnForSpaceToTheCommitAroundIt() throws ReflectiveOperationException {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(1 << 20)
                .writeMode(WriteMode.FILE)
                .build();
        StoreConfig config = StoreConfig.builder(log).build();
        try (StoreEngine store = new StoreOpener(config, null).open(storage, storage)) {
            StoreCore core = store.core();
            List<Throwable> refusals = new ArrayList<>();
            store.single().put(KEY, KEY, Durability.BUFFERED);
            core.log()
                    .listen(
                            Durability.FLUSHED,
                            end -> refusals.add(
                                    catchThrowable(() -> store.single().put(KEY, KEY, Durability.BUFFERED))));
            core.space().await(100, Reserve.KEEP);
            try {
                flush(core);
                assertThat(refusals).singleElement().isInstanceOf(IllegalStateException.class);
                assertThat(LogSpaceTurnTest.turn(core.space()).isMine()).isTrue();
            } finally {
                core.space().leave();
            }
        }
    }

    private static void flush(StoreCore core) {
        core.lock();
        try {
            core.writer().flush();
        } finally {
            core.unlock();
        }
    }
}
