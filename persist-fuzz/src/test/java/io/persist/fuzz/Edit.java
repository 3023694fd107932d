package io.persist.fuzz;

import io.persist.format.Frame;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointName;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;

/**
 * One change of a set of files. Whatever the numbers are, it does something that is defined, and mostly something that
 * leaves the rest of the files as it was.
 *
 * @param verb what is done, modulo the number of {@link Verb}s
 * @param isLate whether it is done after the checksums have been mended
 * @param file which file, by the order of the names, modulo their number
 * @param place an offset, an index or a length, as the verb has it
 * @param value what is written, or three offsets of 16 bits
 * @param raw the bytes that go with it, from the input
 */
record Edit(int verb, boolean isLate, int file, int place, long value, byte[] raw) {

    /** Bytes of an edit in an input, before those of {@link #raw}. */
    static final int LENGTH = 12;

    /** A frame that an edit looks for is among so many. */
    private static final int MAX_FRAMES = 64;

    /** What an edit does. New ones go to the end, or inputs that were kept mean something else. */
    enum Verb {
        PUT_BYTE,
        PUT_INT,
        PUT_LONG,
        ADD_TO_INT,
        ADD_TO_LONG,
        FRAME_FIELD,
        SET_LENGTH,
        DELETE,
        RENAME,
        DUPLICATE,
        COPY_RANGE,
        FILL_RANGE,
        PUT_RAW,
        APPEND_FRAME,
        FRAME_PAYLOAD,
        NOTHING
    }

    static Verb verb(int code) {
        return Verb.values()[code % Verb.values().length];
    }

    /** How many bytes of the input an edit takes along. */
    static int rawLength(int code, int place) {
        return switch (verb(code)) {
            case PUT_RAW, APPEND_FRAME, FRAME_PAYLOAD -> place & 0xFF;
            default -> 0;
        };
    }

