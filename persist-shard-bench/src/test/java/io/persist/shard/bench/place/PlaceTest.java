package io.persist.shard.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.shard.location.Locations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceTest {

    @TempDir
    Path objects;

    @TempDir
    Path database;

    private static Place place(Path... directories) {
        return new Place("p", Locations.blob("mem://"), Locations.consensus("mem://"), List.of(directories), List.of());
    }

    @Test
    void shouldCountTheFilesOfItsServersToo() throws IOException {
        Files.write(objects.resolve("o1"), new byte[10]);
        Files.write(Files.createDirectory(database.resolve("data")).resolve("d1"), new byte[200]);
        try (Place place = place(objects, database);
                Place none = place()) {
            assertThat(place.fileBytes()).isEqualTo(210);
            assertThat(none.fileBytes()).isEqualTo(-1);
        }
    }
}
