package io.persist.shard.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.bytes.ByteSource;
import io.persist.support.ChildJvm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PartRowsTest {

    private static final int LONG = 24 << 20;

    /** The last row of a part is copied, and a long row is the last one of its part. */
    @Test
    @Timeout(300)
    void shouldGiveTheLastRowAgainIfThereWasNoMemoryForIt() throws Exception {
        try (ChildJvm child = ChildJvm.run(ChildJvm.brieflyWithin("128m", Full.class))) {
            assertThat(child.hear()).isEqualTo("full");
            assertThat(child.hear()).isEqualTo("a row of " + LONG);
            assertThat(child.hear()).isEqualTo("the end");
            assertThat(child.awaitEnd()).isZero();
        }
    }

    /** Its heap is full at the first call, and not any more at the second one. */
    static final class Full {

        private static final List<byte[]> KEPT = new ArrayList<>();

        private Full() {}

        public static void main(String[] arguments) {
            PartRows rows = longRow();
            fill();
            try {
                System.out.println(text(rows.next()));
            } catch (OutOfMemoryError full) {
                KEPT.clear();
                System.out.println("full");
            }
            System.out.println(text(rows.next()));
            System.out.println(text(rows.next()));
        }

        private static void fill() {
            try {
                while (true) {
                    KEPT.add(new byte[LONG / 4]);
                }
            } catch (OutOfMemoryError full) {
                // then there is no room for a row either
            }
        }

        private static PartRows longRow() {
            int length = (int) Row.length(0, LONG);
            byte[] bytes = new byte[Integer.BYTES + length + PartBytes.CHECKSUM_BYTES];
            ByteBuffer.wrap(bytes).putInt(1);
            Row.put(new byte[0], new byte[LONG], 0, 1, bytes, Integer.BYTES);
            return new PartRows(ByteSource.own(bytes, bytes.length, "a part"), bytes, () -> {}, time -> true);
        }

        private static String text(@Nullable Row row) {
            return row == null ? "the end" : "a row of " + (row.length() - Row.length(0, 0));
        }
    }
}