    void apply(SortedMap<String, byte[]> files) {
        if (files.isEmpty()) {
            return;
        }
        String name = List.copyOf(files.keySet()).get(file % files.size());
        byte[] bytes = files.get(name);
        switch (verb(verb)) {
            case SET_LENGTH -> files.put(name, Arrays.copyOf(bytes, (int) (value & 0xFFFF)));
            case DELETE -> files.remove(name);
            case RENAME -> files.put(otherName(), files.remove(name));
            case DUPLICATE -> files.put(otherName(), bytes.clone());
            case COPY_RANGE -> copyRange(bytes, List.copyOf(files.values()).get(place % files.size()));
            default -> change(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    private void change(ByteBuffer bytes) {
        switch (verb(verb)) {
            case PUT_BYTE -> put(bytes, place, 1, value);
            case PUT_INT -> put(bytes, place & ~3, 4, value);
            case PUT_LONG -> put(bytes, place & ~7, 8, value);
            case ADD_TO_INT -> put(bytes, place & ~3, 4, get(bytes, place & ~3, 4) + (short) value);
            case ADD_TO_LONG -> put(bytes, place & ~7, 8, get(bytes, place & ~7, 8) + (short) value);
            case FRAME_FIELD -> changeFrame(bytes);
            case FILL_RANGE -> fillRange(bytes);
            case PUT_RAW -> putRaw(bytes, (int) value & 0xFFFF, bytes.capacity());
            case APPEND_FRAME -> appendFrame(bytes);
            case FRAME_PAYLOAD -> changePayload(bytes);
            default -> {
                // Files as such are none of its business.
            }
        }
    }

    private static long get(ByteBuffer bytes, int offset, int length) {
        if (offset + length > bytes.capacity()) {
            return 0;
        }
        return length == 4 ? bytes.getInt(offset) : bytes.getLong(offset);
    }

    private static void put(ByteBuffer bytes, int offset, int length, long value) {
        for (int i = 0; i < length && offset + i < bytes.capacity(); i++) {
            bytes.put(offset + i, (byte) (value >>> 8 * i));
        }
    }

    /** A name that the library knows, for a file that may be another kind of file. */
    private String otherName() {
        return switch (place % 10) {
            case 0, 1 -> LogFileName.segment(value & Long.MAX_VALUE);
            case 2 -> LogFileName.segment(value & 0xF000);
            case 3 -> LogFileName.segment(value & 0xF000) + LogFileName.TEMPORARY_SUFFIX;
            case 4 -> LogFileName.segment(value & 0xF000) + LogFileName.SPARE_SUFFIX;
            case 5 -> CheckpointName.of(value & Long.MAX_VALUE);
            case 6 -> CheckpointName.of(value & 0xFFFF);
            case 7 -> LogFileName.CONTROL;
            case 8 -> (char) ('a' + (value & 7)) + LogFileName.CURSOR_SUFFIX;
            default -> Images.CURSOR + LogFileName.CURSOR_SUFFIX;
        };
    }

    /** From any file to this one; the three numbers are the offset there, the one here and the length. */
    private void copyRange(byte[] target, byte[] source) {
        int from = Math.min((int) value & 0xFFFF, source.length);
        int to = Math.min((int) (value >>> 16) & 0xFFFF, target.length);
        int length = Math.min((int) (value >>> 32) & 0xFFFF, Math.min(source.length - from, target.length - to));
        System.arraycopy(source, from, target, to, length);
    }

    private void fillRange(ByteBuffer bytes) {
        int from = Math.min(place, bytes.capacity());
        int to = Math.min(bytes.capacity(), from + ((int) value & 0xFFFF));
        Arrays.fill(bytes.array(), from, to, (byte) (value >>> 16));
    }

    private void putRaw(ByteBuffer bytes, int offset, int end) {
        for (int i = 0; i < raw.length && offset + i < end; i++) {
            bytes.put(offset + i, raw[i]);
        }
    }

    /** The field is the lower three bits of {@code place}, the frame the rest. */
    private void changeFrame(ByteBuffer bytes) {
        int at = frame(bytes, place >>> 3 & MAX_FRAMES - 1);
        switch (place & 7) {
            case 0 -> put(bytes, at + Frame.LENGTH_OFFSET, 4, value);
            case 1 -> put(bytes, at + Frame.CHECKSUM_OFFSET, 4, value);
            case 2 -> put(bytes, at + Frame.SEQUENCE_OFFSET, 8, value);
            case 3 ->
                put(bytes, at + Frame.SEQUENCE_OFFSET, 8, get(bytes, at + Frame.SEQUENCE_OFFSET, 8) + (byte) value);
            case 4 -> put(bytes, at + Frame.UNSYNCED_OFFSET, 4, value);
            case 5 -> put(bytes, at + Frame.TYPE_OFFSET, 1, value);
            case 6 -> put(bytes, at + Frame.LENGTH_OFFSET, 4, get(bytes, at, 4) + (byte) value);
            default -> put(bytes, at + Frame.FLAGS_OFFSET, 3, value);
        }
    }

    /** Bytes at an offset of the payload of a frame. */
    private void changePayload(ByteBuffer bytes) {
        int at = frame(bytes, place >>> 8 & MAX_FRAMES - 1);
        int end = at + (int) Math.min(Math.max(0, get(bytes, at, 4)), bytes.capacity() - at);
        putRaw(bytes, at + Frame.HEADER_LENGTH + ((int) value & 0xFFF), end);
    }

    /** A record behind the last frame, whose number follows; its checksum is left to the mending. */
    private void appendFrame(ByteBuffer bytes) {
        int at = frame(bytes, Integer.MAX_VALUE);
        int last = lastFrame(bytes);
        int length = Frame.HEADER_LENGTH + raw.length;
        if (at + Frame.aligned(length) > bytes.capacity()) {
            return;
        }
        boolean isSeal = (place & 0x8000) != 0;
        put(bytes, at + Frame.LENGTH_OFFSET, 4, length);
        put(bytes, at + Frame.SEQUENCE_OFFSET, 8, get(bytes, last + Frame.SEQUENCE_OFFSET, 8) + 1 + (byte) value);
        put(bytes, at + Frame.UNSYNCED_OFFSET, 4, value >>> 8);
        put(bytes, at + Frame.TYPE_OFFSET, 4, isSeal ? Frame.TYPE_SEAL : Frame.TYPE_RECORD);
        putRaw(bytes, at + Frame.HEADER_LENGTH, bytes.capacity());
    }

    /** Where frame {@code number} of a segment begins, or the place behind the last one. */
    private static int frame(ByteBuffer bytes, int number) {
        int at = SegmentHeader.LENGTH;
        for (int i = 0; i < number; i++) {
            long length = get(bytes, at, 4);
            if (length < Frame.HEADER_LENGTH || at + length > bytes.capacity()) {
                break;
            }
            at += Frame.aligned((int) length);
        }
        return Math.max(0, Math.min(at, bytes.capacity() - Frame.HEADER_LENGTH));
    }

    private static int lastFrame(ByteBuffer bytes) {
        int end = frame(bytes, Integer.MAX_VALUE);
        int at = SegmentHeader.LENGTH;
        while (at < end && at + Frame.aligned((int) get(bytes, at, 4)) < end) {
            at += Frame.aligned((int) get(bytes, at, 4));
        }
        return at;
    }
}
