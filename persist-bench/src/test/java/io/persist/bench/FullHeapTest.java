package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker thread that finds no memory has none to say so with: the program ends all the same. */
class FullHeapTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"cache.FullHeapRun load", "cache.FullHeapRun insert", "device.FullHeapRun", "host.FullHeapRun"})
    void shouldEndWhenTheHeapIsFull(String run) throws Exception {
        ProcessBuilder program = ChildProgram.builder(directory, "io.persist.bench." + run);
        program.command().add(program.command().indexOf("-cp"), "-Xmx32m"); // it is full the sooner
        Process process =
                program.redirectOutput(directory.resolve("out").toFile()).start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        String err = Files.readString(directory.resolve("err"));
        assertThat(directory.resolve("out"))
                .as("beside what it complains of: %s", err)
                .hasContent("full\n");
        assertThat(err).isEmpty();
    }
}
