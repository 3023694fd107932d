package io.persist.log.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.LogMonitor;
import io.persist.error.PersistException;
import io.persist.format.Frame;
import io.persist.format.FrameChecksum;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.control.ControlBlock;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.TailerConfig;
import io.persist.log.read.LogCursors;
import io.persist.log.read.Tailer;
import io.persist.log.recovery.LogInspector;
import io.persist.log.recovery.LogRepair;
import io.persist.log.recovery.LogScan;
import io.persist.support.DeadLog;
import io.persist.support.Records;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * A log that somebody wrote to do harm: its checksums are right and what they cover is not. Who reads or opens it gets
 * records, or one of Persist's own exceptions, and always an end.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileValuesTest {

    private static final int LENGTH = WriterKind.SEGMENT_LENGTH;
    private static final int MAX_READ = 10_000;

    private final Map<String, byte[]> closed = log(true);
    private final Map<String, byte[]> killed = log(false);

    private static Map<String, byte[]> log(boolean isClosed) {
        CrashableStorage storage = new CrashableStorage();
        Log log = Log.open(WriterKind.MAPPED.config().build(), storage);
        Records.appendUntilRolled(log, 3);
        Records.append(log, 10);
        log.commit(Durability.SYNCED);
        Records.append(log, 3);
        Tailer tailer = log.tailer("reader");
        tailer.next();
        tailer.store();
        tailer.close();
        if (isClosed) {
            log.close();
            return files(storage);
        }
        CrashableStorage after = storage.afterKill();
        DeadLog.end(log);
        return files(after);
    }

    private static Map<String, byte[]> files(CrashableStorage storage) {
        Map<String, byte[]> files = new TreeMap<>();
        storage.list().forEach(name -> files.put(name, storage.content(name)));
        return files;
    }

    @Test
    void shouldMakeAnEndWithWhateverTheValuesAre() {
        Seeds.run(150, seed -> {
            Random random = new Random(seed);
            Map<String, byte[]> files = new TreeMap<>(random.nextBoolean() ? closed : killed);
            files.replaceAll((name, bytes) -> bytes.clone());
            int changes = 1 + random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                change(files, random);
            }
            use(files, ReadMode.values()[random.nextInt(2)], random);
        });
    }

    private static void change(Map<String, byte[]> files, Random random) {
        List<String> segments = files.keySet().stream()
                .filter(name -> LogFileName.basePosition(name).isPresent())
                .toList();
        String segment = segments.get(random.nextInt(segments.size()));
        switch (random.nextInt(5)) {
            case 0, 1 -> changeControl(buffer(files.get(LogFileName.CONTROL)), random);
            case 2 -> changeHeader(buffer(files.get(segment)), random);
            default -> changeFrame(buffer(files.get(segment)), random);
        }
        if (random.nextInt(20) == 0) {
            files.remove(segment);
        }
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Near what is right, near the bounds of a number, or anything. */
    private static long value(long right, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> right + random.nextInt(64) - 32;
            case 1 -> right + (random.nextInt(64) - 32) * 8L;
            case 2 -> Long.MAX_VALUE - random.nextInt(LENGTH);
            case 3 -> Long.MIN_VALUE + random.nextInt(LENGTH);
            case 4 -> random.nextInt(8 * LENGTH) - LENGTH;
            default -> random.nextLong();
        };
    }

    private static void changeControl(ByteBuffer control, Random random) {
        int[] offsets = {
            ControlBlock.PID_OFFSET,
            ControlBlock.CLEAN_TAIL_OFFSET,
            ControlBlock.CLEAN_LAST_OFFSET,
            ControlBlock.HINT_OFFSET,
            ControlBlock.COMMITTED_OFFSET,
            ControlBlock.FLUSHED_OFFSET,
            ControlBlock.SYNCED_OFFSET,
            ControlBlock.VISIBLE_OFFSET
        };
        int offset = offsets[random.nextInt(offsets.length)];
        control.putLong(offset, value(control.getLong(offset), random));
        if (offset == ControlBlock.FLUSHED_OFFSET || offset == ControlBlock.SYNCED_OFFSET) {
            control.putLong(offset + 8, ~control.getLong(offset));
        }
        if (random.nextInt(4) == 0) {
            control.putInt(ControlBlock.STATE_OFFSET, random.nextInt(5));
        }
        int from = ControlBlock.CLEAN_TAIL_OFFSET;
        control.putInt(ControlBlock.CLEAN_CHECKSUM_OFFSET, crc(control, from, ControlBlock.HINT_OFFSET - from));
    }

    private static void changeHeader(ByteBuffer segment, Random random) {
        int[] offsets = {
            SegmentHeader.BASE_POSITION_OFFSET,
            SegmentHeader.SEGMENT_LENGTH_OFFSET,
            SegmentHeader.LOG_ID_OFFSET,
            SegmentHeader.CREATED_AT_OFFSET
        };
        int offset = offsets[random.nextInt(offsets.length)];
        segment.putLong(offset, value(segment.getLong(offset), random));
        if (random.nextInt(3) == 0) {
            segment.putInt(SegmentHeader.FLAGS_OFFSET, random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            segment.put(SegmentHeader.CONTENT_OFFSET, (byte) random.nextInt(4));
        }
        segment.putInt(SegmentHeader.CHECKSUM_OFFSET, crc(segment, 0, SegmentHeader.CHECKSUM_OFFSET));
    }

    /** A frame that is there, or a new one behind the last. */
    private static void changeFrame(ByteBuffer segment, Random random) {
        int offset = SegmentHeader.LENGTH;
        int steps = random.nextInt(50);
        while (steps-- > 0 && offset < LENGTH - 64 && Frame.length(segment, offset) > 0) {
            offset += Frame.aligned(Frame.length(segment, offset));
        }
        offset = Math.min(offset, LENGTH - Frame.HEADER_LENGTH);
        int length = Frame.length(segment, offset);
        switch (random.nextInt(6)) {
            case 0 -> length = (int) value(length, random);
            case 1 -> length = LENGTH - offset;
            case 2 -> segment.putLong(offset + Frame.SEQUENCE_OFFSET, value(Frame.sequence(segment, offset), random));
            case 3 -> segment.putInt(offset + Frame.UNSYNCED_OFFSET, (int) value(0, random));
            case 4 -> segment.put(offset + Frame.TYPE_OFFSET, (byte) random.nextInt(4));
            default -> segment.put(offset + Frame.FLAGS_OFFSET, (byte) random.nextInt());
        }
        segment.putInt(offset, length);
        if (length >= Frame.HEADER_LENGTH && length <= LENGTH - offset) {
            long salt = segment.getLong(SegmentHeader.SALT_OFFSET);
            long position = segment.getLong(SegmentHeader.BASE_POSITION_OFFSET) + offset;
            Frame.putChecksum(segment, offset, new FrameChecksum(segment).of(offset, length, salt, position));
        }
    }

    private static int crc(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), from, length);
        return (int) crc.getValue();
    }

    private static void use(Map<String, byte[]> files, ReadMode mode, Random random) {
        CrashableStorage storage = new CrashableStorage();
        files.forEach(storage::replace);
        LogConfig config = WriterKind.values()[random.nextInt(4)].config().build();
        TailerConfig reading = WriterKind.reader().readMode(mode).build();
        List<Runnable> uses = new ArrayList<>();
        uses.add(() -> new LogInspector(storage).inspect(LogScan.Start.BEGINNING));
        uses.add(() -> read(Tailer.open(storage, reading)));
        uses.add(() -> read(Tailer.open(storage, "reader", reading)));
        uses.add(() -> seek(reading, storage, random));
        uses.add(() -> new LogMonitor(storage).read().slowestCursorLag());
        uses.add(() -> new LogCursors(storage).list());
        uses.add(() -> write(config, reading, storage));
        uses.add(() -> write(config, reading, storage));
        uses.add(() -> new LogRepair(storage).repair());
        uses.add(() -> write(config, reading, storage));
        for (Runnable use : uses) {
            try {
                use.run();
            } catch (PersistException typed) {
                assertThat(typed).hasMessageNotContaining("\n");
            }
        }
        assertThat(storage.openHandles()).isZero();
    }

    private static void read(Tailer tailer) {
        try (tailer) {
            int count = 0;
            while (tailer.next() && count < MAX_READ) {
                count++;
            }
            assertThat(count).isLessThan(MAX_READ);
        }
    }

    private static void seek(TailerConfig reading, CrashableStorage storage, Random random) {
        try (Tailer tailer = Tailer.open(storage, reading)) {
            tailer.toSequence(1 + random.nextInt(200));
            tailer.next();
            tailer.toEnd();
            tailer.toPosition(value(0, random));
        } catch (IllegalArgumentException noSuchPlace) {
            assertThat(noSuchPlace).hasMessageNotContaining("\n");
        }
    }

    private static void write(LogConfig config, TailerConfig reading, CrashableStorage storage) {
        try (Log log = Log.open(config, storage)) {
            Records.append(log, 60);
            log.commit(Durability.SYNCED);
            read(log.tailer(reading));
        }
    }
}
