package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.ChildJvm;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user needs to compile against the library and to run it: the library, and Agrona's jar. */
class ClasspathTest {

    private static final String PROGRAM = """
            import io.persist.*;
            import io.persist.log.*;
            import io.persist.log.read.Tailer;
            import io.persist.packet.Packet;
            import io.persist.store.*;
            import io.persist.store.read.*;
            import io.persist.store.transaction.*;
            import java.nio.ByteBuffer;
            import java.nio.file.Path;

            public class Program {
                record Order(long id) {}

                public static void main(String[] args) {
                    LogConfig messages = log(args[0] + "/messages");
                    try (MessageLogger logger = MessageLogger.open(messages)) {
                        logger.append(new byte[] {1, 2, 3});
                        logger.append(new byte[9], 1, 2);
                        logger.append(ByteBuffer.allocate(4));
                        logger.append(new Order(7), (order, output) -> output.extend(8).putLong(order.id()));
                        logger.commit(Durability.SYNCED);
                    }
                    try (Tailer tailer = Tailer.open(messages.directory())) {
                        while (tailer.next()) {
                            System.out.print(tailer.payload().remaining() + " ");
                        }
                    }
                    try (PacketLogger logger = PacketLogger.open(log(args[0] + "/packets"))) {
                        logger.append(logger.packet().add(new byte[5]));
                        logger.commit(Durability.SYNCED);
                    }
                    StoreConfig config = StoreConfig.builder(log(args[0] + "/store")).build();
                    try (StoreLogger store = StoreLogger.open(config)) {
                        Transaction transaction = store.begin();
                        transaction.put(new byte[] {1}, new byte[6]);
                        transaction.commit(Durability.SYNCED);
                        System.out.print(store.get(new byte[] {1}).remaining());
                    }
                }

                private static LogConfig log(String directory) {
                    return LogConfig.builder(Path.of(directory)).segmentLength(1 << 16).build();
                }
            }
            """;

    @TempDir
    Path folder;

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void shouldNeedAgronaAlone() throws Exception {
        String classpath =
                placeOf(MessageLogger.class) + System.getProperty("path.separator") + placeOf(DirectBuffer.class);
        assertThat(compile(classpath)).as("warnings and errors of javac").isEmpty();
        assertThat(run(classpath + System.getProperty("path.separator") + folder))
                .as("output and errors of the program")
                .isEqualTo("3 2 4 8 6");
    }

    /** Negative control: without Agrona it does not compile. */
    @Test
    void shouldNoticeWhatIsMissing() throws Exception {
        assertThat(compile(placeOf(MessageLogger.class).toString())).contains("org.agrona.DirectBuffer");
    }

    /** With all lint on. */
    private String compile(String classpath) throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        SimpleJavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return PROGRAM;
                    }
                };
        List<String> options =
                List.of("-Xlint:all", "-Werror", "-proc:none", "-cp", classpath, "-d", folder.toString());
        javac.getTask(messages, null, null, options, null, List.of(source)).call();
        return messages.toString();
    }

    private String run(String classpath) throws IOException, InterruptedException {
        return ChildJvm.outputOf(
                folder.resolve("output.txt"),
                Duration.ofMinutes(1),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classpath,
                        "Program",
                        folder.toString()));
    }
}
