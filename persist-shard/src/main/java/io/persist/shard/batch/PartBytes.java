package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSink;
import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.NewerVersionException;
import java.util.List;

/** The bytes of a part. It says whose it is, so that an object in the wrong place is noticed. */
final class PartBytes {

    private static final int MAGIC = 0x50534250; // PSBP
    private static final int FORMAT = 1;

    private PartBytes() {}

    /** {@code name} is that of the object, or empty. */
    static byte[] of(String shard, String name, List<Row> rows) {
        ByteSink sink = new ByteSink()
                .putInt(MAGIC)
                .putInt(FORMAT)
                .putText(shard)
                .putText(name)
                .putInt(rows.size());
        for (Row row : rows) {
            sink.putBytes(row.key()).putBytes(row.value()).putLong(row.time()).putLong(row.diff());
        }
        return sink.sealed();
    }

    /** The checksum at the end, which the state knows, too. */
    static int checksum(byte[] part) {
        int end = part.length;
        return (part[end - 4] & 0xff) << 24
                | (part[end - 3] & 0xff) << 16
                | (part[end - 2] & 0xff) << 8
                | (part[end - 1] & 0xff);
    }

    /** Its rows. They are decoded one by one, so that no more is in memory than the bytes. */
    static Rows read(String shard, String name, byte[] bytes) {
        ByteSource source = new ByteSource(bytes, describe(shard, name));
        if (source.nextInt() != MAGIC) {
            throw source.damaged("it has no updates of a shard");
        }
        int format = source.nextInt();
        if (format != FORMAT) {
            throw new NewerVersionException(
                    describe(shard, name) + " has format " + format + ", and this version of Persist knows " + FORMAT
                            + ": use a newer one",
                    null);
        }
        String ofShard = source.nextText();
        String ofName = source.nextText();
        if (!ofShard.equals(shard) || !ofName.equals(name)) {
            throw source.damaged("it is object " + ofName + " of shard " + ofShard);
        }
        int[] left = {source.nextCount()};
        return () -> {
            if (left[0] == 0) {
                return null;
            }
            left[0]--;
            return new Row(source.nextBytes(), source.nextBytes(), source.nextLong(), source.nextLong());
        };
    }

    static String describe(String shard, String name) {
        return "object=" + (name.isEmpty() ? "(in the state)" : name) + " of shard=" + shard;
    }
}
