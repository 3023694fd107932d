package io.persist.log.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.LogFileName;
import io.persist.log.RecoveryReport;
import io.persist.log.WriteMode;
import io.persist.log.engine.Log;
import io.persist.log.engine.MappedAndFile;
import io.persist.log.read.Tailer;
import io.persist.support.DeadLog;
import io.persist.support.Docs;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log that a power cut has ended in a file that was used before: behind what was synced are records of the file's
 * earlier life. {@code golden/v1-recycled-mapped} and {@code -file_rw} are such ones as version 1 of the format has
 * them, and the text beside each says what opening it finds. Golden files are never edited, only added.
 */
@ParameterizedClass
@MappedAndFile
class RecycledGoldenFileTest extends RecycledFixture {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/golden");

    private Path golden(String suffix) {
        return GOLDEN.resolve("v1-recycled-" + kind.name().toLowerCase(Locale.ROOT) + suffix);
    }

    private void open(WriteMode mode) throws IOException {
        storage = new CrashableStorage().crash(new Random(1), Loss.ALL_KEPT); // the system was started again
        try (Stream<Path> files = Files.list(golden(""))) {
            for (Path file : files.toList()) {
                storage.replace(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        log = Log.open(kind.config().segmentLength(LENGTH).writeMode(mode).build(), storage);
    }

    private static List<String> found(RecoveryReport report) {
        return List.of(
                "start=" + report.start(),
                "row=" + report.reason().row(),
                "firstPosition=" + report.kept().firstPosition(),
                "goodPosition=" + report.kept().goodPosition(),
                "lastSequence=" + report.kept().lastSequence(),
                "cutRecords=" + report.cut().records());
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    void shouldFindTheEndOfALogOfVersion1AndGoOn(WriteMode mode) throws IOException {
        open(mode);
        assertThat(found(log.recovery())).isEqualTo(Files.readAllLines(golden(".txt")));
        long last = log.lastSequence();
        assertThat(isReused(log.lastPosition() / LENGTH * LENGTH)).isTrue();
        assertThat(readAll()).isEqualTo(last);
        Records.appendUntilRolled(log, 2);
        long appended = log.lastSequence();
        log.close();
        log = Log.open(config(), storage);
        assertThat(log.lastSequence()).isEqualTo(appended);
        assertThat(readAll()).isEqualTo(appended);
    }

    /** The number of the last record; what is in each is checked. */
    private long readAll() {
        try (Tailer tailer = log.tailer()) {
            assertThat(tailer.next()).isTrue();
            return Records.readOn(tailer, tailer.sequence() + 1) - 1;
        }
    }

    /** How the golden files were made: run it with {@code -Dgolden=write} after they were taken away. */
    @Test
    @EnabledIfSystemProperty(named = "golden", matches = "write")
    void writeGoldenFiles() throws IOException {
        openInARecycledFile(0);
        while (log.position() % LENGTH < PAGE + 500) { // what comes behind the first page was not zeroed before
            Records.append(log, 1);
        }
        log.sync();
        String last = LogFileName.segment(log.lastPosition() / LENGTH * LENGTH);
        int nextPage = ((int) (log.position() % LENGTH) / PAGE + 1) * PAGE;
        CrashableStorage left = DeadLog.cutPower(log, storage);
        assertThat(left.content(last)[nextPage]).as("of the earlier life").isNotZero();
        Files.createDirectory(golden(""));
        for (String name : left.list()) {
            Files.write(golden("").resolve(name), left.content(name));
        }
        open(WriteMode.MAPPED);
        Files.writeString(golden(".txt"), String.join("\n", found(log.recovery())) + "\n", UTF_8);
    }
}
