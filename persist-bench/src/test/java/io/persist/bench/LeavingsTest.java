package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import io.persist.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                .containsPattern("Left on the disk: [\\d.]+ MiB in " + log + "; delete it when you are done");
        assertThat(kind.small(directory, "-c", "5", "--cleanup").out())
                .contains("it held something before this run, so --cleanup leaves it");
        assertThat(log).isDirectoryContaining("glob:**control");
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
                .containsPattern("Deleted " + link + ": [1-9][\\d.]* MiB\\.");
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
                .containsPattern("Left on the disk: [^ ]+ [KM]iB in " + checkpoints + "; delete it when you are done");
        assertThat(Program.store(directory, cleaning).out())
                .containsPattern("Left on the disk: [^ ]+ [KM]iB in " + checkpoints + "; it held something before");
        assertThat(checkpoints).isDirectoryContaining("glob:**.chk");
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
