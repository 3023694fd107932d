package io.persist.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.support.Docs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.ReadBytesMarshallable;
import org.junit.jupiter.api.Test;

/** What is made of bytes that somebody else wrote. */
class HostileObjectTest {

    /** Reads three numbers, whatever is there. */
    private static final class Numbers implements ReadBytesMarshallable {

        private long sum;

        @Override
        public void readMarshallable(BytesIn<?> bytes) {
            sum = bytes.readLong() + bytes.readLong() + bytes.readLong();
        }
    }

    /** The array is used again and again, and longer than a record: what it held before must not show. */
    @Test
    void shouldNotReadBeyondTheRecord() {
        ObjectCodec codec = new ObjectCodec();
        Numbers numbers = new Numbers();
        codec.decode(ByteBuffer.allocate(24).putLong(0, 1).putLong(8, 2).putLong(16, 3), numbers);
        assertThat(numbers.sum).isNotZero();
        for (int length = 0; length < 24; length++) {
            ByteBuffer shorter = ByteBuffer.allocate(length);
            assertThatExceptionOfType(BufferUnderflowException.class)
                    .as(length + " bytes")
                    .isThrownBy(() -> codec.decode(shorter, numbers));
        }
    }

    /** The caller brings the object: nothing in a log names a class, and nothing is deserialised by Java's means. */
    @Test
    void shouldMakeNoObjectThatALogNames() {
        List<String> means = List.of("ObjectInputStream", "readObject", "XMLDecoder", "ScriptEngine", "URLClassLoader");
        try (Stream<Path> all = Files.walk(Docs.root().resolve("persist-core/src/main/java"))) {
            List<Path> sources =
                    all.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(100);
            assertThat(sources)
                    .allSatisfy(source -> assertThat(Docs.read(source)).doesNotContain(means));
            assertThat(sources)
                    .filteredOn(source -> Docs.read(source).contains("Class.forName"))
                    .as("by a name that is written there")
                    .allSatisfy(source ->
                            assertThat(Docs.read(source)).containsPattern("Class\\.forName\\(\"[a-z.A-Z]+\"\\)"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
