package io.persist.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.persist.error.LogIOException;
import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.read.Tailer;
import io.persist.monitor.LogStatistics;
import io.persist.support.Await;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No segment can be made for a while, and the disk is not full: as attached, that is no failure of the log. */
class DetachedRefusalTest {

    private static final int LENGTH = 4096;

    private final CrashableStorage storage = new CrashableStorage();
    private final Ledger ledger = new Ledger();
    private int number;

    private DetachedLog open(WriteMode mode) {
        LogConfig config = LogConfig.builder(Path.of("memory"))
                .segmentLength(LENGTH)
                .writeMode(mode)
                .build();
        DetachedLog log = DetachedLog.over(
                Log.open(config, storage),
                DetachedConfig.builder().queueDepth(8).build());
        ledger.commit(log.position());
        return log;
    }

    private void useUpDescriptors() {
        storage.hook((count, what) -> {
            if (what.startsWith("create ")) {
                throw new IOException("Too many open files");
            }
        });
    }

    private void append(DetachedLog log) {
        byte[] record = Ledger.record(0, number, 500);
        long end = log.append(record, 0, record.length);
        ledger.accept(0, number++, 500, end);
    }

    private void appendUntilRefused(DetachedLog log) {
        refuses(() -> {
            for (int i = 0; i < 10_000; i++) {
                append(log);
            }
        });
    }

    private static void refuses(ThrowingCallable call) {
        assertThatExceptionOfType(LogIOException.class)
                .isThrownBy(call)
                .withMessageContaining("cannot prepare the next segment: Too many open files; ")
                .withMessageMatching(".*; \\d+ accepted records wait in the queue");
    }

    private int missing(DetachedLog log) {
        try (Tailer tailer = log.tailer()) {
            return ledger.check(tailer);
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldGoOnWhenASegmentCanBeMadeAgain(WriteMode mode) {
        try (DetachedLog log = open(mode)) {
            useUpDescriptors();
            appendUntilRefused(log);
            refuses(() -> log.await(log.position() + 3 * LENGTH, Durability.SYNCED, Duration.ofSeconds(30)));
            refuses(() -> log.commit(Durability.SYNCED));
            refuses(log::flush);
            refuses(log::sync);
            refuses(() -> log.claim(5));
            assertThat(log.hasFailed()).isFalse();
            storage.hook((count, what) -> {});
            Await.until("records are taken again", () -> takes(log));
            ledger.commit(log.commit(Durability.SYNCED));
            assertThat(missing(log)).isZero();
            LogStatistics statistics = log.statistics();
            assertThat(statistics.batchEntries()).as("entries taken").isEqualTo(statistics.records());
        }
        assertThat(storage.openHandles()).isZero();
    }

    private boolean takes(DetachedLog log) {
        try {
            append(log);
            return true;
        } catch (LogIOException refused) {
            assertThat(log.hasFailed()).isFalse();
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldCountWhatCouldNotBeWrittenBeforeItWasClosed(WriteMode mode) {
        DetachedLog log = open(mode);
        useUpDescriptors();
        appendUntilRefused(log);
        LogIOException atClose = catchThrowableOfType(LogIOException.class, log::close);
        log.close();
        assertThat(storage.openHandles()).isZero();
        storage.hook((count, what) -> {});
        try (DetachedLog again = open(mode)) {
            int missing = missing(again);
            assertThat(missing).isPositive();
            assertThat(atClose)
                    .hasMessageContaining("cannot prepare the next segment: Too many open files; ")
                    .hasMessageContaining("; " + missing + " accepted records could not be written")
                    .hasMessageEndingWith("those after position " + again.position());
        }
    }
}
