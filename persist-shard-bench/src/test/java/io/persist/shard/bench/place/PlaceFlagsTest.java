package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.command.CommandLine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceFlagsTest {

    @TempDir
    Path directory;

    private PlaceFlags parse(String... args) {
        PlaceFlags flags = new PlaceFlags("mem");
        CommandLine.of(flags).parse(args);
        flags.validate();
        return flags;
    }

    @Test
    void shouldMakeTheDirectoryOfAPlaceThatHasFiles() {
        Path none = directory.resolve("none");
        parse("--dir", none.toString());
        parse("--dir", none.toString(), "--blob-uri", "mem://a", "--consensus-uri", "mem://b");
        assertThat(none).doesNotExist();
        parse("--dir", none.toString(), "--backend", "file");
        assertThat(none).isDirectory();
    }

    @Test
    void shouldKnowWhetherObjectsAreFilesInTheDirectory() {
        String dir = directory.toString();
        assertThat(parse("--dir", dir).hasFilesInDir()).isFalse();
        assertThat(parse("--dir", dir, "--backend", "file").hasFilesInDir()).isTrue();
        String within = "file://" + directory.resolve("objects");
        assertThat(parse("--dir", dir, "--blob-uri", within, "--consensus-uri", "mem://b")
                        .hasFilesInDir())
                .isTrue();
        for (String other : new String[] {"file:///other", "file:no", "mem://" + dir, "s3://bucket"}) {
            assertThat(parse("--dir", dir, "--blob-uri", other, "--consensus-uri", "mem://b")
                            .hasFilesInDir())
                    .as(other)
                    .isFalse();
        }
    }
}
