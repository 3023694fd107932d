package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {

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
        Messages failing = new FailingMessages(10);
        WarmUp warmUp = warmUp(failing);

        assertThatThrownBy(warmUp::run).isInstanceOf(IllegalStateException.class);
        assertThat(warmUp.directory()).doesNotExist();
    }

    @Test
    void shouldWriteNothingMoreWhenAskedToStop() throws Exception {
        stop.request();
        WarmUp warmUp = warmUp(new FailingMessages(0));

        warmUp.run();

        assertThat(warmUp.directory()).doesNotExist();
    }

    @Test
    void shouldDeleteWhatAKilledProcessLeft() throws Exception {
        Path left = Files.createDirectories(directory.resolve("warmup-2147483647"));
        Files.writeString(left.resolve("00000000000000000000.log"), "x");
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(1L);
        Path running = Files.createDirectories(directory.resolve("warmup-" + parent));
        Path other = Files.createDirectories(directory.resolve("warmup-notes"));

        warmUp(new CarMessage()).run();

        assertThat(left).doesNotExist();
        assertThat(running).exists();
        assertThat(other).exists();
    }

    private WarmUp warmUp(Messages messages) {
        MessageLoggerParameters parameters = new MessageLoggerParameters();
        CommandLine.of(parameters).parse("-k", directory.toString(), "-t", "0.2");
        WriteLoop loop = new WriteLoop(messages, 1, System::nanoTime, new ClockCost(1, 20), stop);
        return new WarmUp(parameters, messages, loop, new ReadPass(messages, stop), stop);
    }

    private long scratchLogs() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("warmup"))
                    .count();
        }
    }

    private record FailingMessages(long failingIndex) implements Messages {

        private static final ByteBuffer MESSAGE = ByteBuffer.allocate(10);

        @Override
        public ByteBuffer message(long index) {
            if (index == failingIndex) {
                throw new IllegalStateException("index=" + index);
            }
            return MESSAGE;
        }

        @Override
        public int maxLength() {
            return 10;
        }

        @Override
        public double averageLength() {
            return 10;
        }

        @Override
        public String describe() {
            return "failing";
        }
    }
}
