package io.persist.peers.state.growth;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunResult;
import io.persist.command.CommandLine;
import io.persist.command.Run;
import io.persist.log.Durability;
import io.persist.peers.state.workflow.WorkflowState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as a whole, and what it says of wrong use. */
class WorkflowProgramTest {

    @TempDir
    Path directory;

    private static Run run(String... args) {
        return Run.of(new WorkflowProgram(), args);
    }

    private static WorkflowFlags flags(String... args) {
        WorkflowFlags flags = new WorkflowFlags();
        CommandLine.of(flags).parse(args);
        flags.validate();
        return flags;
    }

    /** SpeedB's jar is one that has nothing in it, so it does not load. */
    @Test
    void shouldShowHowEnginesGrewAndLeaveResultsAndNothingElse() throws IOException {
        Path files = Files.createDirectory(directory.resolve("files"));
        Path runs = directory.resolve("runs");
        Path json = directory.resolve("workflow.json");
        Path earlier = Files.createDirectories(runs.resolve("speedb")).resolve(RunDirectory.FILE);
        Files.writeString(earlier, "{\"format\": 1, \"program\": \"workflow\"}");
        Path empty = Files.write(
                directory.resolve("speedbjni-0.jar"),
                new byte[] {'P', 'K', 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        String[] args = {
            "--engine",
            "persist,speedb",
            "--speedb-jar",
            empty.toString(),
            "--workflow",
            GrowthRunTest.SIZE.toString(),
            "--rounds",
            Integer.toString(GrowthRunTest.ROUNDS),
            "--clock-rate",
            Integer.toString(GrowthRunTest.CLOCK_RATE),
            "--durability",
            "sync",
            "--restore",
            "--workflowMetrics",
            "1",
            "--heap",
            "128m",
            "--dir",
            files.toString(),
            "--output",
            runs.toString(),
            "--json",
            json.toString()
        };
        Run run = run(args);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(files).isEmptyDirectory();
        assertThat(run.out())
                .contains("Equal durability: synced. Each commit has 100 commands")
                .contains("Persist has its defaults, in mode MAPPED at each durability.")
                .contains("## persist: Persist, this version")
                .containsOnlyOnce("\"totalTaskStarts\": ")
                .containsPattern("(?m)^\\| speedb \\| failed: NoClassDefFoundError.*org/rocksdb.*\\|$");
        long columns = run.out()
                .lines()
                .filter(each -> each.startsWith("| engine |"))
                .findFirst()
                .orElseThrow()
                .chars()
                .filter(each -> each == '|')
                .count();
        assertThat(run.out().lines().filter(each -> each.matches("\\| (persist|speedb) \\|.*")))
                .hasSize(2)
                .allSatisfy(row -> assertThat(
                                row.chars().filter(each -> each == '|').count())
                        .isEqualTo(columns));
        assertThat(run.err()).contains("persist: round 3 of 3: ").contains("speedb: failed: NoClassDefFoundError");

        RunResult result = new RunDirectory(runs.resolve("persist")).load();
        assertThat(result.count()).isEqualTo(240);
        assertThat(result.series()).extracting(RunResult.Series::name).containsExactly("command");
        assertThat(runs.resolve("persist").resolve(result.series().get(0).file()))
                .isNotEmptyFile();
        assertThat(result.levels())
                .isNotEmpty()
                .allMatch(level -> level.values().get("file GB") > 0);
        assertThat(runs.resolve("persist/rounds.csv"))
                .content()
                .startsWith("round,task_runs,")
                .hasLineCount(4);
        assertThat(runs.resolve("persist/windows.csv")).content().startsWith("windowStart,totalTaskStarts,");
        assertThat(runs.resolve("persist/seconds.csv")).content().startsWith("end_ns,task_runs,");
        assertThat(earlier).as("of an earlier run, beside one that failed").doesNotExist();
        JsonObject all = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        GrowthRunTest.check(new Gson().fromJson(all.getAsJsonObject("engines").get("persist"), GrowthResult.class));
        assertThat(all.getAsJsonObject("missing").get("speedb").getAsString()).contains("NoClassDefFoundError");
    }

    @Test
    void shouldHaveAnEmptyRowForAnEngineThatIsNotThere() {
        String before = System.getProperty("maven.repo.local");
        System.setProperty("maven.repo.local", directory.toString());
        try {
            Run run = run("--engine", "speedb", "--rounds", "1", "--dir", directory.toString());
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out())
                    .contains("- Work: 1 round of 1000x1000x50, ")
                    .containsPattern("(?m)^\\| speedb \\| there is no speedbjni-\\*\\.jar; get it by mvn ");
            assertThat(directory).isEmptyDirectory();
        } finally {
            if (before == null) {
                System.clearProperty("maven.repo.local");
            } else {
                System.setProperty("maven.repo.local", before);
            }
        }
    }

    @Test
    void shouldRunSpeedbWithoutTheClassesOfRocksdb() throws IOException {
        Path version = Files.createDirectories(directory.resolve("io/github/speedb-io/speedbjni/2.8.0"));
        assertThat(GrowthEngine.speedbIn(directory)).isNull();
        Path jar = Files.createFile(version.resolve("speedbjni-2.8.0.jar"));

        assertThat(GrowthEngine.speedbIn(directory)).isEqualTo(jar);
        assertThat(GrowthEngine.SPEEDB.missing(jar)).isEmpty();
        assertThat(GrowthEngine.SPEEDB.classPath(jar).split(File.pathSeparator))
                .startsWith(jar.toString())
                .noneMatch(entry -> entry.contains("rocksdbjni-"));
        assertThat(GrowthEngine.ROCKSDB.classPath(jar)).contains("rocksdbjni-").doesNotContain("speedbjni-");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--engine leveldb; --engine leveldb is none of persist, rocksdb, speedb, all; choose some of them",
                "--durability forever; --durability forever is none of none, flush, sync; choose one of them",
                "--workflow 10x10; --workflow 10x10 is not a size; give workflows",
                "--rounds 0; --rounds 0 is out of range; give a value from 1 to 100,000",
                "--rounds 2 --grow-gb 3; --rounds and --grow-gb both say how many rounds there are; leave one out",
                "--grow-gb 0; --grow-gb 0 is out of range",
                "--grow-gb 9 --workflow 1x1x1; --grow-gb 9.0 takes more than 100000 rounds of 1x1x1",
                "--commit-every 0; --commit-every 0 is out of range",
                "--timer-step 0; --timer-step 0 is out of range",
                "--clock-rate 0; --clock-rate 0 is out of range",
                "--window 0; --window 0 is out of range",
                "--workflowMetrics -1; --workflowMetrics -1 is out of range",
                "--heap much; --heap much is no size; give one such as 512m or 4g",
                "--speedb-jar none.jar; --speedb-jar none.jar is no file; name speedbjni's jar",
                "--json none/there.json; --json none/there.json cannot be written",
                "--rounds 3000 --workflow 1000x1x1000; --rounds 3000 of 1000x1x1000 are more than 2147483647 task runs",
                "--what; --what",
            })
    void shouldRefuseWrongUse(String args, String complaint) {
        Run run = run(args.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("persist workflow: ")
                .contains(complaint)
                .hasLineCount(1);
    }

    /** Of an engine that would not load, so that nothing is filled if nobody looks at the space. */
    @Test
    void shouldSayBeforeItStartsThatThereIsTooLittleSpace() throws IOException {
        Path files = Files.createDirectory(directory.resolve("files"));
        Path jar = Files.createFile(directory.resolve("speedbjni-0.jar"));
        Run run = run(
                "--engine",
                "speedb",
                "--speedb-jar",
                jar.toString(),
                "--grow-gb",
                "10000",
                "--workflow",
                "1000x10000x1000",
                "--dir",
                files.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .hasLineCount(1)
                .startsWith("persist workflow: the run takes about ")
                .contains(" are free in " + files + "; give fewer --rounds");
        assertThat(files).isEmptyDirectory();
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path runs = directory.resolve("runs");
        Path record = Files.createDirectories(runs.resolve("rocksdb")).resolve(RunDirectory.FILE);
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");
        Path own = Files.createDirectories(runs.resolve("persist")).resolve(RunDirectory.FILE);
        Files.writeString(own, "{\"format\": 1, \"program\": \"workflow\"}");

        Run run = run(
                "--engine",
                "persist,rocksdb",
                "--rounds",
                "1",
                "--dir",
                directory.toString(),
                "--output",
                runs.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("persist workflow: " + record
                        + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(own).exists();
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldGrowAsFarAsIsWanted() {
        WorkflowFlags flags = flags("--grow-gb", "12", "--workflow", "1000x2000x1000");
        long round = WorkflowState.bytesPerRound(flags.workflow);
        assertThat(flags.rounds()).isEqualTo(6);
        assertThat(5 * round).isLessThan(12_000_000_000L);
        assertThat(6 * round).isGreaterThanOrEqualTo(12_000_000_000L);
        assertThat(WorkflowProgram.neededBytes(flags)).isBetween(30_000_000_000L, 35_000_000_000L);

        assertThat(flags("--grow-gb", "24", "--workflow", "1000x2000x1000").rounds())
                .isEqualTo(12);
        assertThat(WorkflowProgram.neededBytes(flags())).isLessThan(4_000_000_000L);
    }

    @Test
    void shouldHaveDefaults() {
        WorkflowFlags flags = flags();
        assertThat(flags.engines()).containsExactly(GrowthEngine.values());
        assertThat(flags.rounds()).isEqualTo(20);
        assertThat(flags.windowMs()).isEqualTo(30_000);
        assertThat(flags.durability()).isEqualTo(Durability.FLUSHED);
        assertThat(flags.commitEvery()).isEqualTo(1);
        assertThat(flags("--durability", "none").durability()).isEqualTo(Durability.BUFFERED);
        assertThat(flags("--durability", "sync").commitEvery()).isEqualTo(100);
        assertThat(flags("--durability", "sync", "--commit-every", "3").commitEvery())
                .isEqualTo(3);
        assertThat(flags("--engine", "rocksdb,persist").engines())
                .containsExactly(GrowthEngine.PERSIST, GrowthEngine.ROCKSDB);
    }

    @Test
    void shouldPrintHelp() {
        Run run = run("--help");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("--grow-gb GB", "--restore", "--workflowMetrics N", "Exit code: 0 done");
    }
}
