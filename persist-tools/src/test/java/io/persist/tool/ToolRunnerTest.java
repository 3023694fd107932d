package io.persist.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.command.Run;
import io.persist.log.LogConfig;
import io.persist.testkit.CrashableStorage;
import io.persist.tool.print.RecordPrinter;
import io.persist.tool.read.DumpTool;
import io.persist.tool.read.TailTool;
import io.persist.tool.read.WalkTool;
import io.persist.tool.repair.RepairTool;
import io.persist.tool.repair.SalvageTool;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.repair.VerifyTool;
import io.persist.tool.select.RecordRange;
import io.persist.tool.stats.CursorsTool;
import io.persist.tool.text.PayloadStyle;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ToolRunnerTest {

    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int verify(Path... logs) {
        LogTool tool = new VerifyTool(Output.TEXT, base -> {});
        return ToolRunner.run(List.of(logs), tool, ToolLog.print(out), ToolLog.print(err));
    }

    private Path newLog(String name) {
        Path log = directory.resolve(name);
        LogConfig config = LogConfig.builder(log).segmentLength(1 << 16).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            for (int i = 0; i < 5000; i++) {
                logger.append("message".getBytes(StandardCharsets.UTF_8));
            }
        }
        return log;
    }

    @Test
    void shouldReturnTheWorstOfSeveralLogs() throws IOException {
        Path good = newLog("good");
        Path missing = directory.resolve("missing");
        Path file = Files.createFile(directory.resolve("file"));
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThat(verify(good, good)).isEqualTo(ExitCode.OK);
        assertThat(verify(missing, good, file, empty)).isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.text(out).lines().filter(line -> line.endsWith(": clean")))
                .hasSize(3);
        assertThat(ToolLog.text(err).lines())
                .containsExactly(
                        "persist: no such directory: " + missing + "; name one that exists",
                        "persist: not a directory: " + file + ", it is a file; name a directory",
                        "persist: not a log: no segments, directory=" + empty.toRealPath()
                                + "; name the directory that a logger writes to");
    }

    @Test
    void shouldSayThatMoreMemoryIsNeededAndKeepWhatWasFound() {
        PrintStream buffered = new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8);
        LogTool tool = (log, to, errors) -> {
            to.println("found");
            throw new OutOfMemoryError("Java heap space");
        };
        assertThat(ToolRunner.run(new CrashableStorage(), tool, buffered, ToolLog.print(err)))
                .isEqualTo(ExitCode.FAILURE);
        assertThat(ToolLog.text(out)).isEqualTo("found" + System.lineSeparator());
        assertThat(ToolLog.text(err).lines())
                .singleElement()
                .asString()
                .startsWith("persist: ")
                .contains("out of memory with a heap of ")
                .endsWith(" MiB (Java heap space); give the JVM a larger -Xmx");
    }

    /** These find no record and no cursor there, which would look like an answer. */
    @Test
    void shouldRefuseAnEmptyDirectory() {
        BufferedReader noCommand = new BufferedReader(Reader.nullReader());
        List<LogTool> tools = List.of(
                new CursorsTool(Output.TEXT),
                new WalkTool(noCommand, WalkTool.Prompt.NONE, RecordPrinter.text(PayloadStyle.TEXT)),
                new SalvageTool(directory.resolve("new"), Output.TEXT, OldValues.REFUSE));
        for (LogTool tool : tools) {
            assertThat(ToolLog.run(new CrashableStorage(), tool))
                    .isEqualTo(new Run(
                            ExitCode.FAILURE,
                            "",
                            "persist: not a log: no segments, directory=memory; name the directory that a logger"
                                    + " writes to\n"));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldLeaveNoFileOpenAndNoFileMapped() throws IOException {
        Path log = newLog("journal");
        LogTool[] tools = {
            new VerifyTool(Output.TEXT, base -> {}),
            new DumpTool(RecordRange.ALL, RecordPrinter.text(PayloadStyle.PREVIEW)),
            TailTool.last(5, RecordPrinter.text(PayloadStyle.PREVIEW)),
            new RepairTool(Effect.APPLY)
        };
        for (LogTool tool : tools) {
            assertThat(ToolRunner.run(List.of(log), tool, ToolLog.print(out), ToolLog.print(err)))
                    .isZero();
        }
        String real = log.toRealPath().toString();
        assertThat(Files.readAllLines(Path.of("/proc/self/maps"))).noneMatch(line -> line.contains(real));
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.map(ToolRunnerTest::target)).noneMatch(target -> target.contains(real));
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
