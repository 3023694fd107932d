package io.persist.kafka.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.result.RunDirectory;
import io.persist.bench.result.RunOutput;
import io.persist.kafka.bench.server.EngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaReportTest {

    @TempDir
    Path directory;

    private RunDirectory earlier(String name, String program) throws IOException {
        Path run = Files.createDirectory(directory.resolve(name));
        Files.writeString(run.resolve(RunDirectory.FILE), "{\"format\": 1, \"program\": \"" + program + "\"}");
        return new RunDirectory(run);
    }

    /** Else a report shows rounds of two runs as if they were of one. */
    @Test
    @SuppressWarnings("try") // the output is given back, and nothing else
    void shouldForgetAllRoundsOfItsEngines() throws IOException {
        RunDirectory first = earlier("persist-1", "kafka");
        RunDirectory third = earlier("persist-3", "kafka");
        RunDirectory other = earlier("rocksdb-1", "kafka");
        RunDirectory beyond = earlier("persist-4", "other"); // of another program, where no round of this call is
        Files.createFile(directory.resolve("persist-notes")); // no run

        List<EngineKind> engines = List.of(EngineKind.PERSIST, EngineKind.MEMORY);
        try (RunOutput output = KafkaReport.take(engines, 2, directory)) {
            assertThat(first.hasResult()).as("before it is measured").isTrue();
            KafkaReport.forgetRuns(engines, directory);
        }

        assertThat(first.hasResult()).isFalse();
        assertThat(third.hasResult()).isFalse();
        assertThat(other.hasResult()).isTrue();
        assertThat(beyond.hasResult()).isTrue();
        assertThat(directory.resolve("persist-notes")).exists();
    }
}
