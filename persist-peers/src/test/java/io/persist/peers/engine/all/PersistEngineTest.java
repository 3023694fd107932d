package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PersistEngineTest {

    private static final int LENGTH = 256;
    private static final int EXPECTED = 4_000_000;

    @TempDir
    Path directory;

    /** Some segments may be there when it is closed, as by default, but not the 16 that the messages would take. */
    @Test
    void shouldNotLayOutWhatIsExpectedWhereNothingIsToBePrepared() throws IOException {
        EngineConfig config = new EngineConfig(directory, Durability.BUFFERED, Space.UNPREPARED, LENGTH, EXPECTED, 1);
        PersistEngine.MAPPED.factory().open(config).close();

        assertThat(bytes()).isLessThan((long) EXPECTED * LENGTH);
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}
