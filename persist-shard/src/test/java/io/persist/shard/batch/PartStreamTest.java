package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.error.DamagedShardException;
import io.persist.shard.error.DeterminateException;
import io.persist.shard.error.LocationException;
import io.persist.shard.location.Blob;
import io.persist.shard.location.ForwardingBlob;
import io.persist.shard.location.ObjectPieces;
import io.persist.shard.location.mem.MemBlob;
import io.persist.shard.state.BatchPart;
import io.persist.support.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A part that is read in pieces has the rows of one that is read as a whole, each as long as is promised. */
class PartStreamTest {

    private static final LongPredicate ALL = time -> true;
    private static final int PART_BYTES = 1 << 20;

    /** A place in memory that has pieces; a read of one may fail. */
    private static Blob pieces(Blob blob, BooleanSupplier fails) {
        return new ForwardingBlob(blob) {
            @Override
            public boolean hasPieces() {
                return true;
            }

            @Override
            public @Nullable ObjectPieces open(String name) {
                byte[] bytes = blob.get(name);
                return bytes == null ? null : new Pieces(bytes, fails);
            }

            @Override
            public void close() {}
        };
    }

    private record Pieces(byte[] bytes, BooleanSupplier fails) implements ObjectPieces {
        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public int read(long from, byte[] target, int at, int length) {
            if (fails.getAsBoolean()) {
                throw new DeterminateException("not now", null);
            }
            int some = (int) Math.min(length, bytes.length - from);
            System.arraycopy(bytes, (int) from, target, at, some);
            return some;
        }

        @Override
        public void close() {}
    }

    private static PartStore store(Blob blob) {
        return new PartStore(blob, "s1", Duration.ZERO);
    }

    /** Short and long rows, some longer than a window. */
    private static BatchPart part(PartStore store, SplittableRandom random) {
        PartBuilder part = store.newPart("w1", PART_BYTES);
        int most = random.nextBoolean() ? 100 : random.nextInt(1, 3 * RowWindow.BYTES);
        for (int i = random.nextInt(500); i >= 0 && part.rowBytes() < PART_BYTES; i--) {
            byte[] value = new byte[random.nextInt(most)];
            random.nextBytes(value);
            byte[] key = String.format("%06d", 500 - i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            part.add(java.util.Arrays.copyOf(key, random.nextInt(8) == 0 ? 6 + most : 6), value, i % 7, 1);
        }
        Writing writing = new Writing(Writing.What.BATCH);
        BatchPart written = store.write("w1", part.sorted(), writing);
        writing.await();
        return written;
    }

    private static String text(Row row) {
        return new String(row.key(), java.nio.charset.StandardCharsets.UTF_8) + java.util.Arrays.hashCode(row.value())
                + " " + row.time() + " " + row.diff();
    }

    private static List<String> texts(Rows rows) {
        List<String> texts = new ArrayList<>();
        for (Row row = rows.next(); row != null; row = rows.next()) {
            texts.add(text(row));
        }
        return texts;
    }

    @Test
    void shouldHaveEachRowAsLongAsIsPromised() {
        Seeds.run(100, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            MemBlob memory = new MemBlob();
            boolean[] fails = new boolean[1];
            PartStore store = store(pieces(memory, () -> fails[0] && random.nextInt(4) == 0));
            LongPredicate wanted = random.nextBoolean() ? ALL : time -> time == 3;
            RowWindow window = new RowWindow();
            List<String> expected = new ArrayList<>();
            List<String> found = new ArrayList<>();
            String lastText = "";
            Row last = null;
            for (int i = 0; i < 2; i++) { // a run has several parts, and one window
                BatchPart part = part(store, random);
                expected.addAll(texts(store.read(part, wanted)));
                PartStore.Check check = PartStore.Check.values()[random.nextInt(2)];
                fails[0] = false;
                Rows rows = store.stream(part, window, wanted, check);
                fails[0] = true;
                while (true) {
                    Row row;
                    try {
                        row = rows.next();
                    } catch (LocationException again) {
                        continue;
                    }
                    assertThat(last == null ? "" : text(last)).isEqualTo(lastText);
                    if (row == null) {
                        break;
                    }
                    last = row;
                    lastText = text(row);
                    found.add(lastText);
                }
                fails[0] = false;
            }
            assertThat(found).isEqualTo(expected);
        });
    }

    /** A merge reads many runs at once: what each keeps are two pieces, whatever the length of its rows. */
    @Test
    void shouldKeepNoLongRow() {
        MemBlob memory = new MemBlob();
        PartStore store = store(pieces(memory, () -> false));
        PartBuilder part = store.newPart("w1", PART_BYTES);
        for (int i = 0; i < 4; i++) {
            part.add(new byte[] {(byte) i}, new byte[4 * RowWindow.BYTES], 0, 1);
        }
        part.add(new byte[] {4}, new byte[0], 0, 1);
        Writing writing = new Writing(Writing.What.BATCH);
        BatchPart written = store.write("w1", part, writing);
        writing.await();
        RowWindow window = new RowWindow();
        Rows rows = store.stream(written, window, ALL, PartStore.Check.AT_THE_END);
        int count = 0;
        for (Row row = rows.next(); row != null; row = rows.next()) {
            assertThat(window.bytes().length).isLessThanOrEqualTo(RowWindow.BYTES);
            count++;
        }
        assertThat(count).isEqualTo(5);
    }

    /** Before the first row, or with the last one: what lies between is never taken for the whole. */
    @Test
    void shouldNoticeEachDamage() {
        Seeds.run(100, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            MemBlob memory = new MemBlob();
            PartStore store = store(pieces(memory, () -> false));
            BatchPart part = part(store, random);
            byte[] bytes = memory.get(part.object());
            if (random.nextInt(8) == 0) {
                bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            } else {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            memory.set(part.object(), bytes);
            assertThatThrownBy(() -> store.stream(part, new RowWindow(), ALL, PartStore.Check.FIRST))
                    .isInstanceOf(DamagedShardException.class);
            assertThatThrownBy(() -> texts(store.stream(part, new RowWindow(), ALL, PartStore.Check.AT_THE_END)))
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining("object=" + part.object());
            memory.delete(part.object());
            assertThatThrownBy(() -> store.stream(part, new RowWindow(), ALL, PartStore.Check.AT_THE_END))
                    .isInstanceOf(DamagedShardException.class)
                    .hasMessageContaining("is missing");
        });
    }
}
