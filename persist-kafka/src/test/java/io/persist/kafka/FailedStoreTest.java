package io.persist.kafka;

import static io.persist.kafka.Task.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

import io.persist.StoreLogger;
import io.persist.error.IndexFullException;
import io.persist.log.LogConfig;
import io.persist.store.Direction;
import io.persist.store.KeyRange;
import io.persist.store.StoreConfig;
import io.persist.store.read.StoreScan;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.query.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process that has no memory left: what Kafka is told, and that the store lets go of its files. */
class FailedStoreTest {

    private final CrashableStorage disk = new CrashableStorage();
    private StoreLogger log;
    private OpenStore store;

    @BeforeEach
    void open() {
        StoreConfig config = StoreConfig.builder(LogConfig.builder(Path.of("state"))
                        .segmentLength(64 << 10)
                        .build())
                .build();
        log = spy(StoreLogger.open(config, disk, new CrashableStorage()));
        StoreHeader first = StoreHeader.first(ValueFormat.PLAIN);
        store = new OpenStore(
                log,
                first,
                PersistSettings.of(Map.of()),
                new StoreErrors("orders", Path.of("state")),
                Path.of("state", ".checkpoint"));
        store.put(bytes("a"), bytes("1"));
    }

    /** No operating system says anything of it. */
    @Test
    void shouldSayWhatGivesAScanMemory() {
        IndexFullException full = new IndexFullException("no memory left for the index", null);
        doThrow(full).when(log).scan(any(), any());
        doThrow(full).when(log).size();
        for (Runnable reading : new Runnable[] {() -> store.scan(KeyRange.all(), Direction.FORWARD), store::size}) {
            assertThatThrownBy(reading::run)
                    .isInstanceOf(ProcessorStateException.class)
                    .hasMessage("store orders in state has no memory for a scan: no memory left for the index:"
                            + " close iterators, or raise -XX:MaxDirectMemorySize");
        }
        store.commit(Map.of(Task.CHANGELOG, 1L), Position.emptyPosition());
        store.close();
    }

    @Test
    void shouldCloseItsLogThoughAnIteratorCannotBeClosed() {
        StoreScan scan = mock(StoreScan.class);
        doThrow(new OutOfMemoryError("to close it")).when(scan).close();
        doReturn(scan).when(log).scan(any(), any());
        assertThat(store.scan(KeyRange.all(), Direction.FORWARD)).isNotNull();
        assertThatThrownBy(store::close).hasMessage("to close it");
        assertThat(disk.openHandles()).isZero();
    }
}
