package io.persist.peers.engine.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.ProcessIdentity;
import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.MessageReader;
import io.persist.peers.engine.PeerProcess;
import io.persist.peers.engine.all.Engines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AeronProcessesTest {

    private static final int COUNT = 100;

    @TempDir
    Path directory;

    private PeerProcess startAppending() throws IOException {
        PeerProcess process = PeerProcess.start(
                List.of(), PeerProcess.Appending.class, "aeron", directory.toString(), Integer.toString(COUNT));
        assertThat(process.hear()).isEqualTo("READY");
        return process;
    }

    @Test
    void shouldReadWhatAnotherProcessAppendsAndThenDeleteWhatThatLeftWhenItWasKilled() throws Exception {
        try (PeerProcess process = startAppending()) {
            Path inMemory = AeronDirectory.live(directory).orElseThrow().path();
            try (Engine engine =
                            AeronEngine.KIND.factory().open(PeerProcess.config(directory, Durability.BUFFERED, 0));
                    MessageReader reader = engine.reader()) {
                assertThat(read(reader))
                        .containsExactlyElementsOf(
                                LongStream.range(0, COUNT).boxed().toList());
            }
            Engines.deleteLeftovers(directory);
            assertThat(inMemory).isDirectory();

            process.kill();
            Engines.deleteLeftovers(directory);
            assertThat(inMemory).doesNotExist();
            assertThat(AeronDirectory.live(directory)).isEmpty();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldCleanUpAfterAProcessOfWhichNobodyHasAskedHowItEnded() throws IOException {
        Process parent = new ProcessBuilder("sh", "-c", "true & echo $!; exec sleep 60").start();
        try {
            ProcessIdentity ended =
                    ProcessIdentity.of(Long.parseLong(parent.inputReader().readLine()));
            while (ended.presence() != Presence.GONE) {
                Thread.onSpinWait();
            }
            Path inMemory = Files.createDirectory(directory.resolve("persist-peers-aeron-test"));
            new AeronDirectory(inMemory, ended).write(directory);

            Engines.deleteLeftovers(directory);
            assertThat(inMemory).doesNotExist();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void shouldLeaveNothingOutsideOfItsDirectory() throws IOException {
        Path inMemory;
        try (Engine engine = AeronEngine.KIND.factory().open(PeerProcess.config(directory, Durability.BUFFERED, 1))) {
            assertThat(engine).isNotNull();
            inMemory = AeronDirectory.live(directory).orElseThrow().path();
            assertThat(inMemory).isDirectory();
        }
        assertThat(inMemory).doesNotExist();
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("archive"));
        }
    }

    @Test
    void shouldReadNothingWhereNothingWasAppended() throws IOException {
        for (int producers = 0; producers < 2; producers++) {
            try (Engine engine = AeronEngine.KIND
                            .factory()
                            .open(PeerProcess.config(directory, Durability.BUFFERED, producers));
                    MessageReader reader = engine.reader()) {
                assertThat(reader.poll((buffer, offset, length) -> {}, 1)).isZero();
            }
        }
    }

    private static List<Long> read(MessageReader reader) throws IOException {
        List<Long> numbers = new ArrayList<>();
        while (numbers.size() < COUNT) {
            if (reader.poll((buffer, offset, length) -> numbers.add(buffer.getLong(offset)), 10) == 0) {
                Thread.yield();
            }
        }
        return numbers;
    }
}
