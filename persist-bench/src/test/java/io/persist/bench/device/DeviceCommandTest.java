package io.persist.bench.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.bench.device.access.DeviceEngines;
import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.Operation;
import io.persist.bench.device.engine.Pattern;
import io.persist.bench.report.ReportCommand;
import io.persist.bench.result.RunDirectory;
import io.persist.command.Command;
import io.persist.command.Run;
import io.persist.tool.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceCommandTest {

    private static final String SMALL = "--fileSize 64k --block 4096 --seconds 0.02 --warmup 0";

    @TempDir
    private Path directory;

    private Run run(String arguments) {
        return run(new DeviceCommand(DeviceEngines.plain(), "no-such-fio"), arguments);
    }

    private Run run(Command command, String arguments) {
        List<String> words = new ArrayList<>(List.of(arguments.split(" ")));
        if (!arguments.contains("--file ") && command instanceof DeviceCommand) {
            words.addAll(List.of("--file", directory.resolve("noise").toString()));
        }
        return Run.of(command, words.toArray(String[]::new));
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldMeasureTheWholeMatrixAndLeaveNothing() throws IOException {
        Path csv = directory.resolve("all.csv");
        Run run = run(SMALL.replace("0.02", "0.01") + " --all --csv " + csv);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        List<String> rows = Files.readAllLines(csv);
        assertThat(rows).hasSize(75);
        assertThat(rows.get(0))
                .isEqualTo("engine,pattern,op,syncEvery,depth,synced,block,files,fileSize,operations,opsPerSecond,"
                        + "mbPerSecond,p50Ns,p99Ns,p99.9Ns,maxNs,cpuNsPerOp,cached,sourceOpsPerSecond,"
                        + "fioOpsPerSecond,ratioToFio,missing,note");
        for (String name :
                List.of("channel", "direct", "dsync", "direct-dsync", "raf-rw", "raf-rwd", "raf-rws", "mmap", "aio")) {
            assertThat(rows).anyMatch(row -> row.startsWith(name + ",rand,write,") && !row.contains(",0,,,,,"));
        }
        assertThat(rows.stream().filter(row -> row.contains("persist-peers"))).hasSize(24);
        assertThat(run.out()).contains("74/74", "not measured: it is in the module persist-peers", "source ops/s");
        assertThat(left()).containsExactly("all.csv");
    }

    @Test
    void shouldMarkPercentilesOfTooFewValues() {
        DeviceEngine slow = DeviceEngine.of("slow", Set.of(), List.of(), spec -> null);
        Cell cell = new Cell(slow, Pattern.SEQ, Operation.WRITE, 0, 1);
        CellResult few = result(cell, 100);
        CellResult enough = result(cell, 1000);
        DeviceTable table = new DeviceTable(new DeviceFlags());

        assertThat(table.row(few, "1/2")).containsPattern(" 1.00 +1.00 +1.00\\* ");
        assertThat(table.row(enough, "2/2")).doesNotContain("*");
        assertThat(DeviceTable.legend(List.of(enough, few)))
                .singleElement()
                .asString()
                .startsWith("* the maximum");
        assertThat(DeviceTable.legend(List.of(enough, CellResult.empty(cell, "why"))))
                .isEmpty();
    }

    private static CellResult result(Cell cell, long count) {
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(1000, count);
        return new CellResult(cell, Instant.EPOCH, latencies, 1, 1, 1, false, null, "", "");
    }

    @Test
    void shouldSayWhatIsCachedAndWhatIsNot() {
        String out =
                run(SMALL + " --engine channel,direct --op read --pattern rand").out();
        assertThat(out.lines().filter(line -> line.contains(" channel "))).allMatch(line -> line.endsWith("cached"));
        assertThat(out.lines().filter(line -> line.contains(" direct "))).noneMatch(line -> line.contains("cached"));
    }

    @Test
    void shouldSpreadWritesOverSeveralFiles() throws IOException {
        Path json = directory.resolve("two.json");
        Run run = run(SMALL + " --engine channel --json " + json + " --file " + directory.resolve("a") + ","
                + directory.resolve("b"));
        assertThat(run.err()).isEmpty();
        JsonObject document = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertThat(document.getAsJsonObject("environment").has("file system")).isTrue();
        JsonObject cell = document.getAsJsonArray("cells").get(0).getAsJsonObject();
        assertThat(cell.get("files").getAsInt()).isEqualTo(2);
        assertThat(cell.get("operations").getAsLong()).isPositive();
        assertThat(left()).containsExactly("two.json");
    }

    @Test
    void shouldSayWhichFlagsHaveNoEffect() {
        assertThat(run(SMALL + " --engine dsync --syncEvery 1 --depth 8").out())
                .contains("  cells      1, about 1 s\n")
                .contains("(not used: these engines have one operation in flight)")
                .contains("(not used: these cells read, or sync each write anyway)");
        assertThat(run(SMALL + " --engine aio --syncEvery 1").out()).doesNotContain("not used");
    }

    @Test
    void shouldBeDrawnByTheReport() throws IOException {
        Path results = directory.resolve("results");
        Path page = directory.resolve("page.html");
        run(SMALL + " --engine channel,io_uring --syncEvery 0,1 --output " + results);
        Run report = run(new ReportCommand(), results + " --output " + page);
        assertThat(report.err()).isEmpty();
        assertThat(report.out()).startsWith("Report of 4 runs");
        assertThat(Files.readString(page))
                .contains(
                        "id=\"matrix\"",
                        "function heatTable",
                        "function barFigures",
                        "bytes, depth ",
                        "[NO_SERIES]",
                        "channel seq write +sync",
                        "\"engine\":\"io_uring\"")
                .contains("\"missing\":\"it is in the module persist-peers")
                .contains("\"synced write p50\"", "\"MB/s\"");
    }

    /** Else a cell of the call before would hide a new one, or be taken for one. */
    @Test
    void shouldReplaceTheCellsOfAnEarlierCallAndNothingElse() throws IOException {
        Path results = directory.resolve("results");
        run(SMALL + " --engine channel --syncEvery 0,1 --output " + results);
        Path renamed = results.resolve("before");
        Files.move(results.resolve("002-channel-seq-write-sync"), renamed);
        run(SMALL + " --engine channel --syncEvery 0,1 --output " + results);
        Path noted = Files.writeString(results.resolve("001-channel-seq-write/notes"), "mine");
        Path other = Files.createDirectory(results.resolve("009-other"));
        Files.writeString(other.resolve("run.json"), "{\"format\": 1, \"program\": \"message\"}");

        run(SMALL + " --engine direct --output " + results);

        try (Stream<Path> left = Files.list(results)) {
            assertThat(left.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("001-channel-seq-write", "001-direct-seq-write", "009-other", "before");
        }
        assertThat(noted.getParent()).isDirectoryContaining(noted::equals);
        assertThat(noted.getParent().toFile().list()).hasSize(1);
        assertThat(renamed.resolve("run.json")).exists();
        assertThat(other.resolve("run.json")).exists();
        assertThat(new RunDirectory(results.resolve("001-direct-seq-write"))
                        .load()
                        .parameters())
                .containsEntry("directory", directory.toString());
    }

    @Test
    void shouldNotReplaceTheRunOfAnotherProgram() throws IOException {
        Path results = directory.resolve("results");
        Path record = Files.createDirectories(results.resolve("002-channel-seq-write-sync"))
                .resolve("run.json");
        Files.writeString(record, "{\"format\": 1, \"program\": \"other\"}");

        Run refused = run(SMALL + " --engine channel --syncEvery 0,1 --output " + results);

        assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
        assertThat(refused.err())
                .startsWith("persist device: " + record
                        + " was written by bin/persist other, and this run would replace it")
                .hasLineCount(1);
        assertThat(record).content().contains("other");
        assertThat(results.resolve("001-channel-seq-write")).doesNotExist();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() throws IOException {
        for (String flag : List.of("--engine", "--pattern", "--op", "--syncEvery", "--file")) {
            assertRefused(flag + " ,", flag + " is empty, as by a variable that is unset; name some, or leave it out");
        }
        for (String twice : List.of("f", "./f", "../" + directory.getFileName() + "/f", "f.append")) {
            assertRefused(
                    "--file " + directory.resolve("f") + "," + directory.resolve(twice), " would be made twice: ");
        }
        assertThat(left()).isEmpty();
        assertRefused("--engine magnetic", "--engine magnetic is none of channel, direct");
        assertRefused("--pattern zigzag", "none of seq, rand, append");
        assertRefused("--op erase", "none of write, read");
        assertRefused("--syncEvery often", "--syncEvery often is not a whole number");
        assertRefused("--syncEvery -1", "out of range");
        assertRefused("--depth 0", "--depth 0 is out of range");
        assertRefused("--seconds 0", "--seconds 0 is out of range");
        assertRefused("--fileSize 100000", "--fileSize 100,000 is out of range");
        assertRefused("--fileSize 10000 --block 4096", "--fileSize 10000 is no multiple of --block 4096");
        assertRefused("--pattern append --op read", "what is appended is not read");
        assertRefused("--engine mmap --pattern append", "a mapping has a fixed length");
        assertRefused("--engine channel,mmap --pattern append", "nothing to measure of mmap: mmap cannot append");
        String one = directory.resolve("one").toString();
        assertRefused("--csv " + one + " --json " + directory + "/./one", "are one file");
        assertRefused("--file " + directory.resolve("none/file"), "is in no directory that is there");
        Files.writeString(directory.resolve("noise"), "mine");
        assertRefused("", "is there already and would be overwritten");
        assertThat(directory.resolve("noise")).hasContent("mine");
    }

    private void assertRefused(String arguments, String message) {
        Run run = run(arguments.isEmpty() ? SMALL : arguments);
        assertThat(run.code()).as(arguments).isEqualTo(ExitCode.USAGE);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("persist device: ").contains(message);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldRefuseWhatDoesNotFitBeforeItWrites() throws IOException {
        Run run = run("--fileSize 512t --block 1g");
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).contains("512.0 TiB", " are free on ", "give a smaller --fileSize");
        assertThat(left()).isEmpty();
    }

    /** As from a name that somebody else takes between the check and the first write. */
    @Test
    void shouldLeaveWhatOthersHaveMadeMeanwhile() throws IOException {
        Path foreign = directory.resolve("noise");
        TestFile file = new TestFile(foreign, 4096);
        TestFile.check(List.of(file), List.of(Pattern.SEQ, Pattern.APPEND));
        Files.writeString(foreign, "mine");
        Files.writeString(file.growing(), "mine too");

        assertThatThrownBy(() -> file.fill(1, () -> false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(foreign + " was made by somebody else meanwhile");
        assertThatThrownBy(file::empty).isInstanceOf(IOException.class);
        file.settle();
        file.close();

        assertThat(foreign).hasContent("mine");
        assertThat(file.growing()).hasContent("mine too");
    }

    /** O_DIRECT takes what the disk's sectors are, and the others take anything. */
    @ParameterizedTest
    @ValueSource(ints = {512, 1000, 6144})
    void shouldMeasureBlocksThatAreNoMultipleOfAPage(int block) {
        Run run = run("--fileSize " + 16 * block + " --block " + block
                + " --seconds 0.01 --warmup 0 --engine channel,mmap,aio --op write,read");
        assertThat(run.out()).contains("6/6").doesNotContain("not measured");
    }

    /** Here one of its directories cannot be made. */
    @Test
    void shouldWriteTheTableOfWhatWasMeasuredBeforeItFailed() throws IOException {
        Path csv = directory.resolve("begun.csv");
        Path results = Files.createDirectory(directory.resolve("results"));
        Files.writeString(results.resolve("002-direct-seq-write"), "mine");
        Run run = run(SMALL + " --engine channel,direct --csv " + csv + " --output " + results);

        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).hasLineCount(1);
        assertThat(Files.readAllLines(csv)).hasSize(3);
        assertThat(left()).containsExactly("begun.csv", "results");
    }

    @Test
    void shouldFailIfNothingCouldBeMeasured() {
        Run run = run(SMALL + " --engine libaio,io_uring");
        assertThat(run.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.out().lines().filter(line -> line.contains("not measured")))
                .hasSize(2);
    }

    @Test
    void shouldSayHowToGetFio() throws IOException {
        Run run = run(SMALL + " --fio");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--fio needs the program no-such-fio", "apt-get install fio");
        assertThat(left()).isEmpty();
    }

    /** One that only pretends, so that the test needs no fio and shows what it was asked. */
    private Path fio(String lines) throws IOException {
        Path fio = Files.writeString(directory.resolve("fio"), "#!/bin/sh\n" + lines + "\n");
        Files.setPosixFilePermissions(fio, PosixFilePermissions.fromString("rwx------"));
        return fio;
    }

    @Test
    void shouldSayThatFioIsThereButDoesNotRun() throws IOException {
        Path fio = fio("echo libaio.so.1: not found >&2; exit 127");
        Run run = run(new DeviceCommand(DeviceEngines.plain(), fio.toString()), SMALL + " --fio");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .hasLineCount(1)
                .contains("which does not run (fio ended with 127: libaio.so.1: not found)")
                .doesNotContain("not there");
    }

    @Test
    void shouldKeepWhatItHasMeasuredWhenFioFails() throws IOException {
        Path fio = fio("[ \"$1\" = --version ] && echo fio-9 && exit\necho no such engine; exit 1");
        Path csv = directory.resolve("fio.csv");
        Run run = run(new DeviceCommand(DeviceEngines.plain(), fio.toString()), SMALL + " --fio --csv " + csv);

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("  nothing of fio: fio ended with 1: no such engine")
                .doesNotContain("not measured");
        assertThat(Files.readAllLines(csv).get(1))
                .doesNotContain(",0,,,,,")
                .endsWith(",,,,nothing of fio: fio ended with 1: no such engine");
    }

    @Test
    void shouldLetFioDoTheSameInTurns() throws IOException {
        Path asked = directory.resolve("asked");
        Path fio = fio("[ \"$1\" = --version ] && echo fio-9 && exit\necho \"$@\" >> " + asked
                + "\necho 'a note'\necho '{\"jobs\":[{\"read\":{\"iops\":0},\"write\":{\"iops\":1000.0}}]}'");
        Path csv = directory.resolve("fio.csv");
        Run run = run(
                new DeviceCommand(DeviceEngines.plain(), fio.toString()),
                SMALL + " --engine direct --pattern rand --syncEvery 1 --seed 5 --fio --csv " + csv);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("fio-9, in turns", "fio ops/s", "1,000");
        assertThat(Files.readAllLines(asked))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line)
                        .contains("--ioengine=psync", "--direct=1", "--rw=randwrite", "--bs=4096", "--size=65536")
                        .contains("--fdatasync=1", "--randseed=5", "--filename=" + directory.resolve("noise")));
        assertThat(Files.readAllLines(csv).get(1)).contains(",1000,");
    }
}
