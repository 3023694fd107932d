package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.IndeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.model.Frontier;
import io.persist.shard.state.BatchPart;
import io.persist.shard.state.BatchState;
import io.persist.support.Seeds;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is written as runs is what was added, however it comes, and whoever writes it. */
class RunWriterTest {

    private static final String WRITER = "w1";
    private static final int PART_BYTES = 1 << 10;

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static PartStore store(Blob blob, PartWriters writers) {
        return new PartStore(blob, "s1", Duration.ZERO, writers);
    }

    private static Rows read(PartStore store, List<List<BatchPart>> runs) {
        BatchState batch = new BatchState(Frontier.MINIMUM, Frontier.EMPTY, Frontier.MINIMUM, runs);
        return new RowMerge(RunReader.of(store, batch, time -> true), 0);
    }

    private static Map<String, Long> sums(Rows rows) {
        Map<String, Long> sums = new TreeMap<>();
        for (Row row = rows.next(); row != null; row = rows.next()) {
            String text = Arrays.toString(row.key()) + Arrays.toString(row.value()) + row.time();
            assertThat(sums.put(text, row.diff())).isNull();
        }
        return sums;
    }

    /** Random rows, in order for a while and then not, long ones among short ones. */
    @Test
    void shouldReadWhatWasAdded() {
        Seeds.run(200, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            try (PartWriters writers =
                    random.nextBoolean() ? PartWriters.start(PART_BYTES) : PartWriters.none(PART_BYTES)) {
                PartStore store = store(new MemBlob(), writers);
                Writing writing = new Writing(Writing.What.BATCH);
                Map<String, Long> expected = new TreeMap<>();
                List<List<BatchPart>> runs = new ArrayList<>();
                RunWriter run = new RunWriter(store, writing, WRITER, PART_BYTES);
                int chunks = random.nextInt(1, 20);
                int number = 0;
                for (int chunk = 0; chunk < chunks; chunk++) {
                    PartBuilder part = store.newPart(WRITER, PART_BYTES);
                    boolean isOrdered = random.nextInt(3) > 0;
                    for (int i = random.nextInt(40); i > 0 && !part.isWhole(); i--) {
                        int which = isOrdered ? number++ : random.nextInt(10);
                        byte[] key = bytes(String.format("%08d", which));
                        byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(5_000) : random.nextInt(3)];
                        long time = random.nextInt(3);
                        long diff = random.nextInt(-2, 3);
                        part.add(key, value, time, diff);
                        expected.merge(Arrays.toString(key) + Arrays.toString(value) + time, diff, Long::sum);
                    }
                    PartBuilder sorted = part.sorted();
                    if (!run.isFollowedBy(sorted)) {
                        runs.add(run.finish(0));
                        run = new RunWriter(store, writing, WRITER, PART_BYTES);
                    }
                    run.add(sorted);
                }
                runs.add(run.finish(random.nextInt(3) * 500));
                writing.await();
                expected.values().removeIf(sum -> sum == 0);
                assertThat(sums(read(store, runs))).isEqualTo(expected);
                assertThat(runs.stream()
                                .flatMap(List::stream)
                                .mapToInt(BatchPart::updates)
                                .sum())
                        .isGreaterThanOrEqualTo(expected.size());
            }
        });
    }

    private static PartBuilder part(PartStore store, int from, int count) {
        PartBuilder part = store.newPart(WRITER, PART_BYTES);
        for (int i = from; i < from + count; i++) {
            part.add(bytes(String.format("%06d", i)), new byte[0], 0, 1); // 30 bytes
        }
        return part;
    }

    /** What is left in the end joins the last part if it is short: an object more is two syncs more. */
    @Test
    void shouldJoinAShortRest() {
        PartStore store = store(new MemBlob(), PartWriters.none(PART_BYTES));
        RunWriter joined = new RunWriter(store, new Writing(Writing.What.BATCH), WRITER, PART_BYTES);
        joined.add(part(store, 0, 35));
        joined.add(part(store, 35, 35));
        joined.add(part(store, 70, 1));
        joined.add(part(store, 71, 1));
        joined.add(part(store, 72, 1)); // more than a sixteenth of the part
        assertThat(joined.finish(0)).extracting(BatchPart::updates).containsExactly(35, 37, 1);

        RunWriter parted = new RunWriter(store, new Writing(Writing.What.BATCH), WRITER, PART_BYTES);
        parted.add(part(store, 0, 35));
        parted.add(part(store, 35, 3));
        parted.add(part(store, 38, 3)); // together less than a part
        assertThat(parted.finish(0)).extracting(BatchPart::updates).containsExactly(35, 6);
    }

    /** A part is whole with it, and does not grow on. */
    @Test
    void shouldTakeNoMoreForALongRowThanItNeeds() {
        PartStore store = store(new MemBlob(), PartWriters.none(PART_BYTES));
        PartBuilder part = store.newPart(WRITER, PART_BYTES);
        part.add(new byte[1], new byte[64 * PART_BYTES], 0, 1);
        int length = part.length() + PartBytes.CHECKSUM_BYTES;
        assertThat(part.takeBytes().length).isEqualTo(length);
    }

    /** Arrays are used again, but not while their bytes are being written. */
    @Test
    void shouldLeaveAnArrayAloneThatIsBeingWritten() {
        MemBlob memory = new MemBlob();
        Blob slow = new ForwardingBlob(memory) {
            @Override
            public void create(String name, ByteBuffer bytes) {
                byte[] copy = new byte[bytes.remaining()];
                for (int i = 0; i < copy.length; i++) {
                    copy[i] = bytes.get(i);
                    if (i % 1_000 == 0) {
                        Thread.yield();
                    }
                }
                memory.create(name, copy);
            }

            @Override
            public void close() {}
        };
        int partBytes = 100 << 10;
        try (PartWriters writers = PartWriters.start(partBytes)) {
            PartStore store = store(slow, writers);
            Writing writing = new Writing(Writing.What.BATCH);
            RunWriter run = new RunWriter(store, writing, WRITER, partBytes);
            int number = 0;
            for (int i = 0; i < 60; i++) {
                PartBuilder part = store.newPart(WRITER, partBytes);
                while (!part.isWhole()) {
                    part.add(bytes(String.format("%06d", number++)), new byte[2_000], 0, 1);
                }
                run.add(part);
            }
            List<BatchPart> parts = run.finish(0);
            writing.await();
            assertThat(sums(read(store, List.of(parts)))).hasSize(number);
        }
    }

    /** The first failure is told whatever is asked, so that nobody names what is not there. */
    @Test
    void shouldSayAtEachCallThatAnObjectIsMissing() {
        CountDownLatch mayFail = new CountDownLatch(1);
        Blob full = new ForwardingBlob(new MemBlob()) {
            @Override
            public void create(String name, ByteBuffer bytes) {
                try {
                    mayFail.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw new DeterminateException("the disk is full", null);
            }

            @Override
            public void close() {}
        };
        try (PartWriters writers = PartWriters.start(PART_BYTES)) {
            PartStore store = store(full, writers);
            Writing writing = new Writing(Writing.What.BATCH);
            RunWriter run = new RunWriter(store, writing, WRITER, PART_BYTES);
            run.add(part(store, 0, 35));
            run.add(part(store, 35, 35));
            assertThat(run.objects()).hasSize(1); // it is on its way
            mayFail.countDown();
            writing.settle();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(writing::await)
                        .isInstanceOf(DeterminateException.class)
                        .hasMessage("the disk is full");
                assertThatThrownBy(() -> run.finish(10_000)).isInstanceOf(DeterminateException.class);
            }
        }
    }

    /** Also of those whose answer was lost: whoever gives the run up deletes them. */
    @Test
    void shouldKnowEachObjectThatMayBeThere() {
        MemBlob memory = new MemBlob();
        Blob lost = new ForwardingBlob(memory) {
            @Override
            public void create(String name, ByteBuffer bytes) {
                super.create(name, bytes);
                throw new IndeterminateException("no answer", null);
            }

            @Override
            public void close() {}
        };
        PartStore store = store(lost, PartWriters.none(PART_BYTES));
        for (int whole = 0; whole < 2; whole++) { // a short part, and a whole one
            RunWriter run = new RunWriter(store, new Writing(Writing.What.BATCH), WRITER, PART_BYTES);
            int rows = 1 + 35 * whole;
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 3; i++) {
                            run.add(part(store, 100 * i, rows));
                        }
                        run.finish(0);
                        run.finish(0);
                    })
                    .isInstanceOf(IndeterminateException.class);
            assertThat(run.objects()).containsExactlyInAnyOrderElementsOf(store.list());
            memory.deleteAll(store.list());
        }
    }
}
