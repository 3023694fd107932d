package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Claim;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.RecordHandler;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.log.read.Tailer;
import io.persist.support.Allocation;
import io.persist.support.InMemory;
import io.persist.support.Records;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a thread allocates per call in the long run: nothing, but for a little with each new segment. */
@ParameterizedClass
@EnumSource(WriterKind.class)
class AllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 20_000;

    private static final int SEGMENT_LENGTH = 4 << 20;

    @Parameter
    WriterKind kind;

    private final byte[] record = Records.of(1, 60);

    @TempDir(factory = InMemory.class)
    Path directory;

    private Log log;

    @BeforeEach
    void open() {
        log = Log.open(config());
    }

    private LogConfig config() {
        return kind.config(directory)
                .segmentLength(SEGMENT_LENGTH)
                .writeBufferLength(8192)
                .build();
    }

    @AfterEach
    void close() {
        log.close();
    }

    private static void shouldNotAllocate(int warmUp, int calls, Runnable call) {
        shouldNotAllocate(warmUp, calls, 1, call);
    }

    private static void shouldNotAllocate(int warmUp, int calls, int recordsPerCall, Runnable call) {
        Allocation.checkLess(warmUp, calls, Allocation.TRIES, (long) calls * recordsPerCall, call);
    }

    @Test
    void shouldNotAllocateToAppendAndCommit() {
        shouldNotAllocate(WARM_UP, CALLS, () -> {
            log.append(record, 0, record.length);
            log.commit(Durability.BUFFERED);
        });
    }

    @Test
    void shouldNotAllocateToAskBeforeAnAppend() {
        shouldNotAllocate(WARM_UP, CALLS, () -> {
            if (!log.wouldWait(record.length)) {
                log.append(record, 0, record.length);
                log.commit(Durability.BUFFERED);
            }
        });
        assertThat(log.statistics().stalls() + log.statistics().paces()).isZero();
    }

    @Test
    void shouldNotAllocateToAppendABuffer() {
        ByteBuffer source = ByteBuffer.allocateDirect(60);
        shouldNotAllocate(WARM_UP, CALLS, () -> log.append(source));
    }

    @Test
    void shouldNotAllocateToFillAClaim() {
        shouldNotAllocate(WARM_UP, CALLS, () -> {
            Claim claim = log.claim(60);
            claim.payload().putLong(42);
            claim.publish();
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"FLUSHED", "SYNCED"})
    void shouldNotAllocateToCommitSafely(Durability level) {
        shouldNotAllocate(WARM_UP, WARM_UP, () -> {
            log.append(record, 0, record.length);
            log.commit(level);
        });
    }

    /** The slots that it looks at and the one that it writes, and what the device's wait needs: nothing that lasts. */
    @Test
    void shouldAllocateLittleToStoreACursor() {
        try (Tailer tailer = log.tailer("billing")) {
            shouldNotAllocate(WARM_UP, WARM_UP, 640, () -> {
                log.append(record, 0, record.length);
                log.flush();
                tailer.next();
                tailer.store();
            });
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldNotAllocateToRead(ReadMode readMode) {
        for (int i = 0; i < WARM_UP + Allocation.TRIES * CALLS + 2; i++) {
            log.append(record, 0, record.length);
        }
        log.flush();
        long[] sum = {0};
        RecordHandler handler = (position, sequence, payload) -> sum[0] += payload.getLong(payload.position());
        TailerConfig reading =
                TailerConfig.builder().readBufferLength(8192).readMode(readMode).build();
        try (Tailer tailer = Tailer.open(directory, reading)) {
            shouldNotAllocate(WARM_UP, CALLS, () -> {
                if (!tailer.next()) {
                    throw new AssertionError("no record");
                }
            });
            tailer.toStart();
            shouldNotAllocate(WARM_UP / 10, CALLS / 10, 10, () -> {
                if (tailer.poll(handler, 10) != 10) {
                    throw new AssertionError("no record");
                }
            });
            tailer.toEnd();
            shouldNotAllocate(WARM_UP, CALLS, () -> {
                if (tailer.next()) {
                    throw new AssertionError("too many records");
                }
            });
        }
        assertThat(sum[0]).isNotZero();
    }
}
