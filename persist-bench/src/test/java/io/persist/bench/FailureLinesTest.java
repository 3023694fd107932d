package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.persist.command.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every command, given a path that cannot be what it has to be, says what cannot be done, with which file and why. */
class FailureLinesTest {

    private static final String SMALL = " -c 3000 -t 0 -i 0.001 --segmentSize 1MB --noLatencyWrites";

    /** {@code @} is the path; words in capitals are things that are as they should be. */
    private static final List<String> COMMANDS = List.of(
            "message -k @" + SMALL,
            "packet -l @" + SMALL,
            "storelogger -l @" + SMALL,
            "message -k NEW --output @" + SMALL,
            "message -k NEW --messages @" + SMALL,
            "storelogger -l NEW --checkpointLocation @" + SMALL,
            "report @",
            "dump @",
            "tail @",
            "walk @",
            "verify @",
            "compare @ LOG",
            "compare LOG @",
            "stats @",
            "repair @",
            "repair --dryRun @",
            "salvage @ --to NEW",
            "salvage LOG --to @",
            "retain --keepBytes 1MB @",
            "archive @ --to NEW",
            "archive LOG --to @",
            "archive --verify @",
            "archive --restore @ --to NEW",
            "archive --restore ARCHIVE --to @",
            "backup @ --to NEW",
            "backup LOG --to @",
            "backup --verify @",
            "restore @ --to NEW",
            "restore BACKUP --to @",
            "store get @ key",
            "store scan @",
            "store stats @",
            "store checkpoint @",
            "store compact @",
            "store scan STORE --checkpoints @",
            "verify STORE --checkpoints @",
            "repair STORE --checkpoints @",
            "backup STORE --to NEW --checkpoints @",
            "store checkpoint STORE --checkpoints @",
            "store compact STORE --checkpoints @",
            "cursors @",
            "cursors --remove a @",
            "doctor @");

    /** They have their files in the directory of the path. */
    private static final List<String> OF_FILES = List.of(
            "archive LOG --to @.zip",
            "archive --verify @.zip",
            "archive --restore @.zip --to NEW",
            "backup LOG --to @.zip",
            "backup --verify @.zip",
            "restore @.zip --to NEW");

    private static final Pattern REASON = Pattern.compile(
            "no such (file|directory)|not a directory|is no directory|is a file"
                    + "|is a directory|file name too long|leads to nothing|is empty|no directory can be made|has no message");

    @TempDir
    private Path directory;

    private Map<String, Path> things() throws IOException {
        Map<String, Path> things = new LinkedHashMap<>();
        things.put("LOG", directory.resolve("log/messages"));
        things.put("STORE", directory.resolve("store/store"));
        things.put("ARCHIVE", directory.resolve("archive"));
        things.put("BACKUP", directory.resolve("backup"));
        run("message -k " + directory.resolve("log") + SMALL.replace("3000", "7000"));
        run("storelogger -l " + directory.resolve("store") + SMALL);
        run("archive " + things.get("LOG") + " --to " + things.get("ARCHIVE"));
        run("backup " + things.get("LOG") + " --to " + things.get("BACKUP"));
        things.values().forEach(thing -> assertThat(thing).isNotEmptyDirectory());
        return things;
    }

    private static Program run(String command) {
        return run(command.split(" "));
    }

    private static Program run(String... args) {
        return Program.run(Main::run, args);
    }

    @TestFactory
    Stream<DynamicTest> shouldSayWhyInOneLine() throws IOException {
        Map<String, Path> things = things();
        Path file = Files.createFile(directory.resolve("file"));
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("nothing"));
        Map<String, String> nowhere = new LinkedHashMap<>();
        nowhere.put("a place where nothing can be made", "/proc/x");
        nowhere.put("below a file", file.resolve("below").toString());
        nowhere.put("a long name", directory.resolve("n".repeat(300)).toString());
        Map<String, String> wrong = new LinkedHashMap<>(nowhere);
        wrong.put("a link to nothing", dangling.toString());
        wrong.put("nothing", "");
        wrong.put("a file", file.toString());
        List<DynamicTest> tests = new ArrayList<>();
        wrong.forEach((what, path) -> COMMANDS.forEach(command -> tests.add(test(command, what, path, things))));
        nowhere.forEach((what, path) -> OF_FILES.forEach(command -> tests.add(test(command, what, path, things))));
        tests.add(test("message -k NEW --messages @" + SMALL, "a directory", directory.toString(), things));
        return tests.stream();
    }

    @Test
    void shouldPrintTheTableAndCleanUpIfTheLatenciesHaveNoRoom() throws IOException, InterruptedException {
        String message = "io.persist.bench.Main message -k logs -c 300000 --messageSize 8 -t 0 -i 0.001"
                + " --segmentSize 1MB --cleanup";
        // No file may have more than 1.07 MiB: each latency takes 4 bytes.
        List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 1100 && exec \"$@\"", "bash"));
        limited.addAll(ChildProgram.builder(directory, message).command());
        Path out = directory.resolve("out");
        Process process = ChildProgram.builder(directory, message)
                .command(limited)
                .redirectOutput(out.toFile())
                .start();

        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("err"))
                .content()
                .startsWith(
                        "persist message: cannot write logs/results/messages/latencies.write.bin (File too large); ")
                .hasLineCount(1);
        assertThat(process.exitValue()).isEqualTo(Command.FAILED);
        assertThat(out)
                .content()
                .containsSubsequence("Latencies in microseconds:", "write ", "Read 300,000 ", "Deleted ");
        assertThat(directory.resolve("logs/results/messages/run.json")).doesNotExist();
    }

    private DynamicTest test(String command, String what, String path, Map<String, Path> things) {
        return dynamicTest(command.replace(SMALL, "") + ": " + what, () -> {
            Path made = Files.createTempDirectory(directory, "new").resolve("made");
            String[] args = Arrays.stream(command.split(" "))
                    .map(word -> things.containsKey(word) ? things.get(word).toString() : word)
                    .map(word -> word.equals("NEW") ? made.toString() : word.replace("@", path))
                    .toArray(String[]::new);
            Program run = run(args);
            assertThat(run.code()).as(run.err()).isIn(Command.FAILED, Command.USAGE);
            assertThat(run.err()).hasLineCount(1);
            String line = path.isEmpty() ? run.err() : run.err().replace(path, "@");
            assertThat(line.toLowerCase(Locale.ROOT))
                    .matches(Pattern.compile("persist( [a-z ]+)?: .*(" + REASON + ").*;.*\\s", Pattern.DOTALL));
        });
    }
}
