package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The merge gives what sorting and summing gives, of any runs. */
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

    private static Rows rows(List<Row> rows) {
        Iterator<Row> left = rows.iterator();
        return () -> left.hasNext() ? left.next() : null;
    }

    @Test
    void shouldSumWhatIsTheSameInOrder() {
        Seeds.run(5_000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            long since = random.nextInt(4);
            TreeMap<Row, Long> expected = new TreeMap<>(Row.ORDER);
            List<Rows> runs = new ArrayList<>();
            for (int run = random.nextInt(10); run > 0; run--) {
                List<Row> rows = new ArrayList<>();
                for (int i = random.nextInt(20); i > 0; i--) {
                    Row row = row(bytes(random), bytes(random), random.nextInt(6), random.nextInt(-2, 3), random);
                    rows.add(row);
                }
                List<Row> sorted = Rows.summed(rows);
                sorted.forEach(row -> expected.merge(row.advancedTo(since), row.diff(), Long::sum));
                runs.add(rows(sorted));
            }
            expected.values().removeIf(sum -> sum == 0);
            List<String> found = new ArrayList<>();
            RowMerge merge = new RowMerge(runs, since);
            for (Row row = merge.next(); row != null; row = merge.next()) {
                found.add(text(row) + " " + row.diff());
            }
            List<String> wanted = new ArrayList<>();
            expected.forEach((row, sum) -> wanted.add(text(row) + " " + sum));
            assertThat(found).isEqualTo(wanted);
            assertThat(merge.next()).isNull();
        });
    }
}
