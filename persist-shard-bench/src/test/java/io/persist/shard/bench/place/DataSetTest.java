package io.persist.shard.bench.place;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.shard.model.Update;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

class DataSetTest {

    private static final DataSet AGAIN = new DataSet(10, 20, 4, 3);

    private static Update<byte[], byte[]> update(String key, long time, long diff) {
        return new Update<>(key.getBytes(US_ASCII), new byte[0], time, diff);
    }

    @Test
    void shouldHaveKeysThatComeAgain() {
        StringBuilder keys = new StringBuilder();
        for (int batch = 0; batch < AGAIN.batches(); batch++) {
            for (Update<byte[], byte[]> update : AGAIN.batch(batch)) {
                assertThat(AGAIN.hasRecord(update)).isTrue();
                keys.append(new String(update.key(), US_ASCII))
                        .append('@')
                        .append(update.time())
                        .append(' ');
            }
        }
        assertThat(keys.toString()).startsWith("0000@0 0001@1 0002@2 0000@3 ").endsWith(" 0000@9 ");
        assertThat(AGAIN.distinctKeys()).isEqualTo(3);
        assertThat(new long[] {AGAIN.countOf(0), AGAIN.countOf(1), AGAIN.countOf(2)})
                .containsExactly(4, 3, 3);
        assertThat(new DataSet(10, 20, 4).distinctKeys()).isEqualTo(10);
        assertThat(new DataSet(10, 20, 4).countOf(9)).isEqualTo(1);
    }

    /** PostgreSQL stores 8 KiB of records in 140 bytes, and random ones in 8 KiB. */
    @Test
    void shouldCompressAsWellAsWhatAShardWrites() {
        DataSet small = new DataSet(64, 1024, 8);
        byte[] encoded = small.encoded(0, 8 * 1024 + 200);
        assertThat(encoded).hasSize(8 * 1024 + 200);
        assertThat(new String(encoded, 1024, 1008, US_ASCII)).endsWith("0001");
        assertThat(DataSet.numberOf(Arrays.copyOfRange(small.encoded(63, 2048), 1024, 2032)))
                .as("behind the last one comes the first one")
                .isZero();

        Deflater deflater = new Deflater();
        deflater.setInput(encoded);
        deflater.finish();
        assertThat(deflater.deflate(new byte[encoded.length])).isLessThan(encoded.length / 20);
        deflater.end();
    }

    @Test
    void shouldNotSayThatThereAreFewerBatchesThanThereAre() {
        assertThat(new DataSet(Integer.MAX_VALUE, 64, 1).batches()).isEqualTo(Integer.MAX_VALUE);
        DataSet tooMany = new DataSet(1L << 32, 64, 1);
        assertThatThrownBy(tooMany::batches).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void shouldTellARecordFromAnotherOne() {
        assertThat(AGAIN.hasRecord(update("0001", 7, 1))).isTrue();
        assertThat(AGAIN.hasRecord(update("1", 7, 1))).isTrue(); // of another length
        assertThat(AGAIN.hasRecord(update("0002", 7, 1))).isFalse();
        assertThat(AGAIN.hasRecord(update("0001", 7, 2))).isFalse();
        assertThat(AGAIN.hasRecord(update("x", 7, 1))).isFalse();
        assertThat(AGAIN.hasRecord(new Update<>("1".getBytes(US_ASCII), new byte[1], 7, 1)))
                .isFalse();
    }

    @Test
    void shouldKnowWhetherKeysHaveRoom() {
        assertThat(new DataSet(10, 17, 4).hasRoomForKeys()).isTrue();
        assertThat(new DataSet(11, 17, 4).hasRoomForKeys()).isFalse();
        assertThat(new DataSet(1_000, 17, 4, 10).hasRoomForKeys()).isTrue();
    }
}
