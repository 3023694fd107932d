package io.persist.fuzz;

import io.persist.archive.ArchiveManifest;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.TransactionLayout;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.format.control.ControlBlock;
import io.persist.format.control.CursorSlot;
import io.persist.log.LogContent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32C;

/** Makes checksums right again, as far as the input says so, so that a fuzzer gets behind them. */
final class Mending {

    /** What is mended, each a bit of the input. New ones go to the end. */
    enum Part {
        HEADERS,
        FRAMES,
        CONTROL,
        CURSORS,
        /** Nothing: nodes whose checksums somebody has made have tests of their own. It keeps the bits in order. */
        UNUSED,
        ENTRIES,
        MANIFEST,
        ARCHIVED_SEGMENTS
    }

    static final int ALL = (1 << Part.values().length) - 1;

    private final int parts;

    Mending(int parts) {
        this.parts = parts;
    }

    private boolean has(Part part) {
        return (parts & 1 << part.ordinal()) != 0;
    }

    void mend(SortedMap<String, byte[]> files) {
        files.forEach((name, bytes) -> mend(name, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)));
        byte[] manifest = files.get(ArchiveManifest.NAME);
        if (manifest != null) {
            files.put(ArchiveManifest.NAME, manifest(manifest, files));
        }
    }

    private void mend(String name, ByteBuffer bytes) {
        if (LogFileName.basePosition(name).isPresent()) {
            segment(bytes);
        } else if (name.equals(LogFileName.CONTROL)) {
            control(bytes);
        } else if (name.endsWith(LogFileName.CURSOR_SUFFIX)) {
            cursor(bytes);
        } else if (CheckpointName.position(name).isPresent()) {
            checkpoint(bytes);
        }
    }

    private static int crc(ByteBuffer bytes, int from, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), from, end - from);
        return (int) crc.getValue();
    }

    private void segment(ByteBuffer bytes) {
        if (bytes.capacity() < SegmentHeader.LENGTH) {
            return;
        }
        if (has(Part.HEADERS)) {
            bytes.putInt(SegmentHeader.CHECKSUM_OFFSET, crc(bytes, 0, SegmentHeader.CHECKSUM_OFFSET));
        }
        if (!has(Part.FRAMES)) {
            return;
        }
        long base = bytes.getLong(SegmentHeader.BASE_POSITION_OFFSET);
        long salt = bytes.getLong(SegmentHeader.SALT_OFFSET);
        boolean isStore = bytes.get(SegmentHeader.CONTENT_OFFSET) == LogContent.TRANSACTIONS.code();
        FrameChecksum checksum = new FrameChecksum(bytes);
        int at = SegmentHeader.LENGTH;
        while (at + Frame.HEADER_LENGTH <= bytes.capacity()) {
            int length = Frame.length(bytes, at);
            if (length < Frame.HEADER_LENGTH || length > bytes.capacity() - at) {
                return;
            }
            if (isStore && has(Part.ENTRIES) && Frame.type(bytes, at) == Frame.TYPE_RECORD) {
                entries(bytes, at + Frame.HEADER_LENGTH + TransactionLayout.HEADER_LENGTH, at + length);
            }
            Frame.putChecksum(bytes, at, checksum.of(at, length, salt, base + at));
            at += Frame.aligned(length);
        }
    }

    private static void entries(ByteBuffer bytes, int from, int end) {
        int at = from;
        while (at + TransactionLayout.ENTRY_HEADER_LENGTH <= end) {
            long length = (long) TransactionLayout.ENTRY_HEADER_LENGTH
                    + TransactionLayout.keyLength(bytes, at)
                    + TransactionLayout.valueLength(bytes, at);
            if (length < TransactionLayout.ENTRY_HEADER_LENGTH || at + length > end) {
                return;
            }
            int covered = at + TransactionLayout.ENTRY_KEY_LENGTH_OFFSET;
            TransactionLayout.putChecksum(bytes, at, crc(bytes, covered, at + (int) length));
            at += Frame.aligned((int) length);
        }
    }

    private void control(ByteBuffer bytes) {
        if (!has(Part.CONTROL) || bytes.capacity() < ControlBlock.LENGTH) {
            return;
        }
        for (int guarded : new int[] {ControlBlock.FLUSHED_OFFSET, ControlBlock.SYNCED_OFFSET}) {
            bytes.putLong(guarded + 8, ~bytes.getLong(guarded));
        }
        int clean = crc(bytes, ControlBlock.CLEAN_TAIL_OFFSET, ControlBlock.HINT_OFFSET);
        bytes.putInt(ControlBlock.CLEAN_CHECKSUM_OFFSET, clean);
    }

    private void cursor(ByteBuffer bytes) {
        for (int slot = 0; has(Part.CURSORS) && slot + CursorSlot.LENGTH <= bytes.capacity(); ) {
            int end = slot + CursorSlot.CHECKSUM_OFFSET;
            bytes.putInt(end, crc(bytes, slot, end));
            slot += CursorSlot.INTERVAL;
        }
    }

    private void checkpoint(ByteBuffer bytes) {
        boolean isCurrent = bytes.capacity() >= CheckpointHeader.LENGTH
                && bytes.getInt(CheckpointHeader.VERSION_OFFSET) >= CheckpointHeader.VERSION;
        if (isCurrent && has(Part.HEADERS)) { // of an earlier version the checksum lies elsewhere
            bytes.putInt(CheckpointHeader.CHECKSUM_OFFSET, crc(bytes, 0, CheckpointHeader.CHECKSUM_OFFSET));
        }
    }

    /** The lines of a manifest with the checksums of the files that are there, and a last line that fits them. */
    private byte[] manifest(byte[] bytes, Map<String, byte[]> files) {
        StringBuilder text = new StringBuilder();
        int segments = 0;
        for (String line : new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            String[] words = line.split(" ", -1);
            byte[] file = words.length > 1 ? files.get(words[1]) : null;
            if (has(Part.MANIFEST) && line.startsWith("end ")) {
                byte[] before = text.toString().getBytes(StandardCharsets.ISO_8859_1);
                String checksum = HexFormat.of().toHexDigits(crc(ByteBuffer.wrap(before), 0, before.length));
                text.append("end ")
                        .append(segments)
                        .append(' ')
                        .append(checksum)
                        .append('\n');
                return text.toString().getBytes(StandardCharsets.ISO_8859_1);
            }
            if (line.startsWith("segment ")) {
                segments++;
            }
            if (has(Part.ARCHIVED_SEGMENTS) && file != null && words.length == 7) {
                words[6] = HexFormat.of().toHexDigits(crc(ByteBuffer.wrap(file), 0, file.length));
            }
            text.append(String.join(" ", words)).append('\n');
        }
        return bytes;
    }
}
