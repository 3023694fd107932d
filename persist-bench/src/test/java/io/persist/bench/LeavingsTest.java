package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.MessageLogger;
import io.persist.bench.Program.Kind;
import io.persist.bench.flags.MessageLoggerParameters;
import io.persist.bench.load.Stop;
import io.persist.bench.record.Messages;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.subject.MessageSubject;
import io.persist.bench.subject.Subject;
import io.persist.command.Command;
import io.persist.error.LogLockedException;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the benchmarks leave on the disk, and what they do not touch. */
class LeavingsTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    @ShowsEffectOf("--cleanup")
    void shouldDeleteItsLogIfThatIsWanted(Kind kind) {
        Path log = kind.log(directory.resolve("logs"));
        assertThat(kind.small(directory, "-c", "5", "--cleanup").out())
                .contains("Deleted " + log + ": ")
                .doesNotContain("Left on the disk");
        assertThat(log).doesNotExist();
        assertThat(directory.resolve("output/run.json")).isRegularFile();
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldSayWhatItLeavesAndKeepWhatWasThereBefore(Kind kind) {
        Path log = kind.log(directory.resolve("logs"));
        assertThat(kind.small(directory, "-c", "5").out())
                .containsPattern("Left on the disk: files of [\\d.]+ MiB in " + log + "; delete it when you are done");
        assertThat(kind.small(directory, "-c", "5", "--cleanup").out())
                .contains("it held something before this run, so --cleanup leaves it");
        assertThat(log).isDirectoryContaining("glob:**control");
    }

    /** As where nobody reads what it prints any more. */
    @Test
    void shouldCleanUpAfterAFailureToo() {
        String[] args = ("-c 12000 --keys 50 --chkptIntervalMinLogSize 1 --cleanup --checkpointLocation "
                        + directory.resolve("checkpoints"))
                .split(" ");
        Program program = Kind.STORE.watched(
                directory,
                line -> {
                    if (line.matches("(Closed|Left|Deleted) .*")) {
                        throw new IllegalStateException("no more of this");
                    }
                },
                args);

        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.err()).contains("no more of this").hasLineCount(1);
        assertThat(Kind.STORE.log(directory.resolve("logs"))).doesNotExist();
        assertThat(directory.resolve("checkpoints")).isEmptyDirectory();
    }

    @Test
    void shouldKeepALogThatIsNotAsItWasWritten() {
        Path log = Kind.MESSAGE.log(directory.resolve("logs"));
        Program program = Kind.MESSAGE.watched(
                directory,
                line -> {
                    if (line.startsWith("Wrote ")) {
                        overwrite(log.resolve("00000000000000000000.log"));
                    }
                },
                "-c",
                "500",
                "--cleanup");

        assertThat(program.code()).isEqualTo(Command.FAILED);
        assertThat(program.out())
                .containsPattern("Left on the disk: files of [\\d.]+ MiB in " + log
                        + "; it is not as it was written, so --cleanup leaves it\\.");
        assertThat(log).isDirectoryContaining("glob:**control");
    }

    /** What is in the middle of the records. */
    private static void overwrite(Path segment) {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[256]), 32 << 10);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Which takes long with -z. */
    @Test
    void shouldMeasureNothingIfItIsInterruptedWhileTheLogIsOpened() throws Exception {
        assertThat(Program.small(directory, "-c", "100").code()).isZero();

        assertThat(interruptedAt("Opened "))
                .contains("Interrupted before the run began: nothing was measured.", "Left on the disk: ")
                .doesNotContain("Wrote ");
        assertThat(new RunDirectory(directory.resolve("output")).load().count()).isEqualTo(100);
    }

    /** The report would show a run without a rate, whose percentiles are all 0. */
    @Test
    void shouldKeepNoRecordIfItIsInterruptedBeforeTheFirstWrite() throws Exception {
        assertThat(interruptedAt("Space that was prepared"))
                .contains("Interrupted before the first write: nothing was measured.", "Left on the disk: ")
                .doesNotContain("Wrote ", "Written to");
        assertThat(directory.resolve("output")).doesNotExist();
    }

    @Test
    void shouldSayThatAnInterruptionLeftRecordsUnread() throws Exception {
        assertThat(interruptedAt("Wrote "))
                .contains("until then; it is not read back.")
                .doesNotContain("Reopened");
        assertThat(interruptedAt("Reopened "))
                .containsSubsequence("Read 0 messages", "Interrupted: only what is said above was read back.");
    }

    /** What a run prints during which it is interrupted when it prints this. */
    private String interruptedAt(String begin) throws Exception {
        AtomicReference<Stop> interrupt = new AtomicReference<>();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8) {

            @Override
            public void println(String line) {
                super.println(line);
                if (line.startsWith(begin)) {
                    interrupt.get().request();
                    assertThat(interrupt.get().givenUp()).endsWith("stays in " + directory.resolve("logs/messages"));
                }
            }
        };
        MessageLoggerParameters flags = (MessageLoggerParameters) Kind.MESSAGE.parse(
                ("-c 200 -t 0 -i 0.002 --segmentSize 1 -k " + directory + "/logs --output " + directory + "/output")
                        .split(" "));
        Messages messages = new EventfulMessages(-1, () -> {});
        new BenchmarkRun(
                        flags,
                        messages,
                        new BenchmarkRun.Size(200, 10, 10),
                        stop -> {
                            interrupt.set(stop);
                            return new MessageSubject(flags, messages, stop, out);
                        },
                        new BenchmarkRun.Console("message", List.of(), out, out))
                .run();
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Two runs begin together, and both find that there is no log. */
    @Test
    void shouldLeaveTheLogThatAnotherRunHasOpen() {
        List<MessageLogger> other = new ArrayList<>();
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        assertThatThrownBy(() -> runCleaningUp(printed, config -> other.add(MessageLogger.open(config))))
                .isInstanceOf(LogLockedException.class);
        try (MessageLogger winner = other.get(0)) {
            winner.append(new byte[] {1});
            winner.commit(Durability.SYNCED); // which fails if its files are not in place
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("; another process has opened it meanwhile, so --cleanup leaves it.");
    }

    @Test
    void shouldLeaveTheLogThatAnotherRunHasWrittenMeanwhile() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        runCleaningUp(printed, config -> {
            try (MessageLogger other = MessageLogger.open(config)) {
                other.append(new byte[] {1});
                other.commit();
            }
        });
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("The log has 1 message already")
                .contains("; another process has opened it meanwhile, so --cleanup leaves it.");
        assertThat(directory.resolve("logs/messages")).isDirectoryContaining("glob:**control");
    }

    /** Another process comes right before this run opens its log for the first time. */
    private void runCleaningUp(ByteArrayOutputStream printed, Consumer<LogConfig> other) throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        MessageLoggerParameters flags =
                (MessageLoggerParameters) Kind.MESSAGE.parse(("-c 5 -t 0 -i 0.002 --segmentSize 1" + " --cleanup -k "
                                + directory + "/logs --output " + directory + "/output")
                        .split(" "));
        Messages messages = new EventfulMessages(-1, () -> {});
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Function<Stop, Subject> subjects = stop -> {
            Subject subject = new MessageSubject(flags, messages, stop, out);
            return (Subject) Proxy.newProxyInstance(
                    Subject.class.getClassLoader(), new Class<?>[] {Subject.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("open") && isFirst.compareAndSet(true, false)) {
                            other.accept((LogConfig) arguments[0]);
                        }
                        try {
                            return method.invoke(subject, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        };
        new BenchmarkRun(
                        flags,
                        messages,
                        new BenchmarkRun.Size(5, 10, 10),
                        subjects,
                        new BenchmarkRun.Console("message", List.of(), out, out))
                .run();
    }

    @Test
    void shouldLeaveWhatOthersHaveInTheDirectoryOfTheLog() throws IOException {
        Path mine = Files.createDirectories(directory.resolve("logs/messages/mine"));
        Path notes = Files.writeString(mine.resolve("notes.txt"), "precious");

        Program program = Program.small(directory, "-c", "5", "--cleanup");

        assertThat(program.code()).isZero();
        assertThat(program.out()).contains("it held something before this run, so --cleanup leaves it");
        assertThat(notes).hasContent("precious");
    }

    @ParameterizedTest
    @MethodSource(Drawn.KINDS)
    void shouldRefuseToDeleteItsResults(Kind kind) {
        Path log = kind.log(directory.resolve("logs"));
        String inside = directory + "/./logs/" + log.getFileName() + "/results";
        Program program = kind.small(directory, "-c", "5", "--cleanup", "--output", inside);

        assertThat(program.usageError())
                .contains("--output " + inside + " is inside of the log's directory " + log
                        + ", which --cleanup deletes; name another directory");
        assertThat(log).doesNotExist();
        assertThat(kind.small(directory, "-c", "5", "--output", inside).code()).isZero();
    }

    @Test
    void shouldLeaveALinkInThePlaceOfItsLog() throws IOException {
        Path target = Files.createDirectories(directory.resolve("target"));
        Files.createDirectories(directory.resolve("logs"));
        Path link = Files.createSymbolicLink(directory.resolve("logs/messages"), target);

        assertThat(Program.small(directory, "-c", "5", "--cleanup").out())
                .containsPattern("Deleted " + link + ": files of [1-9][\\d.]* MiB\\.");
        assertThat(link).isSymbolicLink();
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void shouldDeleteItsCheckpointsTooAndOnlyThem() throws IOException {
        Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
        Path notes = Files.writeString(checkpoints.resolve("notes.txt"), "precious");
        String[] keeping =
                ("-c 12000 --keys 50 --chkptIntervalMinLogSize 1 --checkpointLocation " + checkpoints).split(" ");
        String[] cleaning =
                Stream.concat(Stream.of(keeping), Stream.of("--cleanup")).toArray(String[]::new);
        for (int run = 0; run < 2; run++) {
            Program program = Program.storeWithCheckpoint(directory, cleaning);
            assertThat(program.err()).isEmpty();
            assertThat(program.out()).contains("Deleted the checkpoints in " + checkpoints + ": ");
            assertThat(checkpoints).isDirectoryNotContaining("glob:**checkpoint*");
        }
        assertThat(notes).hasContent("precious");

        assertThat(Program.storeWithCheckpoint(directory, keeping).out())
                .containsPattern(
                        "Left on the disk: files of [^ ]+ [KM]iB in " + checkpoints + "; delete it when you are done");
        assertThat(Program.store(directory, cleaning).out())
                .containsPattern(
                        "Left on the disk: files of [^ ]+ [KM]iB in " + checkpoints + "; it held something before");
        assertThat(checkpoints).isDirectoryContaining("glob:**.chk");
    }

    @Test
    void shouldDeleteTheLockOfCheckpointsOfWhichNoneWasWritten() throws IOException {
        Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
        Program program =
                Program.store(directory, "-c", "5", "--cleanup", "--checkpointLocation", checkpoints.toString());

        assertThat(program.out()).doesNotContain("Deleted the checkpoints");
        assertThat(checkpoints).isEmptyDirectory();
    }

    @Test
    void shouldDeleteWhatAKilledRunHasLeft() throws IOException {
        // No process has so high a number.
        Path leftover = directory.resolve("logs/persist-warmup-4999999999");
        Files.createDirectories(leftover);
        Files.writeString(leftover.resolve("00000000000000000000.log"), "what was left");
        Path others = Files.createDirectories(directory.resolve("logs/persist-warmup-notes"));
        Path year = Files.createDirectories(directory.resolve("logs/warmup-4999999998"));

        assertThat(Program.small(directory, "-c", "5", "-t", "0").code()).isZero();
        assertThat(leftover).doesNotExist();
        assertThat(others).isDirectory();
        assertThat(year).isDirectory();
    }

    @Test
    void shouldWriteThroughNoSymbolicLink() throws IOException {
        Path output = Files.createDirectories(directory.resolve("output"));
        Path precious = Files.writeString(directory.resolve("precious"), "precious");
        for (String name : new String[] {"latencies.write.bin", "latencies.write.hlog", "run.json.tmp"}) {
            Path link = Files.createSymbolicLink(output.resolve(name), precious);
            Program program = Program.small(directory, "-c", "5");

            assertThat(program.code()).as(name).isEqualTo(Command.FAILED);
            assertThat(program.err())
                    .contains(link + " is a symbolic link; take it away")
                    .hasLineCount(1);
            assertThat(precious).hasContent("precious");
            Files.delete(link);
        }
        assertThat(Program.small(directory, "-c", "5").code()).isZero();
    }

    @Test
    void shouldMarkWhatHasNoEffect() {
        Program mapped = Program.small(directory, "-c", "5", "-f", "-y", "--writeMode", "mapped");
        assertThat(mapped.parameter("writeMode")).isEqualTo("mapped");
        assertThat(mapped.parameter("writeBufferSize")).isEqualTo("8192 bytes (not used: writeMode mapped)");
        assertThat(mapped.parameter("readBufferSize")).isEqualTo("8192 bytes (not used: files are read mapped)");
        assertThat(mapped.parameter("flushOnCommit")).isEqualTo("true (not used: syncOnCommit does more)");
        assertThat(mapped.parameter("queueDepth")).endsWith("(not used: not detached)");
        Program alsoSynced = Program.small(directory, "-c", "5", "-y", "--syncInterval", "5", "--noLatencyWrites");
        assertThat(alsoSynced.parameter("syncInterval")).isEqualTo("5 ms (not used: syncOnCommit does more)");
        assertThat(alsoSynced.parameter("output")).endsWith("(not used: noLatencyWrites)");
        assertThat(mapped.out()).contains("* the maximum: there are too few values for this percentile.");
        assertThat(mapped.iterations("write")).isEqualTo(5);
        assertThat(mapped.iterations("flush")).isEqualTo(5);
        assertThat(mapped.iterations("total")).isEqualTo(5);
        assertThat(Program.small(directory, "-c", "5", "-f").parameter("flushOnCommit"))
                .isEqualTo("true (not used: writeMode mapped, where each append is with the OS at once)");
        Program file = Program.small(directory, "-c", "5", "-f", "--writeMode", "file", "--readMode", "file");
        assertThat(file.parameter("flushOnCommit")).isEqualTo("true");
        assertThat(file.parameter("writeMode")).isEqualTo("file, buffer of 8192 bytes");
        assertThat(file.out()).doesNotContain("writeBufferSize", "readBufferSize", "(not used: writeMode");
        assertThat(file.iterations("flush")).isEqualTo(5);
        assertThat(Program.small(directory, "-c", "5").iterations("flush")).isEqualTo(-1);
    }

    @Test
    void shouldSayWhichWriteModeItTookAndWhy() {
        assertThat(Program.small(directory, "-c", "5").parameter("writeMode"))
                .isEqualTo("mapped, the default where none is synced");
        Program synced = Program.small(directory, "-c", "5", "-y");
        assertThat(synced.parameter("writeMode"))
                .isEqualTo("file, buffer of 8192 bytes, the default where commits are synced");
        assertThat(synced.out()).doesNotContain("writeBufferSize");
    }
}
