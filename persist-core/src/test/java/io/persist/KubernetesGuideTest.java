package io.persist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.error.LogFullException;
import io.persist.error.LogIOException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.monitor.LogStatistics;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The code that docs/kubernetes.md shows, run; {@link GuideSnippetsTest} compares the two texts. */
@Timeout(60)
class KubernetesGuideTest {

    @TempDir
    private Path directory;

    // snippet: kubernetes-health
    /** What the probes of a pod ask. Any thread may call it. */
    static final class Health {

        private static final long MOST_SYNC_MS = 5_000;

        private final MessageLogger logger;
        private final LongSupplier usableBytes; // () -> LogMonitor.open(directory).extent().usableBytes()
        private final long neededBytes; // two segments: the one to write, and the one after it
        private long refusals;
        private long end = -1; // of the log, when an append was refused last; -1 once there is space again

        Health(MessageLogger logger, LongSupplier usableBytes) {
            this.logger = logger;
            this.usableBytes = usableBytes;
            this.neededBytes = 2L * logger.config().segmentLength();
        }

        /** If not, the log takes nothing more: the pod has to be started again. */
        boolean isLive() {
            return !logger.hasFailed();
        }

        /** If not, the device does not answer, or an append was refused and there still is no space. */
        synchronized boolean isReady() {
            LogStatistics now = logger.statistics();
            long beganAtMs = now.syncBeganAtMs(); // 0 if no sync is under way
            boolean isStuck = beganAtMs != 0 && System.currentTimeMillis() - beganAtMs > MOST_SYNC_MS;
            if (now.refusals() > refusals) {
                refusals = now.refusals();
                end = logger.position();
            } else if (end >= 0 && (logger.position() > end || usableBytes.getAsLong() > neededBytes)) {
                end = -1;
            }
            return isLive() && !isStuck && end < 0;
        }
    }
    // end

    private LogConfig config() {
        return LogConfig.builder(directory).segmentLength(4096).build();
    }

    @Test
    void shouldOpenOnceThePodBeforeHasClosedTheLog() throws Exception {
        MessageLogger before = MessageLogger.open(config());
        before.append("hello".getBytes(UTF_8));
        before.commit();
        CompletableFuture<MessageLogger> next = CompletableFuture.supplyAsync(() -> openBehind(directory));
        before.close();
        try (MessageLogger opened = next.get(1, TimeUnit.MINUTES)) {
            assertThat(opened.lastSequence()).isEqualTo(1);
        }
    }

    private static MessageLogger openBehind(Path directory) {
        // snippet: kubernetes-open
        LogConfig config = LogConfig.builder(directory)
                .lockTimeout(Duration.ofSeconds(30)) // then LogLockedException, which names the process
                .build();
        MessageLogger logger = MessageLogger.open(config);
        // end
        return logger;
    }

    @Test
    void shouldNotBeLiveOnceTheLogHasFailed() {
        FaultyStorage disk = new FaultyStorage(new CrashableStorage());
        AtomicLong usable = new AtomicLong(Long.MAX_VALUE);
        MessageLogger logger = MessageLogger.open(config(), disk);
        Health health = new Health(logger, usable::get);
        append(logger);
        logger.commit(Durability.SYNCED);
        assertThat(health.isLive()).isTrue();
        assertThat(health.isReady()).isTrue();
        disk.failFrom(Verb.FORCE, 1);
        append(logger);
        assertThatExceptionOfType(LogIOException.class).isThrownBy(() -> logger.commit(Durability.SYNCED));
        assertThat(health.isLive()).isFalse();
        assertThat(health.isReady()).isFalse();
        assertThatExceptionOfType(LogIOException.class).isThrownBy(logger::close);
    }

    @Test
    void shouldNotBeReadyUntilThereIsSpaceAfterARefusal() {
        FaultyStorage disk = new FaultyStorage(new CrashableStorage());
        AtomicLong usable = new AtomicLong();
        try (MessageLogger logger = MessageLogger.open(config(), disk)) {
            Health health = new Health(logger, usable::get);
            fill(logger, disk);
            assertThat(health.isReady()).isFalse();
            assertThat(health.isReady()).as("nobody has appended since").isFalse();
            assertThat(health.isLive()).isTrue();
            usable.set(config().segmentLength() * 2L + 1);
            assertThat(health.isReady()).as("there is space").isTrue();
            usable.set(0);
            assertThat(health.isReady()).as("nothing was refused since").isTrue();
        }
    }

    @Test
    void shouldBeReadyOnceAnAppendHasSucceededAfterARefusal() {
        FaultyStorage disk = new FaultyStorage(new CrashableStorage());
        AtomicLong usable = new AtomicLong();
        try (MessageLogger logger = MessageLogger.open(config(), disk)) {
            Health health = new Health(logger, usable::get);
            fill(logger, disk);
            assertThat(health.isReady()).isFalse();
            disk.heal();
            append(logger);
            assertThat(health.isReady()).isTrue();
        }
    }

    private static void append(MessageLogger logger) {
        logger.append("hello".getBytes(UTF_8));
    }

    /** Appends until the disk is full. */
    private static void fill(MessageLogger logger, FaultyStorage disk) {
        disk.message("No space left on device").failFrom(Verb.CREATE, 1);
        assertThatExceptionOfType(LogFullException.class).isThrownBy(() -> {
            while (true) {
                append(logger);
            }
        });
    }
}
