package io.persist.shard.bench.place;

import io.persist.shard.model.Update;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Materialize's records: number i has the key i in decimal, with zeros before it, no value, the time i and the diff 1.
 * Key, time and diff count as its bytes.
 *
 * @param records how many there are
 * @param recordBytes of each; the key has 16 less
 * @param batchRecords of each batch; the last one may be shorter
 */
public record DataSet(long records, int recordBytes, int batchRecords) {

    private static final byte[] NO_VALUE = {};

    /** Bytes of a record that are no key. */
    public static final int FIXED_BYTES = 16;

    /** The shortest record: it has a digit at least. */
    public static final int LEAST_BYTES = FIXED_BYTES + 1;

    /** How many batches there are. */
    public int batches() {
        return (int) ((records + batchRecords - 1) / batchRecords);
    }

    /** The first time of a batch; of the one behind the last it is where the last one ends. */
    public long lower(int batch) {
        return Math.min(records, (long) batch * batchRecords);
    }

    /** Bytes of all records. */
    public long bytes() {
        return records * recordBytes;
    }

    /** Whether each record has another key. */
    public boolean hasDistinctKeys() {
        return Long.toString(Math.max(0, records - 1)).length() <= recordBytes - FIXED_BYTES;
    }

    /** The updates of a batch; they are made while they are asked for. */
    public Iterable<Update<byte[], byte[]>> batch(int batch) {
        return () -> new Iterator<>() {
            private long next = lower(batch);

            @Override
            public boolean hasNext() {
                return next < lower(batch + 1);
            }

            @Override
            public Update<byte[], byte[]> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the batch is at its end");
                }
                long time = next++;
                return new Update<>(key(time), NO_VALUE, time, 1);
            }
        };
    }

    private byte[] key(long number) {
        byte[] key = new byte[recordBytes - FIXED_BYTES];
        long rest = number;
        for (int i = key.length - 1; i >= 0; i--) {
            key[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return key;
    }
}
