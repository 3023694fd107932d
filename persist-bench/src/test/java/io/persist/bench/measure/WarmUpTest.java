package io.persist.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.bench.EventfulMessages;
import io.persist.bench.Program;
import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.bench.host.Pinning;
import io.persist.bench.latency.ClockCost;
import io.persist.bench.latency.LatencyRow;
import io.persist.bench.latency.Operation;
import io.persist.bench.load.Producers;
import io.persist.bench.load.Stop;
import io.persist.bench.load.WriteLoop;
import io.persist.bench.record.Messages;
import io.persist.bench.subject.MessageJournal;
import io.persist.bench.subject.MessageSubject;
import io.persist.command.CommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {

    private static final long DURATION_NS = 200_000_000;

    @TempDir
    Path directory;

    private final Stop stop = Stop.onInterrupt();

    @AfterEach
    void close() {
        stop.close();
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException {
        Program program = Program.small(directory, "-c", "100", "-t", "0.3", "-r", "5000");

        assertThat(program.code()).isZero();
        assertThat(program.out())
                .containsSubsequence("Warming up for 0.3 s", "Warm up complete.", "Wrote 100 messages");
        assertThat(scratchLogs()).isZero();
    }

    @Test
    void shouldDeleteTheScratchLogAfterAFailureToo() throws IOException {
        WarmUp warmUp = warmUp(failingAt(10));

        assertThatThrownBy(() -> warmUp.run(DURATION_NS, -1)).isInstanceOf(IllegalStateException.class);
        assertThat(WarmUp.directory(directory)).doesNotExist();
    }

    @Test
    void shouldWriteNothingMoreWhenAskedToStop() throws Exception {
        stop.request();
        WarmUp warmUp = warmUp(failingAt(0));

        warmUp.run(DURATION_NS, -1);

        assertThat(WarmUp.directory(directory)).doesNotExist();
    }

    @Test
    void shouldDeleteWhatAKilledProcessLeft() throws Exception {
        Path left = Files.createDirectories(directory.resolve("persist-warmup-2147483647"));
        Files.writeString(left.resolve("00000000000000000000.log"), "x");
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L);
        Path running = Files.createDirectories(directory.resolve("persist-warmup-" + parent));
        Path other = Files.createDirectories(directory.resolve("persist-warmup-notes"));
        Path someones = Files.createDirectories(directory.resolve("warmup-2147483647"));

        WarmUp.deleteLeftovers(directory);

        assertThat(left).doesNotExist();
        assertThat(running).exists();
        assertThat(other).exists();
        assertThat(someones).exists();
    }

    private WarmUp warmUp(Messages messages) {
        MessageLoggerParameters parameters = new MessageLoggerParameters();
        CommandLine.of(parameters).parse("-k", directory.toString());
        ClockCost clockCost = new ClockCost(1, 20);
        LatencyRow row = LatencyRow.of(Operation.MESSAGE, -1, false);
        WriteLoop loop = new WriteLoop(row, 1, System::nanoTime, clockCost, stop);
        MessageSubject subject = new MessageSubject(parameters, messages, stop, System.out);
        Setup setup = new Setup(
                config -> MessageJournal.open(config, null, messages, 1),
                row,
                new Producers(loop, 1, false, Pinning.none()),
                List.of(),
                clockCost,
                subject::warmUpReading,
                stop);
        return new WarmUp(setup, parameters.scratchConfig(messages.maxLength()), messages.maxLength());
    }

    private long scratchLogs() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().contains("warmup"))
                    .count();
        }
    }

    private static Messages failingAt(long index) {
        return new EventfulMessages(index, () -> {
            throw new IllegalStateException("index=" + index);
        });
    }
}
