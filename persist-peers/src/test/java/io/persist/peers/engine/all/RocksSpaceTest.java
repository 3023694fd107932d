package io.persist.peers.engine.all;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.Durability;
import io.persist.peers.engine.Engine;
import io.persist.peers.engine.EngineConfig;
import io.persist.peers.engine.Producer;
import io.persist.peers.engine.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksSpaceTest {

    private static final int MESSAGES = 1_000;
    private static final int LENGTH = 1_000;

    @TempDir
    Path directory;

    /** Else its syncs have the length of the file to write too, where those of others have not. */
    @Test
    void shouldWriteIntoALogThatWasFilledBeforeWhereSpaceIsPrepared() throws IOException {
        assertThat(logBytesAfterOneMessage(Space.PREPARED)).isGreaterThan((long) MESSAGES * LENGTH);
        assertThat(logBytesAfterOneMessage(Space.UNPREPARED)).isLessThan(2L * LENGTH);
    }

    private long logBytesAfterOneMessage(Space space) throws IOException {
        Path own = Files.createDirectory(directory.resolve(space.name()));
        EngineConfig config = new EngineConfig(own, Durability.SYNCED, space, LENGTH, MESSAGES, 1);
        try (Engine engine = RocksEngine.KIND.factory().open(config);
                Producer producer = engine.producer()) {
            producer.append();
            producer.commit();
            return Files.size(newestLog(own));
        }
    }

    private static Path newestLog(Path of) throws IOException {
        try (Stream<Path> files = Files.list(of)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }
}
