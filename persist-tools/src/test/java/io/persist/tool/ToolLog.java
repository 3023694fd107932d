package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.command.Run;
import io.persist.error.LogLockedException;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.engine.Log;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.text.PayloadStyle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;

/** A log in memory, and what a tool that ran on it returned and printed. */
public final class ToolLog {

    public static final int SEGMENT_LENGTH = 4096;
    public static final LogConfig CONFIG =
            LogConfig.builder(Path.of("memory")).segmentLength(SEGMENT_LENGTH).build();

    private ToolLog() {}

    public static Log open(Storage storage) {
        return Log.open(CONFIG, storage);
    }

    /** Appends {@code record-1} and so on, each a commit of its own; returns where each begins. */
    public static List<Long> append(Log log, int count) {
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            append(log, "record-" + (log.lastSequence() + 1));
            positions.add(log.lastPosition());
        }
        return positions;
    }

    public static void append(Log log, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        log.append(bytes, 0, bytes.length);
        log.commit(Durability.BUFFERED);
    }

    /** Makes a closed log of {@code count} records; returns where each begins. */
    public static List<Long> closed(Storage storage, int count) {
        try (Log log = open(storage)) {
            return append(log, count);
        }
    }

    /** Makes a closed log that ends at {@code position} or a little behind it. */
    public static void closedBehind(Storage storage, long position) {
        try (Log log = open(storage)) {
            while (log.position() < position) {
                append(log, 1);
            }
        }
    }

    /**
     * Has an application that is to write a log in {@code target} started before each step of what is done there but
     * that which takes the writer's lock, and be refused.
     *
     * @return the steps, as they come
     */
    public static List<String> refusingWriters(CrashableStorage target) {
        List<String> steps = new ArrayList<>();
        AtomicBoolean isOpening = new AtomicBoolean();
        target.hook((number, what) -> {
            if (!what.equals("tryLock writer.lock") && isOpening.compareAndSet(false, true)) {
                steps.add(what);
                assertThatThrownBy(() -> open(target))
                        .isInstanceOf(LogLockedException.class)
                        .hasMessageContaining("log is open for writing elsewhere");
                isOpening.set(false);
            }
        });
        return steps;
    }

    /** Flips a bit of the payload of the record at {@code position}. */
    public static void damage(CrashableStorage storage, long position) {
        flip(storage, position, 24);
    }

    /** Flips a bit of the byte {@code at} bytes behind {@code position}. */
    public static void flip(CrashableStorage storage, long position, int at) {
        long base = position / SEGMENT_LENGTH * SEGMENT_LENGTH;
        String name = LogFileName.segment(base);
        byte[] bytes = storage.content(name);
        bytes[(int) (position - base) + at] ^= 4;
        storage.replace(name, bytes);
    }

    public static Run run(Storage storage, LogTool tool) {
        return Run.of((args, out, err) -> ToolRunner.run(storage, tool, out, err));
    }

    /** The same, while a writer appends two records before each piece of output. */
    public static Run runWhileWriting(Log writer, Storage storage, LogTool tool) {
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int offset, int length) {
                append(writer, "meanwhile");
                append(writer, "and again");
                super.write(bytes, offset, length);
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ToolRunner.run(storage, tool, print(out), print(err));
        return new Run(code, text(out), text(err));
    }

    public static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    public static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The checksums of all files but the lock. */
    public static Map<String, Long> hashes(CrashableStorage storage) {
        Map<String, Long> hashes = new HashMap<>();
        synchronized (storage) { // the log may be open: its threads rename no file between the list and what is listed
            for (String name : storage.list()) {
                CRC32C crc = new CRC32C();
                crc.update(storage.content(name));
                hashes.put(name, crc.getValue());
            }
        }
        return hashes;
    }

    public static DumpTool dump(RecordRange range) {
        return new DumpTool(range, RecordPrinter.json(PayloadStyle.PREVIEW));
    }

    /** The sequence numbers in a dump as JSON. */
    public static List<Long> sequences(String json) {
        return json.lines()
                .map(line -> Long.valueOf(line.replaceFirst(".*\"sequence\":(\\d+).*", "$1")))
                .toList();
    }
}
