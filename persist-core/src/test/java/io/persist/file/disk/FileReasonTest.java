package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileReasonTest {

    private static FileSystemException failure(String kind, String file) {
        return switch (kind) {
            case "denied" -> new AccessDeniedException(file);
            case "missing" -> new NoSuchFileException(file);
            case "exists" -> new FileAlreadyExistsException(file);
            case "no directory" -> new NotDirectoryException(file);
            case "not empty" -> new DirectoryNotEmptyException(file);
            case "loop" -> new FileSystemLoopException(file);
            default -> new FileSystemException(file, null, kind);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "denied, permission denied; give this user the right to it",
        "missing, no such file or directory; look whether its directory is there",
        "exists, it exists already",
        "no directory, not a directory; a file is in the way",
        "not empty, the directory is not empty",
        "loop, a loop of symbolic links",
        "Read-only file system, Read-only file system; mount it for writing",
        "File name too long, File name too long; choose a shorter one",
        "Input/output error, Input/output error"
    })
    void shouldSayWhyAndWhatHelps(String kind, String reason) {
        FileSystemException failure = failure(kind, "/some/file");
        assertThatThrownBy(() -> FileReason.told(() -> {
                    throw failure;
                }))
                .isInstanceOf(FileSystemException.class)
                .hasMessageStartingWith("/some/file: " + reason)
                .hasCause(failure);
        IOException told = FileReason.told(failure);
        assertThat(FileReason.told((FileSystemException) told)).hasMessage(told.getMessage());
    }

    /** Callers ask for these classes. */
    @Test
    void shouldKeepTheClass() {
        assertThat(FileReason.told(new AccessDeniedException("f"))).isInstanceOf(AccessDeniedException.class);
        assertThat(FileReason.told(new NoSuchFileException("f"))).isInstanceOf(NoSuchFileException.class);
        assertThat(FileReason.told(new FileAlreadyExistsException("f"))).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void shouldSayWhatIsThereInstead(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path dangling = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nothing"));
        assertThat(FileReason.ofNoDirectory(directory)).isEmpty();
        assertThat(FileReason.ofNoFile(file)).isEmpty();
        assertThat(FileReason.ofNoDirectory(file)).isEqualTo("it is a file");
        assertThat(FileReason.ofNoFile(directory)).isEqualTo("it is a directory");
        assertThat(FileReason.ofNoFile(Path.of("/dev/null"))).isEqualTo("it is a device");
        assertThat(FileReason.ofNoDirectory(dangling)).isEqualTo("it is a symbolic link that leads to nothing");
        assertThat(FileReason.ofNoDirectory(directory.resolve("none"))).isEqualTo("no such file or directory");
        assertThat(FileReason.ofNoDirectory(file.resolve("below"))).containsIgnoringCase("not a directory");
    }
}
