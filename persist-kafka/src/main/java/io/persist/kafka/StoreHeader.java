package io.persist.kafka;

import io.persist.error.UnsupportedFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.internals.PositionSerde;
import org.jspecify.annotations.Nullable;

/**
 * What a store says about itself. It is one record of the log under the key of one zero byte, and is replaced in the
 * transaction of what it is about. Big-endian:
 *
 * <pre>
 *    byte     version, 1
 *    byte     format of the values, the code of ValueFormat
 *    byte     1 if a processor has written what Kafka may not have committed, else 0
 *    int      number of offsets; for each: topic (length of 2 bytes, modified UTF-8), partition (int), offset (long)
 *    int      length of the position; the position as Kafka writes it, which zeros may follow
 * </pre>
 *
 * @param format what is in the values
 * @param isUncommitted whether a processor has written what Kafka may not have committed
 * @param offsets the offsets of the changelog that Kafka has last committed
 * @param position the position of that commit, as Kafka writes it
 */
record StoreHeader(ValueFormat format, boolean isUncommitted, Map<TopicPartition, Long> offsets, ByteBuffer position) {

    private static final int VERSION = 1;
    private static final byte[] KEY = {0};

    /** The key in the log; no key of the user is the same, see {@link UserKeys}. */
    static byte[] key() {
        return KEY.clone();
    }

    /** Of a new store. */
    static StoreHeader first(ValueFormat format) {
        return new StoreHeader(format, false, Map.of(), bytesOf(Position.emptyPosition()));
    }

    /** The same after a write that Kafka has not committed yet. */
    StoreHeader written() {
        return new StoreHeader(format, true, offsets, position);
    }

    /** The same once Kafka has surely committed what was written. */
    StoreHeader clean() {
        return new StoreHeader(format, false, offsets, position);
    }

    /**
     * The same after a commit by Kafka: no changes mean no offsets, and a null takes an offset away. Whether it is
     * clean does not change, since Kafka commits also what it is about to abort.
     */
    StoreHeader committed(Map<TopicPartition, @Nullable Long> changes, Position now) {
        Map<TopicPartition, Long> next = new HashMap<>();
        if (!changes.isEmpty()) {
            next.putAll(offsets);
            changes.forEach((partition, offset) -> next.compute(partition, (same, before) -> offset));
        }
        return new StoreHeader(format, isUncommitted, Map.copyOf(next), bytesOf(now));
    }

    /** Without the end of Kafka's array, which has room for as many bytes as the position has bits. */
    private static ByteBuffer bytesOf(Position position) {
        ByteBuffer serialized = PositionSerde.serialize(position);
        return ByteBuffer.wrap(Arrays.copyOf(serialized.array(), serialized.limit()));
    }

    /** The committed position, which is the caller's own. */
    Position decodePosition() {
        return PositionSerde.deserialize(position.duplicate());
    }

    /** Kafka's decoder throws whatever comes up. */
    private static StoreHeader checked(StoreHeader header) {
        try {
            header.decodePosition();
            return header;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "this version of Kafka cannot read the position of the last commit: " + e, e);
        }
    }

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeByte(format.code());
            out.writeBoolean(isUncommitted);
            out.writeInt(offsets.size());
            for (Map.Entry<TopicPartition, Long> entry : offsets.entrySet()) {
                out.writeUTF(entry.getKey().topic());
                out.writeInt(entry.getKey().partition());
                out.writeLong(entry.getValue());
            }
            byte[] encoded = new byte[position.remaining()];
            position.duplicate().get(encoded);
            out.writeInt(encoded.length);
            out.write(encoded);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of an array
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what a store says about itself.
     *
     * @throws UnsupportedFormatException if a newer version of Persist has written it
     * @throws IllegalArgumentException if a newer version of Kafka has, or it is none
     */
    static StoreHeader decode(byte[] encoded) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
            int version = in.readUnsignedByte();
            if (version > VERSION) {
                throw UnsupportedFormatException.newer(
                        "", "a newer version of Persist wrote it: version=" + version + ", known=" + VERSION);
            }
            if (version < VERSION) {
                throw new IllegalArgumentException("what it says about itself has no version");
            }
            ValueFormat format = ValueFormat.of(in.readUnsignedByte());
            boolean isUncommitted = in.readBoolean();
            Map<TopicPartition, Long> offsets = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
                offsets.put(partition, in.readLong());
            }
            byte[] position = in.readNBytes(Objects.checkIndex(in.readInt(), encoded.length));
            return checked(new StoreHeader(format, isUncommitted, Map.copyOf(offsets), ByteBuffer.wrap(position)));
        } catch (IOException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("what it says about itself is not whole: bytes=" + encoded.length, e);
        }
    }
}
