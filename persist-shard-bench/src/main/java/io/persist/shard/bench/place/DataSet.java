package io.persist.shard.bench.place;

import io.persist.shard.model.Update;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Materialize's records: number i has the key i in decimal, with zeros before it, no value, the time i and the diff 1.
 * Key, time and diff count as its bytes. If keys come again, the key of number i is i modulo how many there are: then
 * a shard counts how often each of them came.
 *
 * @param records how many there are
 * @param recordBytes of each; the key has 16 less
 * @param batchRecords of each batch; the last one may be shorter; so many that an int counts the batches
 * @param keys after how many records the first key comes again; as many as records, or more, for never
 */
public record DataSet(long records, int recordBytes, int batchRecords, long keys) {

    private static final byte[] NO_VALUE = {};
    private static final byte ZERO = '0';
    private static final byte[] ZEROS = new byte[1 << 10];

    static {
        Arrays.fill(ZEROS, ZERO);
    }

    /** Bytes of a record that are no key. */
    public static final int FIXED_BYTES = 16;

    /** The shortest record: it has a digit at least. */
    public static final int LEAST_BYTES = FIXED_BYTES + 1;

    /** Records with a key of its own each. */
    public DataSet(long records, int recordBytes, int batchRecords) {
        this(records, recordBytes, batchRecords, records);
    }

    /** How many batches there are. */
    public int batches() {
        return Math.toIntExact((records + batchRecords - 1) / batchRecords);
    }

    /** The first time of a batch; of the one behind the last it is where the last one ends. */
    public long lower(int batch) {
        return Math.min(records, (long) batch * batchRecords);
    }

    /** The batch that has a record; the last one for all that is behind. */
    public int batchOf(long record) {
        return (int) Math.min(batches() - 1, record / batchRecords);
    }

    /** Bytes of all records. */
    public long bytes() {
        return records * recordBytes;
    }

    /** How many keys there are in the end. */
    public long distinctKeys() {
        return Math.min(records, keys);
    }

    /** Whether keys come again, so that what is summed has a bound. */
    public boolean hasKeysAgain() {
        return keys < records;
    }

    /** How often the key of a number came by the end. */
    public long countOf(long number) {
        return (records - 1 - number) / keys + 1;
    }

    /** Whether a record is long enough for so many keys. */
    public boolean hasRoomForKeys() {
        return Long.toString(Math.max(0, distinctKeys() - 1)).length() <= recordBytes - FIXED_BYTES;
    }

    /** The number of the key: that of the first record that has it. -1 if it is none. */
    public static long numberOf(byte[] key) {
        long number = 0;
        for (int i = zeros(key); i < key.length; i++) {
            if (key[i] < '0' || key[i] > '9') {
                return -1;
            }
            number = 10 * number + key[i] - '0';
        }
        return number;
    }

    /** How many zeros a key begins with; long keys are little else. */
    private static int zeros(byte[] key) {
        int first = 0;
        while (first < key.length) {
            int some = Math.min(ZEROS.length, key.length - first);
            int other = Arrays.mismatch(key, first, first + some, ZEROS, 0, some);
            if (other >= 0) {
                return first + other;
            }
            first += some;
        }
        return first;
    }

    /** Whether the update is the record of its time; its length is not looked at. */
    public boolean hasRecord(Update<byte[], byte[]> update) {
        return update.diff() == 1 && update.value().length == 0 && numberOf(update.key()) == update.time() % keys;
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
                return new Update<>(key(time % keys), NO_VALUE, time, 1);
            }
        };
    }

    /**
     * So many bytes of the records from {@code record} on: of each its key, its time and its diff; behind the last one
     * the first one again. They compress as well as what a shard writes of them.
     */
    public byte[] encoded(long record, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (long next = record; bytes.hasRemaining(); next++) {
            long time = next % records;
            ByteBuffer one = ByteBuffer.allocate(recordBytes)
                    .put(key(time % keys))
                    .putLong(time)
                    .putLong(1)
                    .flip();
            bytes.put(one.limit(Math.min(one.limit(), bytes.remaining())));
        }
        return bytes.array();
    }

    private byte[] key(long number) {
        byte[] key = new byte[recordBytes - FIXED_BYTES];
        Arrays.fill(key, ZERO);
        long rest = number;
        for (int i = key.length - 1; i >= 0 && rest > 0; i--) {
            key[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return key;
    }
}
