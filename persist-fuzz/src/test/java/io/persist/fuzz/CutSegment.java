package io.persist.fuzz;

import io.persist.MessageLogger;
import io.persist.error.PersistException;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.read.Tailer;
import io.persist.memory.MissingPage;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A log of real files, since what is only in memory has no pages that somebody can take away: the segment that its
 * writer has mapped is cut, and the writer goes on. Whatever it does then, the JVM lives; once a commit or the closing
 * has said that the log has failed, nothing is taken any more; and with what was cut put back all is there that was
 * synced.
 */
final class CutSegment {

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int PAGE_LENGTH = 4096;
    private static final int PAGES = 4;
    private static final int MAX_RECORD = 0x1FFF;
    private static final int CALLS_BEFORE = 7;
    private static final int CALLS_AFTER = 7;

    /** From this release on an error of a missing page comes before the call that has met it returns. */
    private static final int FIRST_WITHOUT_LATE_ERRORS = 21;

    private static final boolean HAS_LATE_ERRORS = Runtime.version().feature() < FIRST_WITHOUT_LATE_ERRORS;

    private final Edit edit;
    private final List<byte[]> appended = new ArrayList<>();
    private int synced;

    /** What is appended, how it is committed and where the segment is cut follows from {@code edit}. */
    CutSegment(Edit edit) {
        this.edit = edit;
    }

    void run() {
        try {
            Path scratch = Files.isWritable(MEMORY)
                    ? Files.createTempDirectory(MEMORY, "persist")
                    : Files.createTempDirectory("persist");
            try {
                cut(scratch);
            } finally {
                delete(scratch);
            }
        } catch (IOException e) {
            throw new AssertionError("files of the test itself", e);
        }
    }

    private void cut(Path scratch) throws IOException {
        Path log = scratch.resolve("log");
        LogConfig config = LogConfig.builder(log)
                .segmentLength(PAGES * PAGE_LENGTH)
                .writeMode(WriteMode.MAPPED)
                .build();
        MessageLogger logger = MessageLogger.open(config);
        for (int i = 0; i <= (edit.value() & CALLS_BEFORE); i++) {
            append(logger, i);
        }
        logger.commit(Durability.SYNCED);
        synced = appended.size();
        long length = PAGES * PAGE_LENGTH;
        long base = logger.position() / length * length;
        Path segment = log.resolve(LogFileName.segment(base));
        byte[] kept = Files.readAllBytes(segment);
        int left = edit.file() % PAGES * PAGE_LENGTH;
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.setLength(left);
        }
        Use.require(goOn(logger) || left != 0, "nobody has said that the writer's segment is gone");
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.seek(left);
            file.write(kept, left, kept.length - left);
        }
        check(config);
    }

    private void append(MessageLogger logger, int number) {
        byte[] record = new byte[(edit.place() * (number + 1) + number) & MAX_RECORD >> (edit.value() >>> 3 & 7)];
        Arrays.fill(record, (byte) (edit.value() + number));
        appended.add(record);
        switch ((int) (edit.value() >>> 6 + number) & 1) {
            case 0 -> logger.append(record);
            default -> logger.append(ByteBuffer.allocateDirect(record.length).put(0, record));
        }
    }

    /** Whether any call has said that the log has failed. */
    private boolean goOn(MessageLogger logger) {
        boolean hasFailed = false;
        for (int i = 0; i <= (edit.value() >>> 16 & CALLS_AFTER); i++) {
            int number = i;
            hasFailed |= isRefused(() -> append(logger, number));
            if ((edit.value() >>> 20 + i & 1) != 0) {
                hasFailed |= isRefused(() -> logger.commit(Durability.SYNCED));
                synced = hasFailed ? synced : appended.size();
            }
        }
        boolean isCommitRefused = isRefused(() -> logger.commit(Durability.SYNCED));
        Use.require(isCommitRefused || !hasFailed, "a log that has failed has taken a commit");
        return isRefused(logger::close) || isCommitRefused;
    }

    private static boolean isRefused(Runnable call) {
        try {
            call.run();
            MissingPage.check(); // what comes late belongs to this
            return false;
        } catch (PersistException failed) {
            MissingPage.dropHeld();
            Use.refusal(failed);
            return true;
        } catch (InternalError late) {
            MissingPage.dropHeld();
            Use.require(HAS_LATE_ERRORS, "an error that is not Persist's own: " + late);
            return true;
        }
    }

    private void check(LogConfig config) {
        try (MessageLogger again = MessageLogger.open(config);
                Tailer all = again.tailer()) {
            int found = 0;
            while (all.next()) {
                Use.require(found < appended.size(), "a record that nobody has appended");
                Use.require(Arrays.equals(all.payloadBytes(), appended.get(found)), "another record is there");
                found++;
            }
            Use.require(found >= synced, "what was synced is gone: " + synced + ", found=" + found);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(directory)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path one : deepestFirst) {
            Files.delete(one);
        }
    }
}
