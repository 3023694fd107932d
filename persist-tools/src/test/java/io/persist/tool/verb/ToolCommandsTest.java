package io.persist.tool.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.command.Command;
import io.persist.command.Run;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolCommandsTest {

    @TempDir
    Path directory;

    private String log;

    @BeforeEach
    void writeALog() {
        log = directory.toString();
        LogConfig config = LogConfig.builder(directory).segmentLength(1 << 16).build();
        try (MessageLogger logger = MessageLogger.open(config)) {
            for (int i = 1; i <= 5000; i++) {
                logger.append(("record-" + i).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static Run run(Command command, String... args) {
        return Run.of(command, args);
    }

    @Test
    void shouldDumpARange() {
        Run run = run(new DumpCommand()::run, log, "--fromSequence", "4000", "-n", "2", "--format", "json");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("\\{\"position\":\\d+,\"sequence\":4000,.*\"payload\":\"cmVjb3JkLTQwMDA=\"}\n.*4001,")
                .hasLineCount(2);
        assertThat(run(new DumpCommand()::run, log, "--toSequence", "1", "--payload", "none")
                        .out())
                .isEqualTo("            64          1        8 C\n");
    }

    @Test
    void shouldDumpATableAndAPage() {
        Run csv = run(
                new DumpCommand()::run, log, "--format", "csv", "--skip", "10", "--limit", "1", "--payload", "text");
        assertThat(csv.out()).matches("position,sequence,startsCommit,length,text\r\n\\d+,11,false,9,record-11\r\n");
        Run html = run(new DumpCommand()::run, log, "--format", "html", "--limitCommits", "1");
        assertThat(html.code()).as(html.err()).isZero();
        assertThat(html.out()).contains("5000 records in 1 commit,").endsWith("</html>\n");
        assertThat(run(new DumpCommand()::run, log, "--skipCommits", "1").out()).isEmpty();
        assertThat(run(new TailCommand()::run, log, "-n", "1", "--format", "csv")
                        .out())
                .startsWith("position,")
                .contains(",5000,false,");
    }

    @Test
    void shouldTail() {
        Run run = run(new TailCommand()::run, "-n", "3", log);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("record-4998").contains("record-5000").hasLineCount(3);
    }

    @Test
    void shouldWalk() {
        InputStream commands = new ByteArrayInputStream("n\n#4000\nn 2\n".getBytes(StandardCharsets.UTF_8));
        Run run = run(new WalkCommand(commands)::run, log);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("record-1\"\n", "record-4000", "record-4001")
                .hasLineCount(3);
        assertUsage(run(new WalkCommand()::run, log, log), "walk is for one LOG, given=2");
        assertUsage(run(new WalkCommand()::run), "no LOG is given; name the directory of a log");
        assertUsage(run(new CompareCommand()::run), "no A and no B is given; name the directories of two logs");
        assertUsage(run(new RestoreCommand()::run), "no BACKUP is given; name the directory or the zip file of a");
        assertUsage(run(new WalkCommand()::run, log, "--format", "csv"), "--format csv is none of text, json");
    }

    @Test
    void shouldCompare(@TempDir Path other) {
        try (MessageLogger logger = MessageLogger.open(
                LogConfig.builder(other).segmentLength(1 << 20).build())) {
            for (int i = 1; i <= 5000; i++) {
                logger.append(("record-" + (i == 4000 ? "x" : i)).getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(run(new CompareCommand()::run, log, log).code()).isZero();
        Run run = run(new CompareCommand()::run, log, other.toString());
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("the same before: 3999 records in 1 commit,", "11 bytes: ", "8 bytes: ");
        assertThat(run(new CompareCommand()::run, log, other.toString(), "--fromSequence", "4001", "--format", "json")
                        .out())
                .startsWith("{\"same\":true,\"records\":1000,");
        assertThat(run(new CompareCommand()::run, log, other.toString(), "-n", "3999")
                        .code())
                .isZero();
        assertThat(run(new CompareCommand()::run, log, log + "/none").code()).isEqualTo(1);
        assertUsage(run(new CompareCommand()::run, log), "no B is given; name the directory of a second log");
        assertUsage(run(new CompareCommand()::run, log, log, log), "compare is for two logs, given=3");
        assertUsage(run(new CompareCommand()::run, log, log, "--format", "csv"), "--format csv is none of text, json");
    }

    @Test
    void shouldVerifyAndFindNothingToRepair() {
        assertThat(run(new VerifyCommand()::run, log).out()).contains(": clean\n");
        assertThat(run(new VerifyCommand()::run, "--json", log).out()).contains("\"records\":5000");
        assertThat(run(new RepairCommand()::run, log, "--dryRun").out()).contains("nothing to repair");
    }

    @Test
    void shouldShowNumbers() {
        Run run = run(new StatsCommand()::run, log);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains(": its writer closed it\n").containsPattern("records +5,000  ");
        assertThat(run(new StatsCommand()::run, log, "--format", "json").out()).contains("\"records\":5000,");
    }

    /** As a cron job does it for the textfile collector of node_exporter, which refuses a line that comes twice. */
    @Test
    void shouldPrintManyLogsForPrometheus(@TempDir Path others) throws IOException {
        Path odd = Files.createDirectory(others.resolve("an \"odd\" \\ name\nof two lines"));
        MessageLogger.open(LogConfig.builder(odd).segmentLength(4096).build()).close();
        String none = others.resolve("none").toString();
        Run run = run(new StatsCommand()::run, log, none, odd.toString(), log + "/.", "--format", "prometheus");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).startsWith("persist: no such directory: " + none).hasLineCount(1);
        assertThat(run.out().lines()).doesNotHaveDuplicates();
        String label = others.toRealPath() + "/an \\\"odd\\\" \\\\ name\\nof two lines";
        assertThat(run.out())
                .contains("# TYPE persist_log_position_bytes gauge\npersist_log_position_bytes{log=\"" + log + "\"} ")
                .contains("\npersist_log_failed{log=\"" + label + "\"} 0\n# HELP ")
                .endsWith("\n");
        assertThat(run(new StatsCommand()::run, none, "--format", "prometheus").out())
                .isEmpty();
    }

    @Test
    void shouldWatchUntilItIsInterrupted() {
        Thread.currentThread().interrupt(); // at once
        Run run = run(new StatsCommand()::run, log, "--watch", "--interval", "0.01");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("  seconds  writer ");
    }

    @Test
    void shouldRetain() {
        assertThat(run(new RetainCommand()::run, log, "--keepAge", "7d", "--dryRun")
                        .out())
                .contains("would delete 0 segments");
        assertThat(run(new RetainCommand()::run, log, "--keepBytes", "140000").out())
                .contains("deleted 1 segment, 65536");
        assertThat(run(new VerifyCommand()::run, log).code()).isZero();
    }

    @Test
    void shouldShowAndRemoveCursors() {
        assertThat(run(new CursorsCommand()::run, log).out()).endsWith(": no cursors\n");
        Tailer.open(directory, "billing").close();
        assertThat(run(new CursorsCommand()::run, log).out()).contains("  billing  64 ");
        assertThat(run(new CursorsCommand()::run, "--format", "json", log).out())
                .contains("\"name\":\"billing\"");
        assertThat(run(new CursorsCommand()::run, log, "--remove", "billing").out())
                .contains("removed cursor billing");
        assertThat(run(new CursorsCommand()::run, log, "--remove", "billing").code())
                .isEqualTo(1);
    }

    @Test
    void shouldArchive(@TempDir Path place) throws Exception {
        String zip = place.resolve("old.zip").toString();
        String copy = place.resolve("copy").toString();
        String restored = place.resolve("restored").toString();
        assertThat(run(new ArchiveCommand()::run, log, "--to", copy).out()).contains("archived 3 segments of messages");
        assertThat(run(new ArchiveCommand()::run, "--verify", copy).out()).startsWith(copy + ": good, 3 segments");
        assertThat(run(new VerifyCommand()::run, copy).out()).contains(": clean\n");
        Run upToDate = run(new ArchiveCommand()::run, log, "--to", zip, "--fromPosition", "196608");
        assertThat(upToDate.out())
                .endsWith("nothing to archive, no segment is sealed and synced from position 196608 on\n");
        assertThat(upToDate.code()).isEqualTo(3);
        Run packed = run(new ArchiveCommand()::run, log, "--to", zip, "--delete");
        assertThat(packed.code()).as(packed.err()).isZero();
        assertThat(packed.out()).contains("(196608 bytes)", "to " + zip + "\n", "deleted 3 segments, 196608 bytes");
        assertThat(run(new ArchiveCommand()::run, "--verify", zip).out()).startsWith(zip + ": good, 3 segments");
        Run nothing = run(new ArchiveCommand()::run, log, "--to", zip);
        assertThat(nothing.out()).contains("nothing to archive");
        assertThat(nothing.code()).isEqualTo(3);
        Run run = run(new ArchiveCommand()::run, "--restore", zip, "--to", restored);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains(": restored 3 segments", ": clean\n");
        assertThat(run(new CompareCommand()::run, copy, restored).code()).isZero();
        assertThat(run(new TailCommand()::run, "-n", "1", restored).code()).isZero();
        assertThat(run(new ArchiveCommand()::run, "--restore", zip, "--to", restored)
                        .err())
                .contains("directory is not empty")
                .hasLineCount(1);
        byte[] bytes = Files.readAllBytes(Path.of(zip));
        bytes[bytes.length / 2] ^= 1;
        Files.write(Path.of(zip), bytes);
        assertThat(run(new ArchiveCommand()::run, "--verify", zip).code()).isEqualTo(1);
        assertThat(run(new ArchiveCommand()::run, "--verify", zip + ".zip").err())
                .contains("no such file");
    }

    @Test
    void shouldRefuseWhatIsNoPath() {
        assertUsage(run(new BackupCommand()::run, log, "--to", "a\0b"), "--to is not a path: Nul character");
        assertUsage(run(new VerifyCommand()::run, "a\0b"), "not a path: Nul character");
    }

    @Test
    void shouldBackUpAndRestore(@TempDir Path place) throws Exception {
        String copy = place.resolve("copy").toString();
        String zip = place.resolve("copy.zip").toString();
        assertThat(run(new BackupCommand()::run, log, "--to", copy).out()).contains("backed up ", "up to position ");
        assertThat(run(new BackupCommand()::run, log, "--to", copy).code()).isEqualTo(3);
        assertThat(run(new BackupCommand()::run, "--verify", copy).out()).startsWith(copy + ": good, ");
        assertThat(run(new CompareCommand()::run, log, copy).code()).isZero();
        assertThat(run(new BackupCommand()::run, log, "--to", zip).code()).isZero();
        assertThat(run(new BackupCommand()::run, log, "--to", zip).err()).contains("file exists already");
        for (String backup : List.of(copy, zip)) {
            String restored = backup + "-restored";
            Run run = run(new RestoreCommand()::run, backup, "--to", restored);
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out()).contains(": restored ", ": clean\n");
            assertThat(run(new CompareCommand()::run, log, restored).code()).isZero();
            assertThat(run(new RestoreCommand()::run, backup, "--to", restored).err())
                    .contains("directory is not empty");
        }
        assertUsage(run(new BackupCommand()::run, log), "no --to is given; name the backup");
        assertUsage(run(new BackupCommand()::run, log, "the-backup"), "no --to is given; name the backup");
        assertUsage(run(new RestoreCommand()::run, copy, "the-log"), "no --to is given; name the directory");
        assertUsage(run(new SalvageCommand()::run, log, "the-log"), "no --to is given; name the directory");
        assertUsage(run(new ArchiveCommand()::run, log, "the-archive"), "no --to is given; name the new archive");
        assertUsage(run(new BackupCommand()::run, "--verify", copy, "--to", "x"), "--verify writes nothing");
        assertUsage(run(new BackupCommand()::run, "--verify", copy, "--readAll"), "--verify reads all, so");
        assertUsage(
                run(new BackupCommand()::run, log, "--to", copy, "--bytesPerSecond", "50"),
                "--bytesPerSecond 50 is out of range; give a value from 1,048,576 on");
        assertThat(run(new BackupCommand()::run, log, "--to", copy, "--bytesPerSecond", "10GB")
                        .code())
                .isEqualTo(3);
        assertUsage(run(new BackupCommand()::run, log, log, "--to", "x"), "backup is for one LOG, given=2");
        assertUsage(run(new RestoreCommand()::run, copy), "no --to is given");
    }

    @Test
    void shouldMendABackupThatHasGoneBad(@TempDir Path place) throws Exception {
        Path copy = place.resolve("copy");
        String[] backup = {log, "--to", copy.toString()};
        run(new BackupCommand()::run, backup);
        Path segment = copy.resolve(LogFileName.segment(0));
        byte[] bytes = Files.readAllBytes(segment);
        bytes[1000] ^= 1;
        Files.write(segment, bytes);
        assertThat(run(new BackupCommand()::run, backup).code()).isEqualTo(3);
        assertThat(run(new BackupCommand()::run, "--verify", copy.toString()).err())
                .contains("file=" + segment.getFileName(), "bring it up to date with --readAll");
        Run run = run(new BackupCommand()::run, log, "--to", copy.toString(), "--readAll");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("copied and read back: 1 file, 65536 bytes; there already: ");
        assertThat(run(new BackupCommand()::run, "--verify", copy.toString()).code())
                .isZero();
        assertThat(run(new BackupCommand()::run, log, "--to", copy.toString(), "--readAll")
                        .code())
                .isEqualTo(3);
    }

    @Test
    void shouldRestoreUpToARecord(@TempDir Path place) {
        String copy = place.resolve("copy").toString();
        run(new BackupCommand()::run, log, "--to", copy);
        String restored = place.resolve("restored").toString();
        Run within = run(new RestoreCommand()::run, copy, "--to", restored, "--toSequence", "2");
        assertThat(within.err()).contains("record 3 does not begin a commit");
        Run run = run(new RestoreCommand()::run, copy, "--to", restored, "--toSequence", "2", "--ignoreCommits");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains(", sequence 2, of ", "left out: records 3 to ", ": clean\n");
        String kept = run(new DumpCommand()::run, restored).out();
        assertThat(run(new DumpCommand()::run, log, "--toSequence", "2").out().replace(log, restored))
                .isEqualTo(kept);
        String other = place.resolve("other").toString();
        Run none = run(new RestoreCommand()::run, copy, "--to", other, "--toPosition", "65");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.err()).contains("the log cannot end at toPosition=65", "toPosition=64");
        RestoreCommand both = new RestoreCommand();
        assertUsage(
                run(both::run, copy, "--to", other, "--toPosition", "64", "--toSequence", "2"),
                "give one of --toPosition, --toSequence");
        assertUsage(
                run(new RestoreCommand()::run, copy, "--to", other, "--toPosition", "-1"),
                "--toPosition -1 is out of range; give a value from 0 on");
        assertUsage(
                run(new RestoreCommand()::run, copy, "--to", other, "--toSequence", "0"),
                "--toSequence 0 is out of range; give a value from 1 on");
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithAnArchive() {
        assertUsage(run(new ArchiveCommand()::run, log), "no --to is given; name the new archive");
        assertUsage(run(new ArchiveCommand()::run, "--restore", log), "no --to is given; name the directory");
        assertUsage(run(new ArchiveCommand()::run, "--restore", log, "new"), "no --to is given; name the directory");
        assertUsage(run(new ArchiveCommand()::run, "--verify", log, "--to", "x"), "--verify writes nothing");
        assertUsage(run(new ArchiveCommand()::run, "--verify", "--restore", log), "give one of --verify, --restore");
        assertUsage(run(new ArchiveCommand()::run, "--verify", "--delete", log), "--delete is for the segments");
        assertUsage(
                run(new ArchiveCommand()::run, log, "--to", "x", "--delete", "--fromPosition", "1"),
                "without --delete");
        Run below = run(new ArchiveCommand()::run, log, "--to", "x.zip", "--fromPosition", "-1");
        assertUsage(below, "--fromPosition -1 is out of range; give a value from 0 on");
        assertUsage(run(new ArchiveCommand()::run, log, log, "--to", "x.zip"), "archive is for one LOG, given=2");
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheArguments() {
        assertUsage(run(new DumpCommand()::run), "no LOG is given");
        assertUsage(
                run(new DumpCommand()::run, log, "--format", "xml"), "--format xml is none of text, json, csv, html");
        assertUsage(run(new DumpCommand()::run, log, log, "--format", "csv"), "--format csv is for one LOG, given=2");
        assertUsage(run(new DumpCommand()::run, log, "--skip", "-1"), "skip=-1, min=0");
        assertUsage(run(new TailCommand()::run, log, "--format", "html"), "--format html is none of text, json, csv");
        assertUsage(run(new DumpCommand()::run, log, "--payload", "rot13"), "--payload rot13 is none of preview,");
        assertUsage(run(new DumpCommand()::run, log, "--limit", "ten"), "ten");
        assertUsage(run(new DumpCommand()::run, log, "--limit", "-1"), "limit=-1, min=0");
        assertUsage(
                run(new DumpCommand()::run, log, "--fromPosition", "5", "--toPosition", "4"), "toPosition=4, min=5");
        assertUsage(run(new VerifyCommand()::run, log, "--jason"), "--jason");
        assertUsage(run(new TailCommand()::run, log, "-n", "-5"), "--count -5 is out of range; give a value from 0 on");
        assertUsage(
                run(new StatsCommand()::run, log, "--format", "xml"),
                "--format xml is none of text, json, prometheus, arcus");
        for (String format : List.of("prometheus", "arcus")) {
            assertUsage(
                    run(new StatsCommand()::run, log, "--watch", "--format", format),
                    "--watch has no --format " + format + "; use text or json");
        }
        assertUsage(run(new StatsCommand()::run, log, "--interval", "0"), "--interval 0 is out of range; give");
        assertUsage(run(new StatsCommand()::run, log, "--interval", "NaN"), "--interval NaN is out of range; give");
        assertUsage(run(new StatsCommand()::run, log, "--interval", "5"), "--interval is for --watch; add that");
        assertUsage(run(new StatsCommand()::run, log, log, "--watch"), "--watch is for one LOG, given=2");
        assertUsage(run(new CursorsCommand()::run, log, "--format", "xml"), "--format xml is none of text, json");
        assertUsage(run(new CursorsCommand()::run, log, "--remove", "a/b"), "cursor name=a/b");
        assertUsage(
                run(new CursorsCommand()::run, log, "--remove", "c1", "--format", "json"),
                "--format is for showing cursors, and not for --remove");
        assertUsage(
                run(new RetainCommand()::run, log), "no rule is given; give one of --keepBytes, --keepAge, --below");
        assertUsage(
                run(new RetainCommand()::run, log, "--keepBytes", "1", "--below", "1"),
                "2 rules are given; give one of --keepBytes, --keepAge, --below");
        assertUsage(run(new RetainCommand()::run, log, "--keepBytes", "-5"), "--keepBytes -5 is out of range; give");
        assertUsage(run(new RetainCommand()::run, log, "--below", "-5"), "--below -5 is out of range; give");
        assertUsage(run(new RetainCommand()::run, log, "--keepAge", "soon"), "--keepAge soon is no age");
    }

    private static void assertUsage(Run run, String message) {
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("persist ").contains(message).hasLineCount(1);
    }

    @Test
    void shouldExplainItself() {
        Run run = run(new DumpCommand()::run, "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Usage: bin/persist dump")
                .contains("LOG...")
                .contains("--fromSequence");
    }
}
