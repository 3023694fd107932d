package io.persist.matrix.damage;

import com.sun.management.ThreadMXBean;
import io.persist.format.LogFileName;
import io.persist.format.SegmentHeader;
import io.persist.format.checkpoint.CheckpointFooter;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.format.control.ControlBlock;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.matrix.damage.Frames.Place;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Lengths and positions that cannot be, in each frame and where the next one would be, in headers that are signed, in
 * the control block and in checkpoints: an end of the log or damage, and nothing of such a size is allocated.
 */
public final class BadLengths implements Exercise {

    private static final int[] LENGTHS = {
        0,
        1,
        23,
        24,
        -1,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 24,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 7,
        Integer.MAX_VALUE - 8,
        Integer.MAX_VALUE - Subject.SEGMENT_LENGTH,
        Subject.SEGMENT_LENGTH,
        Subject.SEGMENT_LENGTH + 1
    };
    private static final long[] POSITIONS = {
        0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MAX_VALUE - Subject.SEGMENT_LENGTH, 1L << 32
    };
    private static final int[] POSITIONS_OF_A_HEADER = {
        SegmentHeader.BASE_POSITION_OFFSET, SegmentHeader.SEGMENT_LENGTH_OFFSET
    };
    private static final int[] NUMBERS_OF_THE_FOOTER = {
        CheckpointFooter.NODES_OFFSET,
        CheckpointFooter.WORDS_OFFSET,
        CheckpointFooter.SEGMENTS_OFFSET,
        CheckpointFooter.ID_LIMIT_OFFSET
    };

    private static final int[] POSITIONS_OF_THE_CONTROL_BLOCK = {
        ControlBlock.CLEAN_TAIL_OFFSET,
        ControlBlock.CLEAN_LAST_OFFSET,
        ControlBlock.HINT_OFFSET,
        ControlBlock.COMMITTED_OFFSET,
        ControlBlock.FLUSHED_OFFSET,
        ControlBlock.SYNCED_OFFSET,
        ControlBlock.VISIBLE_OFFSET
    };
    private static final int SHARE_OF_A_BUILD = 20;
    private static final long MOST_ALLOCATED = 16 << 20;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Override
    public Row row() {
        return Row.BAD_LENGTH;
    }

    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    @Override
    public void run(Subject subject, Effort effort) {
        for (Ending ending : Ending.values()) {
            LeftLog log = LeftLog.of(subject, ending);
            frames(log, effort);
            for (String name : log.names()) {
                if (name.equals(LogFileName.CONTROL)) {
                    control(log, effort);
                } else if (CheckpointName.position(name).isPresent()) {
                    checkpoint(log, name, effort);
                } else {
                    header(log, name, effort);
                }
            }
        }
    }

    private static void frames(LeftLog log, Effort effort) {
        List<Place> places = log.frames().places();
        List<Place> chosen = new ArrayList<>();
        for (int i = places.size() - 1; i >= 0; i -= effort.times(SHARE_OF_A_BUILD, 1)) {
            chosen.add(places.get(i));
        }
        chosen.add(places.get(0));
        chosen.add(log.frames().tail());
        for (Place place : chosen) {
            int room = Subject.SEGMENT_LENGTH - place.offset();
            for (int length : LENGTHS) {
                frame(log, place, length, effort);
            }
            for (int length = room - 32; length <= room + 8; length += 8) {
                frame(log, place, length, effort);
            }
        }
    }

    private static void frame(LeftLog log, Place place, int length, Effort effort) {
        byte[] bytes = log.bytes(place.file());
        buffer(bytes).putInt(place.offset(), length);
        String what = "length " + length + " at " + place;
        bounded(() -> log.check(place.file(), bytes, () -> what), what, effort);
    }

    private static void header(LeftLog log, String name, Effort effort) {
        for (int offset : POSITIONS_OF_A_HEADER) {
            for (long position : POSITIONS) {
                byte[] bytes = log.bytes(name);
                buffer(bytes).putLong(offset, position);
                buffer(bytes).putInt(SegmentHeader.CHECKSUM_OFFSET, crc(bytes, 0, SegmentHeader.CHECKSUM_OFFSET));
                if (buffer(log.bytes(name)).getLong(offset) != position) {
                    String what = position + " at " + offset + " of " + name;
                    bounded(() -> log.check(name, bytes, () -> what), what, effort);
                }
            }
        }
    }

    /** Positions that cannot be are not believed, though their checksum or complement fits. */
    private static void control(LeftLog log, Effort effort) {
        for (int offset : POSITIONS_OF_THE_CONTROL_BLOCK) {
            for (long position : POSITIONS) {
                byte[] bytes = log.bytes(LogFileName.CONTROL);
                buffer(bytes).putLong(offset, position);
                if (offset == ControlBlock.FLUSHED_OFFSET || offset == ControlBlock.SYNCED_OFFSET) {
                    buffer(bytes).putLong(offset + Long.BYTES, ~position);
                }
                int from = ControlBlock.CLEAN_TAIL_OFFSET;
                int checksum = crc(bytes, from, ControlBlock.HINT_OFFSET - from);
                buffer(bytes).putInt(ControlBlock.CLEAN_CHECKSUM_OFFSET, checksum);
                String what = position + " at " + offset + " of the control block";
                bounded(() -> new Replacement(log, LogFileName.CONTROL, bytes, what).check(), what, effort);
            }
        }
    }

    private static void checkpoint(LeftLog log, String name, Effort effort) {
        int footer = log.bytes(name).length - CheckpointFooter.LENGTH;
        for (int offset : NUMBERS_OF_THE_FOOTER) {
            for (int number : LENGTHS) {
                byte[] bytes = log.bytes(name);
                buffer(bytes).putInt(footer + offset, number);
                String what = number + " at " + offset + " of the footer";
                bounded(() -> log.check(name, bytes, () -> what), what, effort);
            }
        }
    }

    private static void bounded(Runnable check, String what, Effort effort) {
        if (!effort.takesNext()) {
            return;
        }
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        check.run();
        long allocated = THREADS.getThreadAllocatedBytes(thread) - before;
        LeftLog.checkThat(allocated < MOST_ALLOCATED, allocated + " bytes were allocated because of " + what);
        effort.tried(1);
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
