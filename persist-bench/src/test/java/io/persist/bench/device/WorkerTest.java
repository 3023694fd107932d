package io.persist.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.device.engine.Access;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.device.engine.Request;
import io.persist.bench.device.engine.Trait;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker asks an engine for. */
class WorkerTest {

    private static final int BLOCK = 4096;
    private static final int MOST = 100;

    @TempDir
    private Path directory;

    private final List<Long> offsets = new ArrayList<>();
    private final List<Long> synced = new ArrayList<>();
    private int mostInFlight;

    /** Ends the operations in the order of their begin. */
    private final class Recording implements Access {

        private final Deque<Request> begun = new ArrayDeque<>();

        @Override
        public void begin(Request request) {
            begun.add(request);
            mostInFlight = Math.max(mostInFlight, begun.size());
            assertThat(begun.stream().map(Request::slot)).doesNotHaveDuplicates();
            offsets.add(request.offset());
            if (request.isSynced()) {
                synced.add(request.number());
            }
        }

        @Override
        public Request await() {
            return begun.remove();
        }

        @Override
        public void close() {
            assertThat(begun).as("in flight at the end").isEmpty();
        }
    }

    private long work(Pattern pattern, long syncEvery, int depth, int blocks) throws IOException {
        DeviceEngine engine = DeviceEngine.of("recording", Set.of(Trait.QUEUES), List.of(), spec -> new Recording());
        Cell cell = new Cell(engine, pattern, Operation.WRITE, syncEvery, depth);
        TestFile file = new TestFile(directory.resolve("file"), (long) blocks * BLOCK);
        try (Worker worker = new Worker(cell, file, BLOCK, 1, () -> offsets.size() >= MOST)) {
            return worker.work(Long.MAX_VALUE / 2).latencies().getTotalCount();
        }
    }

    @Test
    void shouldKeepAsManyInFlightAsTheDepthAllowsAndCountAll() throws IOException {
        assertThat(work(Pattern.SEQ, 0, 3, 10)).isEqualTo(MOST);
        assertThat(mostInFlight).isEqualTo(3);
        assertThat(synced).isEmpty();
        assertThat(offsets).startsWith(0L, 4096L).contains(9L * BLOCK).doesNotContain(10L * BLOCK);
    }

    @Test
    void shouldSyncEveryNth() throws IOException {
        work(Pattern.RAND, 8, 1, 10);
        assertThat(synced).hasSize(MOST / 8).startsWith(8L, 16L, 24L);
    }

    @Test
    void shouldEmptyAFileThatGrowsWhenItHasItsLength() throws IOException {
        assertThat(work(Pattern.APPEND, 1, 2, 4)).isEqualTo(MOST);
        assertThat(offsets.subList(0, 6)).containsExactly(0L, 4096L, 8192L, 12_288L, 0L, 4096L);
        assertThat(synced).hasSize(MOST);
    }
}
