package io.persist.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointHeader;
import io.persist.format.control.CounterBlock;
import io.persist.format.control.CursorSlot;
import io.persist.format.control.StoreFigure;
import io.persist.log.LogContent;
import io.persist.monitor.Counter;
import io.persist.packet.Packet;
import io.persist.packet.PacketOperation;
import io.persist.support.Docs;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/file-format.md says the same as the code: each row of its tables, and the bytes of its example. */
class FormatSpecTest {

    private static final String SPEC = "docs/file-format.md";
    private static final int OFFSET = 0;
    private static final int SIZE = 1;
    private static final int CONSTANT = 3;

    // The worked example of the document.
    private static final long SALT = 0x0123456789ABCDEFL;
    private static final long LOG_ID = 0x1122334455667788L;
    private static final long CREATED_AT_MS = 1_767_225_600_000L;
    private static final int SEGMENT_LENGTH = 4096;
    private static final byte[] PAYLOAD = "hello".getBytes(StandardCharsets.US_ASCII);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SegmentHeader",
                "Frame",
                "ControlBlock",
                "HolderBlock",
                "CursorSlot",
                "CheckpointHeader",
                "CheckpointDirectory",
                "CheckpointFooter",
                "PacketLayout"
            })
    void shouldTellTheOffsetOfEachField(String type) throws ReflectiveOperationException {
        assertThat(checkedOffsets(type, type)).isEqualTo(names(type, true));
    }

    @Test
    void shouldTellTheOffsetOfEachFieldOfATransaction() throws ReflectiveOperationException {
        Set<String> told = checkedOffsets("TransactionLayout", "TransactionHeader");
        told.addAll(checkedOffsets("TransactionLayout", "TransactionEntry"));
        assertThat(told).isEqualTo(names("TransactionLayout", true));
    }

    /** The names of the offsets in a table, each of which is as the table says. */
    private static Set<String> checkedOffsets(String type, String table) throws ReflectiveOperationException {
        Set<String> told = new TreeSet<>();
        for (List<String> row : Docs.table(SPEC, table)) {
            String[] constant = row.get(CONSTANT).split(" \\+ ");
            int offset = (int) value(type, constant[0]) + (constant.length == 1 ? 0 : Integer.parseInt(constant[1]));
            assertThat(row.get(OFFSET)).as(type + "." + row.get(CONSTANT)).isEqualTo(Integer.toString(offset));
            told.add(constant[0]);
        }
        return told;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SegmentHeader",
                "Frame",
                "SealPayload",
                "CursorSlot",
                "CheckpointHeader",
                "CheckpointFooter",
                "PacketLayout",
                "TransactionHeader",
                "TransactionEntry"
            })
    void shouldLeaveNoGapBetweenTheFields(String table) throws ReflectiveOperationException {
        int end = table.equals("SealPayload") ? Frame.HEADER_LENGTH : 0;
        for (List<String> row : Docs.table(SPEC, table)) {
            assertThat(row.get(OFFSET)).as(table + ": " + row).isEqualTo(Integer.toString(end));
            end += Integer.parseInt(row.get(SIZE));
        }
        assertThat(end)
                .isEqualTo(
                        switch (table) {
                            case "SegmentHeader" -> SegmentHeader.LENGTH;
                            case "Frame" -> Frame.HEADER_LENGTH;
                            case "CursorSlot" -> CursorSlot.LENGTH;
                            case "CheckpointHeader" -> CheckpointHeader.LENGTH;
                            case "CheckpointFooter" -> CheckpointFooter.LENGTH;
                            case "PacketLayout" -> PacketLayout.HEADER_LENGTH + PacketLayout.METADATA_LENGTH;
                            case "TransactionHeader" -> TransactionLayout.HEADER_LENGTH;
                            case "TransactionEntry" -> TransactionLayout.ENTRY_HEADER_LENGTH;
                            default -> Frame.SEAL_LENGTH;
                        });
    }

    @Test
    void shouldNotLetFieldsOfTheControlBlockOverlap() {
        int end = 0;
        List<List<String>> rows = new ArrayList<>(Docs.table(SPEC, "ControlBlock"));
        rows.addAll(Docs.table(SPEC, "HolderBlock"));
        for (List<String> row : rows) {
            assertThat(Integer.parseInt(row.get(OFFSET))).as(row.toString()).isGreaterThanOrEqualTo(end);
            end = Integer.parseInt(row.get(OFFSET)) + Integer.parseInt(row.get(SIZE));
        }
        assertThat(end).isLessThanOrEqualTo(CounterBlock.START);
    }

    @Test
    void shouldTellEveryOtherConstant() throws ReflectiveOperationException {
        Set<String> told = new TreeSet<>();
        for (List<String> row : Docs.table(SPEC, "Constants")) {
            String[] constant = row.get(0).split("\\.");
            assertThat(row.get(1)).as(row.get(0)).isEqualTo(shown(value(constant[0], constant[1])));
            told.add(row.get(0));
        }
        Set<String> all = new TreeSet<>();
        for (String type : List.of(
                "SegmentHeader",
                "Frame",
                "ControlBlock",
                "CounterBlock",
                "CursorSlot",
                "CheckpointHeader",
                "CheckpointDirectory",
                "CheckpointFooter",
                "CheckpointName",
                "PacketLayout",
                "TransactionLayout",
                "LogFileName")) {
            names(type, false).forEach(name -> all.add(type + "." + name));
        }
        assertThat(told).isEqualTo(all);
    }

    @Test
    void shouldTellEveryCounter() {
        List<List<String>> counters = Arrays.stream(Counter.values())
                .map(counter -> List.of(
                        Integer.toString(counter.offset()),
                        counter.name(),
                        counter.unit().symbol(),
                        counter.owner().name(),
                        counter.meaning()))
                .toList();
        assertThat(Docs.table(SPEC, "Counter")).isEqualTo(counters);
    }

    @Test
    void shouldTellEveryFigureOfAStore() {
        List<List<String>> figures = Arrays.stream(StoreFigure.values())
                .map(figure -> List.of(Integer.toString(figure.offset()), figure.name(), figure.meaning()))
                .toList();
        assertThat(Docs.table(SPEC, "StoreFigure")).isEqualTo(figures);
    }

    @Test
    void shouldTellEveryOperationOfAPacket() {
        List<List<String>> operations = Arrays.stream(PacketOperation.values())
                .map(operation -> List.of(Byte.toString(operation.code()), operation.name()))
                .toList();
        assertThat(Docs.table(SPEC, "PacketOperation")).isEqualTo(operations);
    }

    @Test
    void shouldShowTheBytesOfAPacket() {
        Packet packet = new Packet().add(PAYLOAD).add(new byte[0]).add("last".getBytes(StandardCharsets.US_ASCII));
        assertThat(Docs.block(SPEC, "example-packet"))
                .isEqualTo(hex(packet.payload().slice()));
    }

    private static String shown(Object value) {
        return value instanceof Long magic ? String.format(Locale.ROOT, "0x%016X", magic) : String.valueOf(value);
    }

    @Test
    void shouldShowTheBytesThatTheCodeWrites() {
        assertThat(Docs.block(SPEC, "example")).isEqualTo(hex(example()));
    }

    @Test
    void shouldShowTheStepsOfTheChecksum() {
        int position = SegmentHeader.LENGTH;
        int length = Frame.HEADER_LENGTH + PAYLOAD.length;
        ByteBuffer segment = example();
        CRC32C crc = new CRC32C();
        crc.update(segment.duplicate().limit(position + length).position(position + Frame.SEQUENCE_OFFSET));
        int mix = FrameChecksum.mix(SALT, position, length);

        assertThat(Docs.block(SPEC, "example-checksum"))
                .containsExactly(
                        "crc32c   = " + hex((int) crc.getValue()),
                        "mix      = " + hex(mix),
                        "checksum = " + hex((int) crc.getValue() ^ mix));
        assertThat(Frame.checksum(segment, position)).isEqualTo((int) crc.getValue() ^ mix);
    }

    private static SegmentHeader header() {
        return new SegmentHeader(
                0, SEGMENT_LENGTH, SALT, LOG_ID, CREATED_AT_MS, LogContent.MESSAGES, 0, new PersistVersion(0, 1, 0));
    }

    private static ByteBuffer example() {
        int position = SegmentHeader.LENGTH;
        int length = Frame.HEADER_LENGTH + PAYLOAD.length;
        int aligned = Frame.aligned(length);
        ByteBuffer segment = ByteBuffer.allocate(position + aligned).order(ByteOrder.LITTLE_ENDIAN);
        segment.put(0, header().encode());
        Frame.clearPadding(segment, position, aligned);
        Frame.putHeader(segment, position, 1, Frame.unsynced(position, 0), Frame.TYPE_RECORD, Frame.FLAG_STARTS_COMMIT);
        segment.put(position + Frame.HEADER_LENGTH, PAYLOAD);
        Frame.putChecksum(segment, position, new FrameChecksum(segment).of(position, length, SALT, position));
        Frame.putLength(segment, position, length);
        return segment;
    }

    private static List<String> hex(ByteBuffer bytes) {
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < bytes.capacity(); from += 16) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%04x ", from));
            for (int i = from; i < from + 16; i++) {
                line.append(String.format(Locale.ROOT, " %02x", bytes.get(i)));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static String hex(int value) {
        return String.format(Locale.ROOT, "0x%08X", value);
    }

    private static Object value(String type, String name) throws ReflectiveOperationException {
        return type(type).getField(name).get(null);
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        for (String room : List.of("io.persist.format.", "io.persist.format.control.")) {
            try {
                return Class.forName(room + name);
            } catch (ClassNotFoundException elsewhere) {
                // the next room
            }
        }
        return Class.forName("io.persist.format.checkpoint." + name);
    }

    /** The names of the public constants: those of offsets, or the others. */
    private static Set<String> names(String type, boolean offsets) throws ReflectiveOperationException {
        return Arrays.stream(type(type).getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> name.endsWith("_OFFSET") == offsets)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
