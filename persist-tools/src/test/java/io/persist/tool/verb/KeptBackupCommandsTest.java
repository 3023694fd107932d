package io.persist.tool.verb;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.MessageLogger;
import io.persist.StoreLogger;
import io.persist.backup.DiskBackup;
import io.persist.command.Run;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.store.StoreConfig;
import io.persist.tool.ToolLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code backup --keep} and {@code restore} of what it keeps, as somebody types them. */
class KeptBackupCommandsTest {

    private interface Command {
        int run(String[] arguments, PrintStream out, PrintStream err);
    }

    private static final int RECORDS = 2000;

    @TempDir
    Path place;

    private static Run run(Command command, Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] words = List.of(arguments).stream().map(String::valueOf).toArray(String[]::new);
        int code = command.run(words, ToolLog.print(out), ToolLog.print(err));
        return new Run(code, ToolLog.text(out), ToolLog.text(err));
    }

    private LogConfig config() {
        return LogConfig.builder(place.resolve("log")).segmentLength(1 << 16).build();
    }

    private void append() {
        try (MessageLogger logger = MessageLogger.open(config())) {
            for (int i = 0; i < RECORDS; i++) {
                logger.append(new byte[100]);
                logger.commit(Durability.BUFFERED);
            }
        }
    }

    private Run backUp(Object... more) {
        Object[] first = {place.resolve("log"), "--to", place.resolve("the backup")};
        return run(
                new BackupCommand()::run,
                Stream.concat(List.of(first).stream(), List.of(more).stream()).toArray());
    }

    private List<Path> kept() {
        return DiskBackup.at(place.resolve("the backup")).kept();
    }

    @Test
    void shouldKeepAndRestore() {
        append();
        Run first = backUp("--keep", 2);
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out())
                .endsWith("  kept: 1 backup, from " + kept().get(0).getFileName() + " on, the newest is "
                        + kept().get(0) + "\n");
        append();
        assertThat(backUp("--keep", 2).out()).contains("  kept: 2 backups, from ");
        assertThat(backUp("--keep", 2).code()).as("nothing has changed").isEqualTo(3);
        Path old = kept().get(0);
        assertThat(run(new BackupCommand()::run, "--verify", old).out()).startsWith(old + ": good, ");
        Path target = place.resolve("restored");
        assertThat(run(new RestoreCommand()::run, old, "--to", target).out()).contains(", sequence " + RECORDS + " (");
        Run into = run(new BackupCommand()::run, place.resolve("log"), "--to", old);
        assertThat(into.code()).isEqualTo(1);
        assertThat(into.err())
                .contains("a kept backup stays as it is: " + old.toAbsolutePath())
                .contains("; name the one that keeps it, " + place.resolve("the backup"))
                .hasLineCount(1);
        assertThat(DiskBackup.at(old).verify().lastSequence()).isEqualTo(RECORDS);
    }

    @Test
    void shouldSayWhatMakesNoSense() {
        append();
        Run zip = run(new BackupCommand()::run, place.resolve("log"), "--to", "x.zip", "--keep", 2);
        assertThat(zip.code()).isEqualTo(2);
        assertThat(zip.err()).contains("--keep is for a directory, and a zip file is made once, given=x.zip; name a");
        Run none = backUp("--keep", 0);
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("--keep 0 is out of range; give a value from 1 to 10,000");
        Run verify = run(new BackupCommand()::run, "--verify", place, "--keep", 2);
        assertThat(verify.code()).isEqualTo(2);
        assertThat(verify.err()).contains("--verify writes nothing, so that --keep makes no sense");
    }

    /** Retention has taken the records from the newest one. */
    @Test
    void shouldNameTheOneThatReachesAPoint() {
        append();
        backUp("--keep", 5);
        append();
        backUp("--keep", 5);
        try (MessageLogger logger = MessageLogger.open(config())) {
            logger.retire(logger.planRetention(RetentionRule.keepBytes(1 << 16)), Retirement.DELETE);
        }
        backUp("--keep", 5);
        Path target = place.resolve("restored");
        Path newest = place.resolve("the backup");
        Run run = run(new RestoreCommand()::run, newest, "--to", target, "--toSequence", 100);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("no record would be left of the backup: toSequence=100")
                .endsWith("; of those that it keeps the newest one for that is " + kept().get(1) + "\n")
                .hasLineCount(1);
        assertThat(run(new RestoreCommand()::run, kept().get(1), "--to", target, "--toSequence", 100)
                        .out())
                .contains(", sequence 100, of ");
        Run never = run(new RestoreCommand()::run, newest, "--to", target, "--toSequence", 3 * RECORDS);
        assertThat(never.err()).contains("the backup ends before").doesNotContain("keeps");
    }

    /** A store has to be restored as a whole. */
    @Test
    void shouldNameTheStoreFromBeforeAPoint() {
        for (int i = 0; i < 3; i++) {
            try (StoreLogger store =
                    StoreLogger.open(StoreConfig.builder(config()).build())) {
                store.put(new byte[] {1}, new byte[100]);
            }
            backUp("--keep", 5);
        }
        Run run = run(
                new RestoreCommand()::run,
                place.resolve("the backup"),
                "--to",
                place.resolve("restored"),
                "--toSequence",
                2);
        assertThat(run.err())
                .contains("a store is restored as a whole, not up to toSequence=2")
                .endsWith("; of those that it keeps the newest one for that is " + kept().get(1) + "\n");
    }

    /** The same names as in the JSON of other commands. */
    @Test
    void shouldPrintJson() {
        append();
        Run run = backUp("--keep", 2, "--json");
        String backup = place.resolve("the backup").toString();
        assertThat(run.out())
                .startsWith("{\"log\":\"" + place.resolve("log") + "\",\"backup\":\"" + backup
                        + "\",\"status\":\"backed_up\",\"content\":\"messages\",\"endPosition\":")
                .containsPattern("\"lastSequence\":2000,\"segments\":(\\d+),\"files\":(\\d+),\"bytes\":(\\d+),"
                        + "\"copiedFiles\":\\2,\"copiedBytes\":\\3,\"elapsedNs\":[1-9]\\d*,\"leftOut\":\\[\\],")
                .endsWith(",\"kept\":[\"" + kept().get(0) + "\"]}\n")
                .hasLineCount(1);
        assertThat(backUp("--json").out())
                .contains("\"status\":\"up_to_date\"", "\"copiedFiles\":0,\"copiedBytes\":0,", ",\"kept\":[]}");
        assertThat(run(new BackupCommand()::run, "--verify", backup, "--json").out())
                .startsWith("{\"backup\":\"" + backup + "\",\"status\":\"good\",\"content\":\"messages\",")
                .endsWith(",\"kept\":[\"" + kept().get(0) + "\"]}\n")
                .hasLineCount(1);
    }
}
