package io.persist.tool.verb.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.command.Run;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.tool.verb.VerifyCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store of ten keys, {@code key-0} to {@code key-9}, whose checkpoints have a directory of their own. */
class StoreCommandsTest {

    @TempDir
    Path log;

    @TempDir
    Path checkpoints;

    private String directory;

    @BeforeEach
    void write() {
        directory = log.toString();
        try (StoreLogger store = StoreLogger.open(config())) {
            for (int round = 0; round < 200; round++) {
                Transaction transaction = store.begin();
                for (int i = 0; i < 10; i++) {
                    transaction.put(bytes("key-" + i), bytes("value " + round + "." + "x".repeat(100)));
                }
                transaction.commit();
            }
        }
    }

    private StoreConfig config() {
        return StoreConfig.builder(LogConfig.builder(log).segmentLength(1 << 14).build())
                .checkpointDirectory(checkpoints)
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Run run(String... args) {
        return Run.of(new StoreCommand(), args);
    }

    /** Of the store in its two directories. */
    private Run onStore(String command, String... flags) {
        List<String> args = new ArrayList<>(List.of(command, directory));
        args.addAll(List.of(flags));
        args.addAll(List.of("--checkpoints", checkpoints.toString()));
        return run(args.toArray(new String[0]));
    }

    @Test
    void shouldGet() {
        String value = "value 199." + "x".repeat(100);
        assertThat(onStore("get", "key-7")).isEqualTo(new Run(0, "\"" + value + "\"\n", ""));
        assertThat(onStore("get", "6b65792d37", "--keyFormat", "hex", "--value", "raw")
                        .out())
                .isEqualTo(value);
        assertThat(onStore("get", "key-7", "--value", "hex").out()).startsWith("76616c756520");
        assertThat(onStore("get", "key-77"))
                .isEqualTo(new Run(1, "", "persist: " + directory + ": no such key: \"key-77\"\n"));
    }

    @Test
    void shouldScan() {
        assertThat(onStore("scan").out())
                .startsWith("\"key-0\" 110 \"value 199.xxx")
                .hasLineCount(10);
        assertThat(onStore("scan", "--from", "key-3", "--below", "key-5", "--keysOnly")
                        .out())
                .isEqualTo("\"key-3\"\n\"key-4\"\n");
        assertThat(onStore("scan", "--below", "key-5", "--backward", "--limit", "1", "--keysOnly")
                        .out())
                .isEqualTo("\"key-4\"\n");
        assertThat(onStore("scan", "--from", "key-9", "--keysOnly", "--keyFormat", "text")
                        .out())
                .isEqualTo("\"key-9\"\n");
        assertThat(onStore("scan", "--prefix", "6b65792d3", "--keyFormat", "hex")
                        .err())
                .contains("is not hexadecimal");
        assertThat(onStore("scan", "--prefix", "key-7", "--format", "json", "--value", "none")
                        .out())
                .isEqualTo("{\"key\":\"key-7\",\"length\":110}\n");
        assertThat(onStore("scan", "-n", "1", "--format", "csv").out())
                .startsWith("key,length,value,damage\r\nkey-0,110,dmFsdWUgMTk5Lnh4");
    }

    @Test
    void shouldShowNumbersCheckpointAndCompactWhileOthersRead() {
        assertThat(onStore("stats").out())
                .startsWith(directory + ": its writer closed it\n  keys         10\n")
                .contains("\n  checkpoint   none\n");
        assertThat(onStore("checkpoint").out())
                .startsWith(directory + ": wrote checkpoint-")
                .contains(" with 10 keys in ");
        assertThat(onStore("stats", "--format", "json").out())
                .startsWith("{\"log\":\"" + directory + "\",\"writer\":\"closed\"")
                .contains("\"newestCheckpoint\":{\"file\":\"checkpoint-", "\"arcus\":{");
        assertThat(onStore("compact", "--budget", "1").out())
                .containsPattern(": gave back \\d{6} bytes of \\d+ segments, moved ");
        assertThat(onStore("stats", "--format", "arcus").out())
                .contains("STAT data_path " + checkpoints, "STAT logs_path " + directory)
                .endsWith("\nEND\n");
        try (StoreLogger store = StoreLogger.open(config())) {
            assertThat(store.size()).isEqualTo(10);
            Run run = onStore("compact");
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("log is open for writing elsewhere").hasLineCount(1);
            assertThat(onStore("get", "key-1").code()).isZero();
            assertThat(onStore("stats").out()).contains(" has it open for writing\n");
        }
    }

    @Test
    void shouldVerifyCheckpointsWhereTheyAre() {
        onStore("checkpoint");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String[] args = {directory, "--checkpoints", checkpoints.toString()};
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(new VerifyCommand().run(args, stream, stream)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).containsPattern(": good, 10 keys, .*\n  recovery: from check");
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheArguments() {
        assertUsage(run(), "no command is given; choose one of get, scan, stats, checkpoint, compact");
        assertUsage(run("put", directory), "unknown command 'put'");
        assertUsage(run("get", directory), "store get is for a STORE and a KEY, given=1");
        assertUsage(run("get", directory, "a", "--value", "rot13"), "--value rot13 is none of text, hex, base64, raw");
        assertUsage(
                run("get", directory, "a", "--keyFormat", "rot13"), "--keyFormat rot13 is none of escaped, text, hex");
        assertUsage(run("get", directory, "xy", "--keyFormat", "hex"), "key=xy is not hexadecimal");
        assertUsage(run("scan"), "no STORE is given; name the directory of a store");
        assertUsage(run("scan", directory, directory), "store scan is for one STORE, given=2");
        assertUsage(run("scan", directory, "--prefix", "a", "--from", "b"), "give --prefix, or --from and --below");
        assertUsage(run("scan", directory, "--format", "html"), "--format html is none of text, json, csv");
        assertUsage(run("scan", directory, "--keysOnly", "--value", "hex"), "--keysOnly prints no values");
        assertUsage(run("scan", directory, "--limit", "-1"), "--limit -1 is out of range; give a value from 0 on");
        assertUsage(run("stats", directory, "--format", "csv"), "--format csv is none of text, json, arcus");
        assertUsage(run("stats", directory, directory, "--checkpoints", directory), "--checkpoints is for one STORE");
        assertUsage(
                run("compact", directory, "--budget", "-1"), "--budget -1 is out of range; give a value from 0 to ");
    }

    private static void assertUsage(Run run, String message) {
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("persist store").contains(message).hasLineCount(1);
    }

    @Test
    void shouldExplainItself() {
        assertThat(run("--help").out())
                .startsWith("Usage: bin/persist store COMMAND")
                .contains("  compact ");
        for (String command : List.of("get", "scan", "stats", "checkpoint", "compact")) {
            Run run = run(command, "--help");
            assertThat(run.code()).isZero();
            assertThat(run.out())
                    .contains("Usage: bin/persist store " + command + " [flags] STORE")
                    .contains("--checkpoints")
                    .doesNotContain("LOG");
        }
    }

    @Test
    void shouldSayThatAStoreIsNotThere() {
        Run run = run("get", directory + "/none", "a");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("no such directory").hasLineCount(1);
        assertThat(run("scan", directory, "--checkpoints", directory + "/none").err())
                .contains("cannot read the checkpoints: no such directory")
                .hasLineCount(1);
    }
}
