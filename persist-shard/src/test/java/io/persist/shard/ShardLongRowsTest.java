package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.error.DeterminateException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.location.file.FileBlob;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.location.mem.MemConsensus;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.support.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory has a bound by bytes, too: keys and values may be long. */
class ShardLongRowsTest {

    private static final int MIB = 1 << 20;
    private static final String SMALL_HEAP = "24m";

    @TempDir
    Path directory;

    private static List<Update<String, byte[]>> rows(int count, int valueLength, long time) {
        List<Update<String, byte[]>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(new Update<>(String.format("k%06d", i), new byte[valueLength], time, 1));
        }
        return rows;
    }

    /** The numbers of updates of all events. */
    private static List<Integer> events(ShardListener<String, byte[]> listener, long upper) throws Exception {
        List<Integer> counts = new ArrayList<>();
        while (listener.frontier().isBelow(Frontier.at(upper))) {
            if (listener.poll(ShardRig.LONG) instanceof ShardEvent.Updates<String, byte[]> event) {
                counts.add(event.updates().size());
            }
        }
        return counts;
    }

    /** An event that does not fit the heap would never be given, as what was gathered of it stays. */
    @Test
    void shouldEndAnEventOfALittleMoreThanItsBytes() throws Exception {
        ShardRig rig = new ShardRig();
        Shard<String, byte[]> shard = rig.client().shard(ShardRig.ID, Codec.utf8(), Codec.bytes());
        ShardReader<String, byte[]> reader = shard.reader();
        ShardWriter<String, byte[]> writer = shard.writer();
        writer.compareAndAppend(rows(1, 1, 0), 0, 1);
        writer.compareAndAppend(rows(3, 2 * MIB, 1), 1, 2);
        writer.compareAndAppend(rows(7, 2 * MIB / 5, 2), 2, 3);
        writer.compareAndAppend(rows(1_500, 1, 3), 3, 4);

        assertThat(events(reader.listen(0), 4)).containsExactly(1, 1, 1, 3, 3, 1 + 1_023, 477);
        assertThat(events(reader.subscribe(1), 2)).containsExactly(2, 1, 1);
    }

    /** Seven rows out of order are seven runs, each an object that counts as two of the eight that a merge may have. */
    @Test
    void shouldLeaveFewerRunsInABatchIfTheyAreLong() {
        ShardRig rig = new ShardRig(ShardConfig.builder().partBytes(MIB).mergedRuns(8));
        Shard<String, byte[]> shard = rig.client().shard(ShardRig.ID, Codec.utf8(), Codec.bytes());
        List<Update<String, byte[]>> rows = rows(7, 2 * MIB, 0);
        Collections.reverse(rows);
        shard.writer().compareAndAppend(rows, 0, 1);
        assertThat(shard.state().batches().get(0).runs()).extracting(List::size).containsExactly(1, 1, 1, 4);
    }

    /** By default a merge takes 48 runs of files: with a row of each in memory, and what they become. */
    @Test
    @Timeout(300)
    void shouldMergeAndReadRowsThatAreLongBesideTheHeap() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin(SMALL_HEAP, Small.class, directory))) {
            assertThat(child.hear()).isEqualTo("48 batches");
            assertThat(child.hear()).isEqualTo("few batches: true");
            assertThat(child.hear()).isEqualTo("read: 48");
            assertThat(child.hear()).isEqualTo("told: 48");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** Upkeep in the background that comes to nothing stands for one that is too slow. */
    @Test
    void shouldHoldAWriterUpBeforeItsRowsAreMoreThanTwoMergesHave() {
        Blob slow = new ForwardingBlob(FileBlob.open(directory)) {
            @Override
            public @Nullable ObjectPieces open(String name) {
                if (Thread.currentThread().getName().equals("shard-upkeep")) {
                    throw new DeterminateException("too slow", null);
                }
                return super.open(name);
            }

            @Override
            public void close() {}
        };
        ShardConfig config = ShardConfig.builder()
                .partBytes(MIB)
                .mergedRuns(8)
                .retryTime(Duration.ZERO)
                .build();
        try (ShardClient client = ShardClient.open(slow, new MemConsensus(), config)) {
            Shard<String, byte[]> shard = client.shard(ShardRig.ID, Codec.utf8(), Codec.bytes());
            ShardWriter<String, byte[]> writer = shard.writer();
            for (int time = 0; time < 30; time++) {
                writer.compareAndAppend(rows(1, MIB, time), time, time + 1);
                assertThat(shard.state().batches()).hasSizeLessThanOrEqualTo(2 * 8);
            }
        }
    }

    /** Updates that do not come in order: each batch has many runs, which no merge takes together. */
    @Test
    void shouldHoldAWriterUpWhoseBatchesHaveManyRuns() {
        Blob slow = new ForwardingBlob(new MemBlob()) {
            @Override
            public long read(String name, byte[] target) {
                if (Thread.currentThread().getName().equals("shard-upkeep")) {
                    throw new DeterminateException("too slow", null);
                }
                return super.read(name, target);
            }

            @Override
            public void close() {}
        };
        ShardConfig config = ShardConfig.builder()
                .partBytes(1 << 10)
                .mergedRuns(16)
                .retryTime(Duration.ZERO)
                .build();
        try (ShardClient client = ShardClient.open(slow, new MemConsensus(), config)) {
            Shard<String, byte[]> shard = client.shard(ShardRig.ID, Codec.utf8(), Codec.bytes());
            ShardWriter<String, byte[]> writer = shard.writer();
            for (int time = 0; time < 14; time++) {
                List<Update<String, byte[]>> rows = rows(15, 1 << 10, time);
                Collections.reverse(rows);
                writer.compareAndAppend(rows, time, time + 1);
                assertThat(shard.state().runs()).isLessThan(4 * 16);
            }
        }
    }

    /** The array of a part has a greatest length. What is refused is no part of the batch. */
    @Test
    @Timeout(300)
    void shouldRefuseARowThatIsTooLong() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("400m", TooLong.class))) {
            assertThat(child.hear())
                    .isEqualTo(
                            "a key of 268435457 bytes and a value of 268435457: together they have at most 536870912");
            assertThat(child.hear()).isEqualTo("appended: 1");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** A key and a value of a quarter of a GiB and one byte, which are one array, and such of none. */
    static final class TooLong {

        private static final byte[] LONG = new byte[256 * MIB + 1];

        private TooLong() {}

        public static void main(String[] arguments) {
            Codec<String> codec = Codec.of("long", text -> text.isEmpty() ? new byte[0] : LONG, array -> "");
            try (ShardClient client = new ShardRig().client()) {
                ShardWriter<String, String> writer =
                        client.shard(ShardRig.ID, codec, codec).writer();
                BatchBuilder<String, String> batch = writer.batch(Frontier.MINIMUM);
                try {
                    batch.add("key", "value", 0, 1);
                } catch (IllegalArgumentException refused) {
                    System.out.println(refused.getMessage());
                }
                batch.add("", "", 0, 1);
                System.out.println("appended: " + batch.finish(Frontier.at(1)).updates());
            }
        }
    }

    /**
     * Each row has the length of a part. A merge may have eight of these in memory, and writes some. With what is
     * around it one is a little shorter than a MiB: G1 has regions of that length, and what is longer takes two.
     */
    static final class Small {

        private static final int BATCHES = 48;
        private static final int LENGTH = MIB - (1 << 10);

        private Small() {}

        public static void main(String[] arguments) throws Exception {
            ShardConfig config = ShardConfig.builder()
                    .upkeep(ShardConfig.Upkeep.BY_CALL)
                    .partBytes(LENGTH)
                    .mergedRuns(8)
                    .build();
            Blob blob = FileBlob.open(Path.of(arguments[0]));
            try (ShardClient client = ShardClient.open(blob, new MemConsensus(), config)) {
                run(client.shard(ShardRig.ID, Codec.utf8(), Codec.bytes()));
            }
        }

        private static void run(Shard<String, byte[]> shard) throws InterruptedException {
            ShardReader<String, byte[]> reader = shard.reader();
            ShardListener<String, byte[]> listener = reader.subscribe(BATCHES - 1);
            ShardWriter<String, byte[]> writer = shard.writer();
            for (int time = 0; time < BATCHES; time++) {
                writer.compareAndAppend(List.of(new Update<>("k" + time, new byte[LENGTH], time, 1)), time, time + 1);
            }
            System.out.println(shard.state().batches().size() + " batches");
            shard.maintain();
            System.out.println("few batches: " + (shard.state().batches().size() < 8));
            int read = 0;
            try (Snapshot<String, byte[]> snapshot = reader.snapshot(BATCHES - 1, ShardRig.NOW)) {
                for (; snapshot.hasNext(); read++) {
                    snapshot.next();
                }
            }
            System.out.println("read: " + read);
            int told = 0;
            while (listener.poll(ShardRig.LONG) instanceof ShardEvent.Updates<String, byte[]> event) {
                told += event.updates().size();
            }
            System.out.println("told: " + told);
        }
    }
}
