package io.persist.bench.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.persist.bench.doctor.disk.DiskProbe;
import io.persist.bench.doctor.machine.FakeSystem;
import io.persist.bench.doctor.machine.SystemFiles;
import io.persist.command.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

    private static final DiskProbe.Plan SMALL = new DiskProbe.Plan(10, 5, 1, 1_000_000_000, 1 << 20, 1 << 20);

    @TempDir
    Path directory;

    @TempDir
    Path root;

    /** What is measured differs from machine to machine; persistent memory is believed whatever it takes. */
    private Run onAnyDisk(String... args) {
        return run(
                new FakeSystem(root)
                        .mounted("259:0", "ext4", "/dev/pmem0", "rw")
                        .disk("pmem0", "259:0", "write through")
                        .files(),
                args);
    }

    private static Run run(SystemFiles files, String... args) {
        return Run.of(new DoctorCommand(files, SMALL), args);
    }

    @Test
    void shouldAnswerFirstAndThenSayWhy() throws IOException {
        Run run = onAnyDisk(directory.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).containsPattern("[\\d.]+\\* +[\\d.]+ +10\n").contains("* the maximum: there are too few");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("What a synced commit costs in " + directory.toRealPath())
                .containsSubsequence(
                        "A SYNCED commit will cost about ",
                        "It can be believed",
                        "Choose\n  writeMode=",
                        "Measured: microseconds for 4 KiB",
                        "write + fdatasync ",
                        "Facts\n",
                        "persistent memory pmem0");
        assertThat(run.out().lines())
                .allMatch(line -> line.length() <= 120)
                .allSatisfy(line -> assertThat(line).isEqualTo(line.stripTrailing()));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldPrintADocumentOfJson() {
        Run run = onAnyDisk(directory.toString(), "--json");

        JsonObject json = JsonParser.parseString(run.out()).getAsJsonObject();
        assertThat(run.code()).isZero();
        assertThat(json.get("usable").getAsBoolean()).isTrue();
        assertThat(json.get("belief").getAsString()).isEqualTo("believed");
        assertThat(json.getAsJsonArray("verdict")).isNotEmpty();
        assertThat(json.getAsJsonArray("choices")).isNotEmpty();
        assertThat(json.getAsJsonArray("measurements"))
                .hasSize(11)
                .allSatisfy(each -> assertThat(each.getAsJsonObject().has("p50Ns")
                                || each.getAsJsonObject().has("refusal"))
                        .isTrue());
        assertThat(json.getAsJsonObject("facts").get("write cache").getAsString())
                .isEqualTo("write through");
    }

    @Test
    void shouldFailWhereASyncCannotBeBelieved() {
        SystemFiles memory = new FakeSystem(root)
                .mounted("0:23", "tmpfs", "tmpfs", "rw,size=1g")
                .files();
        Run run = run(memory, directory.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("A SYNCED commit cannot be believed here. The files are in memory (tmpfs)")
                .contains("NOT SAFE. ", "What to do: Choose a directory on a disk.")
                .doesNotContain("Choose\n");
        assertThat(directory).isEmptyDirectory();
        JsonObject json = JsonParser.parseString(
                        run(memory, "--json", directory.toString()).out())
                .getAsJsonObject();
        assertThat(json.get("usable").getAsBoolean()).isFalse();
        assertThat(json.getAsJsonArray("findings")
                        .get(0)
                        .getAsJsonObject()
                        .get("severity")
                        .getAsString())
                .isEqualTo("unsafe");
    }

    @Test
    void shouldMakeADirectoryThatIsMissingAndTakeItAwayAgain() {
        assertThat(onAnyDisk(directory.resolve("a/b").toString()).code()).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldSayInOneLineWhatCannotBeMeasured() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        assertThat(onAnyDisk(file.toString()))
                .isEqualTo(new Run(
                        1,
                        "",
                        "persist doctor: " + file
                                + " cannot be measured: it is no directory; name another directory\n"));
        Run below = onAnyDisk(file.resolve("below").toString());
        assertThat(below.code()).isEqualTo(1);
        assertThat(below.err())
                .startsWith("persist doctor: " + file + "/below cannot be measured: it cannot be made (")
                .hasLineCount(1);
        assertThat(directory.toFile().list()).containsExactly("file");
    }

    @Test
    void shouldRefuseWhatMakesNoSense() {
        assertThat(onAnyDisk().err())
                .isEqualTo("persist doctor: no DIR is given; name the directory that a log is to"
                        + " be kept in; see --help\n");
        assertThat(onAnyDisk("a", "b").err()).contains("one DIR at a time, given=2");
        assertThat(onAnyDisk("--yaml", "a").err()).contains("--yaml");
        assertThat(onAnyDisk("--yaml", "a").code()).isEqualTo(2);
        assertThat(onAnyDisk("a\0b").code()).isEqualTo(2);
        assertThat(onAnyDisk("-h").out()).contains("Usage: bin/persist doctor", "--json", "Exit code: 0 usable");
    }

    @Test
    void shouldCleanUpWhenInterrupted() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.persist.bench.Main",
                        "doctor",
                        directory.resolve("new").toString())
                .redirectOutput(root.resolve("out").toFile())
                .redirectError(root.resolve("err").toFile())
                .start();
        while (process.isAlive() && files() < 3) {
            LockSupport.parkNanos(50_000); // the program needs this CPU
        }
        process.destroy();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(root.resolve("err")).isEmptyFile();
        assertThat(root.resolve("out")).isEmptyFile();
        assertThat(directory).isEmptyDirectory();
    }

    private long files() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).count();
        } catch (IOException | UncheckedIOException e) {
            return 0; // it changes meanwhile
        }
    }
}
