package io.persist.chronicle;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.codec.MessageOutput;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JVM without flags prints when the codec is used, as the guide says it. */
class WarningsTest {

    @TempDir
    Path folder;

    /** The program of a user, in a JVM of its own. */
    static final class Program {

        public static void main(String[] arguments) {
            ChronicleCodec codec = new ChronicleCodec();
            MessageOutput output = new MessageOutput();
            int length = output.encode(bytes -> bytes.writeLong(42), codec);
            codec.decode(ByteBuffer.wrap(output.array(), 0, length), bytes -> System.out.println(bytes.readLong()));
        }
    }

    @Test
    void shouldPrintWhatTheGuideSays() throws Exception {
        List<String> lines = run(withoutProvider());
        assertThat(lines.remove("42")).as("output").isTrue();
        assertThat(lines.stream().filter(line -> line.startsWith("SLF4J(W): "))).hasSize(3);
        lines.removeIf(line -> line.startsWith("SLF4J(W): ") || line.isEmpty());
        checkThoseOfTheJdk(lines);
    }

    @Test
    void shouldPrintLessWithAProvider() throws Exception {
        List<String> lines = run(System.getProperty("java.class.path"));
        assertThat(lines.remove("42")).as("output").isTrue();
        lines.removeIf(String::isEmpty);
        checkThoseOfTheJdk(lines);
    }

    private static void checkThoseOfTheJdk(List<String> lines) {
        if (Runtime.version().feature() < 24) {
            assertThat(lines).isEmpty();
            return;
        }
        assertThat(lines).hasSize(8).allMatch(line -> line.startsWith("WARNING: "));
        assertThat(lines.get(1)).contains("java.lang.System::load");
        assertThat(lines.get(5)).contains("sun.misc.Unsafe");
    }

    private static String withoutProvider() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(element -> !element.contains("slf4j-nop"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private List<String> run(String classpath) throws Exception {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classpath,
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
            return Files.readAllLines(output).stream().collect(Collectors.toList());
        } finally {
            process.destroyForcibly();
        }
    }
}
