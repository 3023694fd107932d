package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Await;
import io.persist.support.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The process can start no more threads when it maps its first file. From JDK 22 on a mapping would like one. */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
class NoThreadToUnmapTest {

    private static final int LENGTH = 1 << 16;

    @TempDir
    Path directory;

    private final List<Cleaner> cleaners = new ArrayList<>();
    private int attempts;

    private Cleaner failAtFirst() {
        if (attempts++ == 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        cleaners.add(Cleaner.create());
        return cleaners.get(0);
    }

    @Test
    void shouldMapWithoutAndTryAgainAtTheNextMapping() throws Exception {
        Unmapper unmapper = new Unmapper.WithArena(this::failAtFirst);
        Unmapper.Mapped first = map(unmapper);
        first.buffer().putLong(0, 1);
        assertThat(cleaners).isEmpty();
        first.unmap().run();
        assertThat(mappings()).isEmpty();

        Unmapper.Mapped second = map(unmapper);
        assertThat(mappings()).hasSize(1);
        Reference.reachabilityFence(second);
        second = null; // nobody closes it
        Await.until("it is unmapped", () -> {
            System.gc();
            return mappings().isEmpty();
        });
        map(unmapper).unmap().run();
        assertThat(cleaners).hasSize(1);
        assertThat(mappings()).isEmpty();
    }

    private Unmapper.Mapped map(Unmapper unmapper) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.toRealPath().resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            return unmapper.map(channel, MapMode.READ_WRITE, LENGTH);
        }
    }

    private List<String> mappings() {
        try {
            return Resources.of(directory.toRealPath()).mappings();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
