package io.persist.bench.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.flags.TransactionSpace;
import io.persist.bench.report.ReportCommand;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.bench.rows.promise.RowPromise;
import io.persist.command.Command;
import io.persist.command.Run;
import io.persist.format.Frame;
import io.persist.log.read.Tailer;
import io.persist.tool.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowsCommandTest {

    @TempDir
    private Path directory;

    private Run run(String arguments) {
        return run(
                new RowsCommand(RowEngines.plain()),
                arguments + " --warmup 0 --segmentSize 2 " + directory.resolve("bench"));
    }

    private static Run run(Command command, String arguments) {
        return Run.of(command, arguments.strip().split(" "));
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--writeMode mapped", "--segmentSize 4"})
    void shouldRefuseWhatSqliteDoesNothingWith(String flag) throws IOException {
        Run run =
                run(new RowsCommand(RowEngines.plain()), "--engine sqlite " + flag + " " + directory.resolve("bench"));

        assertThat(run.code()).isEqualTo(Command.USAGE);
        assertThat(run.err())
                .contains(flag.split(" ")[0] + " is for the engines message and store only; leave it out")
                .hasLineCount(1);
        assertThat(left()).isEmpty();
    }

    /** Go takes the value behind = too, with one hyphen or two. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-batch-count 7 -batch-size 11 -row-size 50 -journal-mode wal -synchronous normal",
                "-batch-count=7 -batch-size=11 -row-size=50 -journal-mode=wal -synchronous=normal",
                "--batch-count=7 --batch-size 11 --row-size=50 --journal-mode WAL --synchronous=normal --engine store"
            })
    void shouldTakeTheFlagsAndPrintTheFourLinesOfSqliteBench(String flags) throws IOException {
        Run run = run(flags);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("Inserts:   77 rows");
        assertThat(lines.get(1)).matches("Elapsed:   \\d+\\.\\d{3}s");
        assertThat(lines.get(2)).matches("Rate:      \\d+\\.\\d{3} insert/sec");
        assertThat(lines.get(3)).matches("File size: \\d+ bytes");
        assertThat(lines.get(4))
                .startsWith(
                        "Commit:    flushed, and synced by each commit that would bring SQLite's WAL to 1000 pages");
        assertThat(left()).isEmpty();
    }

    /** In batches of at most a hundred rows, in a table of its own. */
    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new OutOfMemoryError("Java heap space"), "out of memory with a heap of "),
                Arguments.of(new UncheckedIOException(new IOException("the disk is gone")), "the disk is gone"),
                Arguments.of(new IllegalStateException("half a row"), "half a row (IllegalStateException at "));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldSayInOneLineThatAnEngineHasFailed(Throwable failure, String line) throws IOException {
        RowEngine failing = RowEngine.of("failing", RowPromise::ofPersist, spec -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        });
        Run run = run(
                new RowsCommand(new RowEngines(List.of(() -> failing))),
                "-batch-count 3 --engine failing " + directory.resolve("bench"));

        assertThat(run.code()).isEqualTo(Command.FAILED);
        assertThat(run.err()).startsWith("persist rows: " + line).hasLineCount(1);
        assertThat(left()).isEmpty();
    }

    /** Another one would measure beside it, and each would replace what the other has left. */
    @Test
    void shouldHaveItsOutputForItselfAlsoBeforeItWritesThere() throws IOException {
        String arguments = "-batch-count 3 -batch-size 2 --engine nested --warmup 0 --output "
                + directory.resolve("results") + " " + directory.resolve("bench");
        List<Run> refused = new ArrayList<>();
        RowEngine nested = RowEngine.of("nested", RowPromise::ofPersist, spec -> {
            refused.add(run(
                    new RowsCommand(new RowEngines(List.of(() -> new CountingRows().engine()))),
                    arguments.replace("nested", "counting") + "-2"));
            return new CountingRows().engine().opener().open(spec);
        });
        Run run = run(new RowsCommand(new RowEngines(List.of(() -> nested))), arguments);

        assertThat(run.err()).isEmpty();
        assertThat(refused).singleElement().satisfies(other -> {
            assertThat(other.code()).isEqualTo(Command.USAGE);
            assertThat(other.err())
                    .startsWith("persist rows: " + directory.resolve("results") + " is in use by a run of bin/persist")
                    .hasLineCount(1);
        });
        try (Stream<Path> left = Files.list(directory.resolve("results"))) {
            assertThat(left).containsExactly(directory.resolve("results/nested-0000002"));
        }
    }

    @Test
    void shouldWarmEachEngineUpBeforeItIsMeasured() throws IOException {
        CountingRows rows = new CountingRows();
        RowsCommand command = new RowsCommand(new RowEngines(List.of(rows::engine)));
        Run run = run(
                command,
                "-batch-count 3 -batch-size 200 --engine message,counting --warmup 1000 --segmentSize 2 "
                        + directory.resolve("bench"));
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("message\nInserts:   600 rows\n", "counting\nInserts:   600 rows\n");
        assertThat(rows.tables).isEqualTo(2);
        assertThat(rows.commits).isEqualTo(1000 / 100 + 3);
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldKeepEachRowOnceIfItIsToldTo() throws IOException {
        run("-batch-count 3 -batch-size 5 -row-size 10 --keep");
        assertThat(left()).containsExactly("bench");
        long rows = 0;
        try (Tailer tailer = Tailer.open(directory.resolve("bench"))) {
            while (tailer.next()) {
                ByteBuffer row = tailer.payload();
                assertThat(row.order(ByteOrder.BIG_ENDIAN).getLong()).isEqualTo(++rows);
                assertThat(StandardCharsets.UTF_8.decode(row).toString()).isEqualTo("x".repeat(10));
            }
        }
        assertThat(rows).isEqualTo(15);
    }

    @Test
    void shouldSweepBatchSizesBesideTheModelAndBeDrawn() throws IOException {
        Path results = directory.resolve("results");
        Run run = run("--engine message,store --sweep 1..8 --seconds 0.02 -synchronous off --output " + results);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "Model: n / (sync + n*w) with sync = ", "(not used: -batch-count and -batch-size, in a sweep)")
                .contains("Commit: flushed: survives the end of the process");
        assertThat(run.out().lines().filter(line -> line.matches(" +[1248] +[\\d,]+ +[\\d,]+ +\\d+\\.\\d\\d .*")))
                .hasSize(8);
        assertThat(left()).containsExactly("results");
        RunResult four = new RunDirectory(results.resolve("message-0000004")).load();
        assertThat(four.parameters()).containsEntry("batchSize", "4").containsKey("durability");
        assertThat(four.figures()).containsKeys("rows/s", "model rows/s", "model sync µs", "model row µs");
        assertThat(four.count() % 4).isZero();

        Path page = directory.resolve("page.html");
        assertThat(run(new ReportCommand(), results + " --output " + page).out())
                .startsWith("Report of 8 runs");
        assertThat(Files.readString(page)).contains("id=\"sweep\"", "function sweepChart", "\"model rows/s\"");
    }

    @Test
    void shouldReplaceWhatAnEarlierCallHasLeftOfTheSameEngine() throws IOException {
        Path results = directory.resolve("results");
        String sweep = " --seconds 0.01 -synchronous off --output " + results;
        run("--engine message,store --sweep 1..4" + sweep);
        run("--engine message --sweep 1..2" + sweep);

        try (Stream<Path> left = Files.list(results)) {
            assertThat(left.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "message-0000001", "message-0000002", "store-0000001", "store-0000002", "store-0000004");
        }
        assertThat(new RunDirectory(results.resolve("message-0000001")).load().parameters())
                .containsEntry("directory", directory.toString());
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path results = directory.resolve("results");
        Path record = Files.createDirectories(results.resolve("store-0000002")).resolve("run.json");
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Run refused = run("--engine message,store --sweep 1..4 --seconds 0.01 --output " + results);

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .startsWith(
                        "persist rows: " + record + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(results.resolve("message-0000001")).doesNotExist();
    }

    @Test
    void shouldSayThatSqliteIsNotThere() throws IOException {
        Run run = run("-batch-count 1 --engine message,sqlite");
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out()).startsWith("message\nInserts:   1000 rows");
        assertThat(run.err()).contains("sqlite is not measured: ", "persist-peers", "bin/persist rows");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() throws IOException {
        assertRefused("-batch-size 0", "-batch-size 0 is out of range");
        assertRefused("-row-size 10000000", "-row-size 10,000,000 is out of range");
        assertRefused("-journal-mode paper", "none of delete, truncate, persist, memory, wal, off");
        assertRefused("-synchronous maybe", "none of off, normal, full, extra");
        assertRefused("--engine oracle", "--engine oracle is none of message, store, sqlite");
        assertRefused("--engine message,store,message", "--engine message,store,message names one twice");
        assertRefused("--seconds 5", "--seconds 5 is of each size of a sweep; give --sweep too, or -batch-count");
        assertRefused("--sweep 1-4096", "is no range");
        assertRefused(
                "--engine store -batch-size 100000 -row-size 1000",
                "for a batch of 100,000 rows, and --segmentSize 2 holds ");
        assertRefused(
                "--engine message,store --sweep 1..32768", "for a batch of 16,384 rows, and --segmentSize 2 holds ");
        assertRefused("--sweep 8..15", "at least twice the first");
        assertRefused("--sweep 1..2 --keep", "--keep leaves one table");
        assertRefused("--output " + directory.resolve("bench"), "which the rows make; name another directory");
        assertRefused("--output " + directory.resolve("bench/out"), "is in " + directory.resolve("bench"));
        assertThat(left()).isEmpty();
        assertThat(run(new RowsCommand(RowEngines.plain()), "-batch-size 1").err())
                .contains("no PATH is given");
        assertThat(run(new RowsCommand(RowEngines.plain()), directory + "/none/bench")
                        .err())
                .contains("is in no directory that is there");
        Files.writeString(directory.resolve("bench"), "mine");
        assertRefused("-batch-size 1", "is there already and would be replaced");
        assertThat(directory.resolve("bench")).hasContent("mine");
    }

    /** SQLite would take them for its own; whatever the engine is, they are not deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"bench-wal", "bench-shm", "bench-journal"})
    void shouldLeaveWhatIsBesideThePath(String name) throws IOException {
        Path mine = Files.writeString(directory.resolve(name), "mine");
        for (String engine : List.of("message", "store", "store,sqlite")) {
            assertRefused("-batch-count 1 --engine " + engine, mine + " is there already and would be replaced");
        }
        Files.delete(mine);
        assertRefused("--output " + mine, "is in " + mine + ", which the rows make");
        assertThat(left()).isEmpty();
    }

    /** The longest transaction that is taken is one that the store takes too. */
    @Test
    void shouldFillATransactionOfAStoreToTheLastRow() throws IOException {
        int most = Frame.maxPayload(2 << 20);
        for (long rowSize = 96; rowSize <= 104; rowSize++) {
            long batch = 1;
            while (TransactionSpace.bytes(batch + 1, Long.BYTES, rowSize) <= most) {
                batch++;
            }
            Run run = run("--engine store -batch-count 1 -batch-size " + batch + " -row-size " + rowSize);
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).startsWith("Inserts:   " + batch + " rows");
            assertRefused("--engine store -batch-size " + (batch + 1) + " -row-size " + rowSize, "smaller batches");
        }
    }

    private void assertRefused(String arguments, String message) {
        Run run = run(arguments);
        assertThat(run.code()).as(arguments).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("persist rows: ").contains(message);
        assertThat(run.err().lines()).hasSize(1);
    }

    @Test
    void shouldRefuseWhatDoesNotFit() throws IOException {
        Run run = run("-batch-count 1000000000000 -batch-size 1000");
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("the rows take about ", "give a smaller -batch-count");
        assertThat(left()).isEmpty();
    }
}
