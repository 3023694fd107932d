package io.persist.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.MessageLogger;
import io.persist.log.LogConfig;
import io.persist.log.read.Tailer;
import io.persist.support.Docs;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is made of bytes that somebody else wrote. */
class HostileObjectTest {

    /** The records before and behind it, and those that were encoded before, must not show. */
    @Test
    void shouldNotReadBeyondTheRecord() {
        Decoder<Long> numbers = payload -> payload.getLong() + payload.getLong() + payload.getLong();
        LogConfig config = LogConfig.builder(Path.of("memory")).build();
        try (MessageLogger logger = MessageLogger.open(config, new CrashableStorage())) {
            for (int length = 24; length >= 0; length--) {
                logger.append(length, (count, output) -> output.extend(count));
            }
            try (Tailer tailer = logger.tailer()) {
                assertThat(tailer.next()).isTrue();
                assertThat(numbers.read(tailer.payload())).isZero();
                while (tailer.next()) {
                    assertThatExceptionOfType(BufferUnderflowException.class)
                            .isThrownBy(() -> numbers.read(tailer.payload()));
                }
            }
        }
    }

    @Test
    void shouldSayThatItIsNoSuchMessage() {
        Decoder<Object> strict = payload -> {
            throw new IOException("wrong version");
        };
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> strict.read(ByteBuffer.allocate(1)))
                .withMessage("cannot decode the message: wrong version");
    }

    /** The caller brings the decoder: nothing in a log names a class, and Java's own means are not used. */
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
