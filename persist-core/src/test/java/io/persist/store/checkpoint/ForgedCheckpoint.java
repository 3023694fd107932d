package io.persist.store.checkpoint;

import io.persist.format.checkpoint.CheckpointDirectory;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** The bytes of a checkpoint, to be changed by somebody who knows the checksums. */
final class ForgedCheckpoint {

    private final ByteBuffer bytes;
    private final String name;

    ForgedCheckpoint(byte[] content, String name) {
        this.bytes = ByteBuffer.wrap(content.clone()).order(ByteOrder.LITTLE_ENDIAN);
        this.name = name;
    }

    /** The bytes as they are now. */
    byte[] content() {
        return bytes.array();
    }

    int footerOffset() {
        return bytes.capacity() - CheckpointFooter.LENGTH;
    }

    CheckpointFooter footer() {
        byte[] end = Arrays.copyOfRange(bytes.array(), footerOffset(), bytes.capacity());
        return CheckpointFooter.decode(end, name, bytes.capacity(), salt());
    }

    private long salt() {
        return bytes.getLong(CheckpointHeader.SALT_OFFSET);
    }

    /** Where the directory begins. */
    int directoryOffset() {
        return Math.toIntExact(footerOffset() - footer().directoryLength());
    }

    /** Where the words of the directory begin. */
    int wordsOffset() {
        return directoryOffset() + footer().nodes() * CheckpointDirectory.ENTRY_LENGTH;
    }

    /** The number in the directory of node {@code id}; -1 if the file has not got it. */
    int number(int id) {
        for (int number = 0; number < footer().nodes(); number++) {
            if (bytes.getInt(directoryOffset() + number * CheckpointDirectory.ENTRY_LENGTH) == id) {
                return number;
            }
        }
        return -1;
    }

    /** Where the node {@code id} begins. */
    int node(int id) {
        return Math.toIntExact(CheckpointDirectory.nodeOffset(number(id)));
    }

    int root() {
        return node(footer().root());
    }

    ByteBuffer bytes() {
        return bytes;
    }

    ForgedCheckpoint putByte(int offset, int value) {
        bytes.put(offset, (byte) value);
        return this;
    }

    ForgedCheckpoint putShort(int offset, int value) {
        bytes.putShort(offset, (short) value);
        return this;
    }

    ForgedCheckpoint putInt(int offset, int value) {
        bytes.putInt(offset, value);
        return this;
    }

    ForgedCheckpoint putLong(int offset, long value) {
        bytes.putLong(offset, value);
        return this;
    }

    /** Makes all checksums right for the content as it is. */
    ForgedCheckpoint sign() {
        CheckpointFooter footer = signNodes();
        byte[] directory = Arrays.copyOfRange(
                bytes.array(), footerOffset() - Math.toIntExact(footer.directoryLength()), footerOffset());
        return footer(new CheckpointFooter(
                footer.nodes(),
                footer.words(),
                footer.segments(),
                footer.root(),
                footer.height(),
                footer.idLimit(),
                footer.keys(),
                footer.version(),
                CheckpointDirectory.checksum(directory, salt())));
    }

    private CheckpointFooter signNodes() {
        CheckpointFooter footer = footer();
        int directory = directoryOffset();
        for (int number = 0; number < footer.nodes(); number++) {
            int entry = directory + number * CheckpointDirectory.ENTRY_LENGTH;
            int at = Math.toIntExact(CheckpointDirectory.nodeOffset(number));
            bytes.putInt(
                    entry + Integer.BYTES, CheckpointDirectory.nodeChecksum(bytes, at, salt(), bytes.getInt(entry)));
        }
        return footer;
    }

    /** Puts another footer in place of the one that there is. */
    ForgedCheckpoint footer(CheckpointFooter footer) {
        bytes.put(footerOffset(), footer.encode(salt()));
        return this;
    }

    /** The same of another header, with the checksum of that alone. */
    ForgedCheckpoint signHeader() {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CheckpointHeader.CHECKSUM_OFFSET);
        return putInt(CheckpointHeader.CHECKSUM_OFFSET, (int) crc.getValue());
    }
}
