package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.persist.log.Claim;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.support.InMemory;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a producer and the writer thread allocate per call in the long run: nothing. */
@ParameterizedClass
@EnumSource(WriteMode.class)
class DetachedAllocationTest {

    private static final int WARM_UP = 20_000;
    private static final int CALLS = 10_000;

    /** Before the first round, which mostly is enough: each call is one of another thread too, and takes its time. */
    private static final int EARLY = 1000;

    /** What is compiled late, on a machine that is busy, allocates before that: one round without is what counts. */
    private static final int ROUNDS = 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Duration LATE = Duration.ofHours(1);

    @Parameter
    WriteMode mode;

    @TempDir(factory = InMemory.class)
    Path directory;

    private final byte[] record = new byte[60];
    private Thread writer;
    private DetachedLog log;

    @BeforeEach
    void open() {
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(4 << 20)
                .writeMode(mode)
                .build();
        DetachedConfig queue = DetachedConfig.builder()
                .queueDepth(256)
                .threadFactory(runnable -> writer = new Thread(runnable, "persist-writer"))
                .build();
        log = DetachedLog.over(Log.open(config), queue);
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void shouldNotAllocate(Runnable call) {
        long[] bytes = allocated(EARLY, call);
        for (int round = 0; round < ROUNDS && (bytes[0] >= CALLS || bytes[1] >= CALLS); round++) {
            bytes = allocated(round == 0 ? WARM_UP - EARLY : 0, call);
        }
        assertThat(bytes[0]).as("bytes of the producer in %d calls", CALLS).isLessThan(CALLS);
        assertThat(bytes[1]).as("bytes of the writer in %d calls", CALLS).isLessThan(CALLS);
    }

    /** By the producer, and by the writer thread, after so many calls that do not count. */
    private long[] allocated(int before, Runnable call) {
        for (int i = 0; i < before; i++) {
            call.run();
        }
        log.flush();
        long producer = Thread.currentThread().getId();
        long producerBefore = THREADS.getThreadAllocatedBytes(producer);
        long writerBefore = THREADS.getThreadAllocatedBytes(writer.getId());
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        long producerBytes = THREADS.getThreadAllocatedBytes(producer) - producerBefore;
        log.flush();
        return new long[] {producerBytes, THREADS.getThreadAllocatedBytes(writer.getId()) - writerBefore};
    }

    @Test
    void shouldNotAllocateToAppend() {
        shouldNotAllocate(() -> log.append(record, 0, record.length));
    }

    @Test
    void shouldNotAllocateToAskBeforeAnAppend() {
        shouldNotAllocate(() -> {
            if (!log.wouldWait(record.length)) {
                log.append(record, 0, record.length);
                log.commit(Durability.BUFFERED);
            }
        });
        assertThat(log.statistics().queueFull()).isZero();
    }

    @Test
    void shouldNotAllocateToAppendABuffer() {
        ByteBuffer source = ByteBuffer.allocateDirect(60);
        shouldNotAllocate(() -> log.append(source));
    }

    @Test
    void shouldNotAllocateToFillAClaim() {
        shouldNotAllocate(() -> {
            Claim claim = log.claim(60);
            claim.payload().putLong(42);
            claim.publish();
        });
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldNotAllocateToCommit(Durability level) {
        shouldNotAllocate(() -> {
            log.append(record, 0, record.length);
            log.commit(level);
        });
    }

    @Test
    void shouldNotAllocateToCommitForLater() {
        shouldNotAllocate(() -> {
            log.append(record, 0, record.length);
            log.commitWithin(LATE);
        });
    }

    @Test
    void shouldNotAllocateToAwait() {
        shouldNotAllocate(() -> {
            long end = log.append(record, 0, record.length);
            try {
                if (!log.await(end, Durability.FLUSHED, LATE)) {
                    throw new AssertionError("not flushed in time");
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }
}
