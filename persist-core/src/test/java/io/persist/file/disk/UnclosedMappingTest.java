package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.support.Await;
import io.persist.support.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A mapping that nobody closes ends when nobody can use it any more, and not before. */
@EnabledOnOs(OS.LINUX)
class UnclosedMappingTest {

    private static final int LENGTH = 1 << 16;
    private static final int INDEX = 4096;
    private static final long VALUE = 0x0123_4567_89ab_cdefL;

    /** A reader may have no more than one of these. */
    private static final List<UnaryOperator<ByteBuffer>> VIEWS = List.of(
            buffer -> buffer,
            ByteBuffer::duplicate,
            ByteBuffer::asReadOnlyBuffer,
            buffer -> buffer.slice(0, LENGTH).order(ByteOrder.LITTLE_ENDIAN),
            buffer -> buffer.asReadOnlyBuffer().slice(0, LENGTH).duplicate());

    @TempDir
    Path directory;

    @Test
    void shouldStayAsLongAsThereIsAViewAndThenEnd() throws IOException {
        Path real = directory.toRealPath();
        for (UnaryOperator<ByteBuffer> view : VIEWS) {
            look(view.apply(map(real)), real);
            Await.until("it is unmapped", () -> {
                System.gc();
                return mappings(real).isEmpty();
            });
        }
    }

    private static ByteBuffer map(Path real) throws IOException {
        Storage storage = DirectoryStorage.open(real);
        try (StorageFile file = storage.create("file")) {
            file.write(0, new byte[LENGTH], 0, LENGTH, WriteThrough.NONE);
            Mapping mapping = file.map(LENGTH);
            mapping.buffer().putLong(INDEX, VALUE);
            return mapping.buffer();
        } finally {
            storage.delete("file");
        }
    }

    private static void look(ByteBuffer view, Path real) {
        for (int collections = 0; collections < 3; collections++) {
            System.gc();
            assertThat(view.order(ByteOrder.LITTLE_ENDIAN).getLong(INDEX)).isEqualTo(VALUE);
            assertThat(mappings(real)).hasSize(1);
        }
        assertThat(view.getLong(INDEX)).isEqualTo(VALUE);
    }

    private static List<String> mappings(Path real) {
        try {
            return Resources.of(real).mappings();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
