package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.error.DeterminateException;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The merge gives what sorting and summing gives, of any runs, also if reads fail and are repeated. */
class RowMergeTest {

    /** A row in an array with others before it, so that offsets count. */
    private static Row row(byte[] key, byte[] value, long time, long diff, SplittableRandom random) {
        int at = random.nextInt(5);
        byte[] bytes = new byte[at + (int) Row.length(key.length, value.length)];
        random.nextBytes(bytes);
        Row.put(key, value, time, diff, bytes, at);
        return Row.at(bytes, at);
    }

    /** Few different bytes, signed and unsigned ones: many are the same, or the beginning of another one. */
    private static byte[] bytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(4) == 0 ? 40 : 4)];
        byte[] few = {0, 1, 127, -128, -1};
        int different = random.nextInt(1, few.length + 1);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = few[random.nextInt(different)];
        }
        return bytes;
    }

    private static String text(Row row) {
        return Arrays.toString(row.key()) + Arrays.toString(row.value()) + " " + row.time();
    }

    /** Rows whose bytes are used again as soon as {@link Rows} lets them be, and that cannot be read now and then. */
    private static final class Fickle implements Rows {

        private final Iterator<Row> left;
        private final SplittableRandom random;
        private boolean mayFail;
        private byte[] last = {};
        private byte[] before = {};

        private Fickle(List<Row> rows, SplittableRandom random) {
            this.left = rows.iterator();
            this.random = random;
        }

        @Override
        public @Nullable Row next() {
            random.nextBytes(before);
            if (mayFail && random.nextInt(3) == 0) {
                throw new DeterminateException("not now", null);
            }
            before = last;
            if (!left.hasNext()) {
                return null;
            }
            Row row = left.next();
            last = new byte[row.length()];
            row.put(last, 0);
            return Row.at(last, 0);
        }
    }

    private static List<String> texts(RowMerge merge) {
        List<String> texts = new ArrayList<>();
        while (true) {
            Row row;
            try {
                row = merge.next();
            } catch (DeterminateException again) {
                continue;
            }
            if (row == null) {
                return texts;
            }
            texts.add(text(row) + " " + row.diff());
        }
    }

    @Test
    void shouldSumWhatIsTheSameInOrder() {
        Seeds.run(2_500, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            long since = random.nextInt(4);
            TreeMap<Row, Long> expected = new TreeMap<>(Row.ORDER);
            List<Fickle> runs = new ArrayList<>();
            for (int run = random.nextInt(10); run > 0; run--) {
                List<Row> rows = new ArrayList<>();
                for (int i = random.nextInt(20); i > 0; i--) {
                    Row row = row(bytes(random), bytes(random), random.nextInt(6), random.nextInt(-2, 3), random);
                    rows.add(row);
                }
                List<Row> sorted = Rows.summed(rows);
                sorted.forEach(row -> expected.merge(row.advancedTo(since), row.diff(), Long::sum));
                runs.add(new Fickle(sorted, random));
            }
            expected.values().removeIf(sum -> sum == 0);
            RowMerge merge = new RowMerge(runs, since);
            runs.forEach(run -> run.mayFail = true);
            List<String> found = texts(merge);
            List<String> wanted = new ArrayList<>();
            expected.forEach((row, sum) -> wanted.add(text(row) + " " + sum));
            assertThat(found).isEqualTo(wanted);
            assertThat(texts(merge)).isEmpty();
        });
    }
}
