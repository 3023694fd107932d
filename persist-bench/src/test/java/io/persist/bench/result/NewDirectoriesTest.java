package io.persist.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewDirectoriesTest {

    @TempDir
    private Path directory;

    @Test
    void shouldTakeAwayWhatWasMadeForNothing() throws IOException {
        NewDirectories made = NewDirectories.notYetThere(directory.resolve("a/b"));
        made.deleteEmpty(); // before it is made, if something else fails
        Files.createDirectories(directory.resolve("a/b"));
        made.deleteEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldLeaveWhatWasThereAndWhatIsUsed() throws IOException {
        Path there = Files.createDirectory(directory.resolve("there"));
        NewDirectories.notYetThere(there).deleteEmpty();
        assertThat(there).isEmptyDirectory();
        NewDirectories made = NewDirectories.notYetThere(directory.resolve("a/b"));
        Files.createDirectories(directory.resolve("a/b"));
        Path file = Files.writeString(directory.resolve("a/file"), "text");
        made.deleteEmpty();
        assertThat(file).hasContent("text");
        assertThat(directory.resolve("a/b")).doesNotExist();
    }

    @Test
    void shouldLeaveAFileThatSomebodyHasPutInTheirPlace() throws IOException {
        NewDirectories made = NewDirectories.notYetThere(directory.resolve("a"));
        Path file = Files.writeString(directory.resolve("a"), "text");
        made.deleteEmpty();
        assertThat(file).hasContent("text");
    }
}
