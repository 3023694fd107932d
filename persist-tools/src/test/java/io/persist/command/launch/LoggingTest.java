package io.persist.command.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.support.ChildJvm;
import io.persist.support.HeardNotices;
import io.persist.tool.verb.ToolsMain;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Persist tells the logging: an application with the tools hears it, and a program prints its own lines alone. */
class LoggingTest {

    private static final String SAID = "writer was killed";

    @TempDir
    Path directory;

    /** An application whose class path has the tools. */
    static final class Application {

        private Application() {}

        public static void main(String[] args) {
            StoreLogger.open(config(Path.of(args[0]))).close();
        }
    }

    private static StoreConfig config(Path directory) {
        LogConfig log = LogConfig.builder(directory).segmentLength(1 << 20).build();
        return StoreConfig.builder(log).build();
    }

    /** A store as its writer leaves it that is killed. */
    @BeforeEach
    void leaveAStore() throws IOException {
        Path written = directory.resolve("written");
        try (StoreLogger store = StoreLogger.open(config(written))) {
            store.put("key".getBytes(StandardCharsets.UTF_8), "value".getBytes(StandardCharsets.UTF_8));
            Path left = Files.createDirectory(directory.resolve("left"));
            try (Stream<Path> files = Files.list(written)) {
                for (Path file : files.toList()) {
                    Files.copy(file, left.resolve(file.getFileName()));
                }
            }
        }
    }

    /** What a JVM prints whose logging is the JDK's. */
    private String outputOf(Class<?> main, Object... arguments) throws IOException, InterruptedException {
        List<String> command = ChildJvm.briefly(main, arguments);
        command.replaceAll(part -> part.contains(File.pathSeparator) ? withoutTestLogging(part) : part);
        return ChildJvm.outputOf(directory.resolve("out"), Duration.ofMinutes(2), command);
    }

    private static String withoutTestLogging(String classPath) {
        String place = HeardNotices.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).equals(Path.of(place)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void shouldLeaveTheLoggingToTheApplication() throws Exception {
        assertThat(outputOf(Application.class, directory.resolve("left"))).contains("INFO: log ", SAID);
    }

    @Test
    void shouldKeepTheLinesOfAProgramFreeOfIt() throws Exception {
        assertThat(outputOf(ToolsMain.class, "store", "compact", directory.resolve("left")))
                .contains("ended without closing the log", "gave back ")
                .doesNotContain("INFO", SAID);
    }
}
