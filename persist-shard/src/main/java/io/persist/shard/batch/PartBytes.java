package io.persist.shard.batch;

import io.persist.shard.bytes.ByteSink;
import io.persist.shard.bytes.ByteSource;
import io.persist.shard.error.NewerVersionException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The bytes of a part. It says whose it is, so that an object in the wrong place is noticed. */
final class PartBytes {

    private static final int MAGIC = 0x50534250; // PSBP
    private static final int FORMAT = 1;

    /** The length of the checksum at the end. */
    static final int CHECKSUM_BYTES = Integer.BYTES;

    private PartBytes() {}

    /** What comes before the rows; {@code name} is that of the object, or empty. */
    static byte[] header(String shard, String name, int rows) {
        return new ByteSink()
                .putInt(MAGIC)
                .putInt(FORMAT)
                .putText(shard)
                .putText(name)
                .putInt(rows)
                .bytes();
    }

    /** Puts the checksum of the first {@code length} bytes behind them, and returns it. */
    static int seal(byte[] part, int length) {
        CRC32C crc = new CRC32C();
        crc.update(part, 0, length);
        int checksum = (int) crc.getValue();
        ByteBuffer.wrap(part).putInt(length, checksum);
        return checksum;
    }

    /** The checksum at the end of {@code length} bytes, which the state knows, too. */
    static int checksum(byte[] part, int length) {
        return ByteBuffer.wrap(part).getInt(length - CHECKSUM_BYTES);
    }

    /** What lies behind the header of a part of {@code length} bytes: the number of rows, and these. */
    static ByteSource open(String shard, String name, byte[] bytes, int length) {
        return behindHeader(shard, name, new ByteSource(bytes, length, describe(shard, name)));
    }

    /** The same of bytes that were sealed here, and not read from anywhere. */
    static ByteSource openOwn(String shard, String name, byte[] bytes, int length) {
        return behindHeader(shard, name, ByteSource.own(bytes, length, describe(shard, name)));
    }

    private static ByteSource behindHeader(String shard, String name, ByteSource source) {
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
        return source;
    }

    static String describe(String shard, String name) {
        return "object=" + (name.isEmpty() ? "(in the state)" : name) + " of shard=" + shard;
    }
}
