package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A listener that is behind has a reader for each run that it has to read. */
class RunReaderTest {

    private static final String WRITER = "w1";
    private static final int PART_BYTES = 1 << 20;
    private static final int ROWS = 10;
    private static final int COLLECTIONS = 10;

    /** The arrays that objects were read into. They are short: none is kept to be used again. */
    private final List<WeakReference<byte[]>> read = new ArrayList<>();

    private final PartStore store = new PartStore(
            new ForwardingBlob(new MemBlob()) {
                @Override
                public long read(String name, byte[] target) {
                    assertThat(isFree()).as("when the next one is read").isTrue();
                    read.add(new WeakReference<>(target));
                    return super.read(name, target);
                }

                @Override
                public void close() {}
            },
            "s1",
            Duration.ZERO);

    private boolean isFree() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            if (read.stream().allMatch(array -> array.refersTo(null))) {
                return true;
            }
        }
        return false;
    }

    private BatchPart part(int from) {
        RunWriter run = new RunWriter(store, new Writing(Writing.What.BATCH), WRITER, PART_BYTES);
        PartBuilder part = store.newPart(WRITER, PART_BYTES);
        for (int i = from; i < from + ROWS; i++) {
            part.add(new byte[] {(byte) i}, new byte[0], 0, 1);
        }
        run.add(part);
        return run.finish(0).get(0);
    }

    private void readAll(List<BatchPart> run) {
        BatchState batch = new BatchState(Frontier.MINIMUM, Frontier.at(1), Frontier.MINIMUM, List.of(run));
        Rows rows = RunReader.of(store, batch, time -> true).get(0);
        int count = 0;
        while (rows.next() != null) {
            count++;
        }
        assertThat(count).isEqualTo(run.size() * ROWS);
        assertThat(read).hasSize(run.size());
        assertThat(isFree()).as("at the end").isTrue();
        assertThat(rows.next()).isNull();
    }

    @Test
    void shouldKeepNoObjectWhenItHasEnded() {
        readAll(List.of(part(0)));
    }

    @Test
    void shouldHaveOneObjectAtATime() {
        readAll(List.of(part(0), part(ROWS)));
    }
}
