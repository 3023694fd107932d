package io.persist.packet;

import static io.persist.format.PacketLayout.CHECKPOINT_OFFSET;
import static io.persist.format.PacketLayout.FLAG_COMMIT_END;
import static io.persist.format.PacketLayout.FLAG_COMMIT_START;
import static io.persist.format.PacketLayout.FLAG_POSSIBLE_DUPLICATE;
import static io.persist.format.PacketLayout.IN_SEQUENCE_OFFSET;
import static io.persist.format.PacketLayout.METADATA_FLAGS_OFFSET;
import static io.persist.format.PacketLayout.OBJECT_ID_OFFSET;
import static io.persist.format.PacketLayout.OPERATION_OFFSET;
import static io.persist.format.PacketLayout.OUT_SEQUENCE_OFFSET;
import static io.persist.format.PacketLayout.STABLE_TRANSACTION_ID_OFFSET;
import static io.persist.format.PacketLayout.TRANSACTION_ID_OFFSET;
import static io.persist.format.PacketLayout.TYPE_OFFSET;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a packet says about itself: a view of the 64 bytes of its metadata block, whose offsets are in {@code
 * docs/file-format.md}. Persist stores the fields and does not use them. A field that is not set is 0.
 *
 * <p>The metadata of a {@link Packet} can be written, and follows the packet as it grows. The metadata of a {@link
 * PacketReader} is read-only: its setters throw {@link java.nio.ReadOnlyBufferException}.
 *
 * <p><b>Threads:</b> the thread of the packet or the reader. <b>Allocation:</b> only {@link #objectId()} allocates.
 */
public final class PacketMetadata {

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int start;

    PacketMetadata() {}

    /** Looks at the packet that begins at {@code index} of {@code bytes}, which is little-endian. */
    void wrap(ByteBuffer bytes, int index) {
        buffer = bytes;
        start = index;
    }

    /** What the packet does; OTHER if the stored code is not one of {@link PacketOperation}. */
    public PacketOperation operation() {
        return PacketOperation.of(operationCode());
    }

    /** Sets what the packet does. */
    public PacketMetadata operation(PacketOperation operation) {
        return operationCode(operation.code());
    }

    /** The stored code of the operation. */
    public byte operationCode() {
        return buffer.get(start + OPERATION_OFFSET);
    }

    /** Sets an operation of the application's own. 64 to 127 will never be one of {@link PacketOperation}. */
    public PacketMetadata operationCode(byte code) {
        buffer.put(start + OPERATION_OFFSET, code);
        return this;
    }

    /** Whether the sender may have sent the packet before. */
    public boolean isPossibleDuplicate() {
        return has(FLAG_POSSIBLE_DUPLICATE);
    }

    /** Says that the sender may have sent the packet before. */
    public PacketMetadata markPossibleDuplicate() {
        return mark(FLAG_POSSIBLE_DUPLICATE);
    }

    /**
     * Whether the packet is the first of a commit, as the application counts. For the logger's commits see {@link
     * io.persist.log.read.Tailer#startsCommit}.
     */
    public boolean isCommitStart() {
        return has(FLAG_COMMIT_START);
    }

    /** Says that the packet is the first of a commit, as the application counts. */
    public PacketMetadata markCommitStart() {
        return mark(FLAG_COMMIT_START);
    }

    /** Whether the packet is the last of a commit, as the application counts. */
    public boolean isCommitEnd() {
        return has(FLAG_COMMIT_END);
    }

    /** Says that the packet is the last of a commit, as the application counts. */
    public PacketMetadata markCommitEnd() {
        return mark(FLAG_COMMIT_END);
    }

    private boolean has(byte flag) {
        return (buffer.get(start + METADATA_FLAGS_OFFSET) & flag) != 0;
    }

    private PacketMetadata mark(byte flag) {
        int index = start + METADATA_FLAGS_OFFSET;
        buffer.put(index, (byte) (buffer.get(index) | flag));
        return this;
    }

    /** The type of what is in the packet, as the application numbers them. */
    public int type() {
        return buffer.getInt(start + TYPE_OFFSET);
    }

    /** Sets the type of what is in the packet. */
    public PacketMetadata type(int type) {
        buffer.putInt(start + TYPE_OFFSET, type);
        return this;
    }

    /** The object that the packet is about; allocates. */
    public UUID objectId() {
        return new UUID(objectIdHigh(), objectIdLow());
    }

    /** The upper 64 bits of the object's id. */
    public long objectIdHigh() {
        return buffer.getLong(start + OBJECT_ID_OFFSET);
    }

    /** The lower 64 bits of the object's id. */
    public long objectIdLow() {
        return buffer.getLong(start + OBJECT_ID_OFFSET + Long.BYTES);
    }

    /** Sets the object that the packet is about. */
    public PacketMetadata objectId(UUID id) {
        return objectId(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    /** Sets the object that the packet is about, by the upper and the lower 64 bits of its id. */
    public PacketMetadata objectId(long high, long low) {
        buffer.putLong(start + OBJECT_ID_OFFSET, high);
        buffer.putLong(start + OBJECT_ID_OFFSET + Long.BYTES, low);
        return this;
    }

    /** The transaction that the packet belongs to. */
    public long transactionId() {
        return buffer.getLong(start + TRANSACTION_ID_OFFSET);
    }

    /** Sets the transaction that the packet belongs to. */
    public PacketMetadata transactionId(long id) {
        buffer.putLong(start + TRANSACTION_ID_OFFSET, id);
        return this;
    }

    /** The last transaction that was known to be stable when the packet was made. */
    public long stableTransactionId() {
        return buffer.getLong(start + STABLE_TRANSACTION_ID_OFFSET);
    }

    /** Sets the last transaction that is known to be stable. */
    public PacketMetadata stableTransactionId(long id) {
        buffer.putLong(start + STABLE_TRANSACTION_ID_OFFSET, id);
        return this;
    }

    /** The number of the message that came in and caused the packet. */
    public long inSequence() {
        return buffer.getLong(start + IN_SEQUENCE_OFFSET);
    }

    /** Sets the number of the message that came in and caused the packet. */
    public PacketMetadata inSequence(long sequence) {
        buffer.putLong(start + IN_SEQUENCE_OFFSET, sequence);
        return this;
    }

    /** The number of the message that goes out with the packet. */
    public long outSequence() {
        return buffer.getLong(start + OUT_SEQUENCE_OFFSET);
    }

    /** Sets the number of the message that goes out with the packet. */
    public PacketMetadata outSequence(long sequence) {
        buffer.putLong(start + OUT_SEQUENCE_OFFSET, sequence);
        return this;
    }

    /** The number of the application's checkpoint that the packet belongs to. */
    public long checkpoint() {
        return buffer.getLong(start + CHECKPOINT_OFFSET);
    }

    /** Sets the number of the application's checkpoint that the packet belongs to. */
    public PacketMetadata checkpoint(long number) {
        buffer.putLong(start + CHECKPOINT_OFFSET, number);
        return this;
    }

    /** Every field with its value, in one line. */
    @Override
    public String toString() {
        if (buffer.limit() < start + CHECKPOINT_OFFSET + Long.BYTES) {
            return "PacketMetadata[none]"; // the packet has ended
        }
        return "PacketMetadata[operation=" + operation() + ", operationCode=" + operationCode()
                + ", possibleDuplicate=" + isPossibleDuplicate() + ", commitStart=" + isCommitStart() + ", commitEnd="
                + isCommitEnd() + ", type=" + type() + ", objectId=" + objectId() + ", transactionId="
                + transactionId() + ", stableTransactionId=" + stableTransactionId() + ", inSequence=" + inSequence()
                + ", outSequence=" + outSequence() + ", checkpoint=" + checkpoint() + "]";
    }
}
