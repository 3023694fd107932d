package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.MessageLogger;
import io.persist.support.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is a module of its own, on the module path: there nothing resolves {@code jdk.unsupported}, and
 * an image made by {@code jlink} does not even have it.
 */
class ModulePathTest {

    private static final String MODULE = "module app { requires io.persist.core; }";

    private static final String MAIN = """
            package app;

            import io.persist.MessageLogger;
            import io.persist.log.Durability;
            import io.persist.log.LogConfig;
            import io.persist.log.read.LogCursors;
            import io.persist.log.read.Tailer;
            import java.nio.file.Path;

            public final class Main {
                public static void main(String[] args) {
                    LogConfig config = LogConfig.builder(Path.of(args[0])).segmentLength(1 << 20).build();
                    long read = 0;
                    for (int life = 0; life < 2; life++) {
                        try (MessageLogger logger = MessageLogger.open(config)) {
                            for (int i = 0; i < 3000; i++) {
                                logger.append(new byte[1000]);
                            }
                            logger.commit(Durability.SYNCED);
                        }
                    }
                    try (Tailer tailer = Tailer.open(config.directory())) {
                        while (tailer.next()) {
                            read += tailer.payloadBytes().length;
                        }
                    }
                    Tailer.open(config.directory(), "app").close();
                    LogCursors.open(config.directory()).remove("app");
                    System.out.println("read " + read + ", unsupported: "
                            + ModuleLayer.boot().findModule("jdk.unsupported").isPresent());
                }
            }
            """;

    @TempDir
    static Path scratch;

    private static String modulePath = "";

    @BeforeAll
    static void makeTheApplication() throws Exception {
        Path core = jar(scratch.resolve("core.jar"), home(MessageLogger.class), descriptor());
        String libraries = core + File.pathSeparator + home(DirectBuffer.class);
        Path classes = scratch.resolve("classes");
        assertThat(compile(MAIN, libraries, classes)).isEmpty();
        modulePath = libraries + File.pathSeparator + classes;
    }

    /** What the compiler says of the application with {@code main} in it. */
    private static String compile(String main, String libraries, Path classes) throws IOException {
        Path sources = Files.createTempDirectory(scratch, "sources");
        Path folder = Files.createDirectories(sources.resolve("app"));
        return compiler(
                "-p",
                libraries,
                "-d",
                classes,
                write(sources, "module-info.java", MODULE),
                write(folder, "Main.java", main));
    }

    private static Path write(Path directory, String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String compiler(Object... arguments) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
        ToolProvider.getSystemJavaCompiler().run(null, said, said, words);
        return said.toString(StandardCharsets.UTF_8);
    }

    /** The descriptor of the core, compiled here, since not each way to run the tests does. */
    private static Path descriptor() throws Exception {
        Path target = scratch.resolve("descriptor");
        String libraries = home(DirectBuffer.class) + File.pathSeparator + home(NullMarked.class);
        String classes = "io.persist.core=" + home(MessageLogger.class);
        Path source = Path.of("src/main/java/module-info.java");
        assertThat(compiler(
                        "-Xlint:-requires-transitive-automatic,-module",
                        "-p",
                        libraries,
                        "--patch-module",
                        classes,
                        "-d",
                        target,
                        source))
                .isEmpty();
        return target.resolve("module-info.class");
    }

    private static Path home(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Path jar(Path target, Path classes, Path descriptor) throws IOException {
        try (OutputStream out = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.putNextEntry(new ZipEntry("module-info.class"));
            jar.write(Files.readAllBytes(descriptor));
        }
        try (FileSystem inside = FileSystems.newFileSystem(URI.create("jar:" + target.toUri()), Map.of());
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("module-info.class"))
                    .toList()) {
                Path to = inside.getPath(classes.relativize(file).toString());
                if (to.getParent() != null) {
                    Files.createDirectories(to.getParent());
                }
                Files.copy(file, to);
            }
        }
        return target;
    }

    @Test
    void shouldWorkOnTheModulePath() throws Exception {
        assertThat(run()).isEqualTo("read 6000000, unsupported: false");
    }

    @Test
    void shouldNotLetAnApplicationNameWhatIsNotForUsers() throws Exception {
        String main = MAIN.replace("import java.nio", "import io.persist.log.engine.Log;\nimport java.nio");
        assertThat(compile(main, modulePath, scratch.resolve("refused")))
                .contains("package io.persist.log.engine is not visible");
    }

    @Test
    void shouldWorkWithTheUnsupportedModule() throws Exception {
        assertThat(run("--add-modules", "jdk.unsupported")).isEqualTo("read 6000000, unsupported: true");
    }

    /** As in an image that has what the core needs and nothing else; where there is no {@code jlink}, too. */
    @Test
    void shouldWorkWithTheBaseAlone() throws Exception {
        assertThat(run("--limit-modules", "java.base,jdk.jfr,io.persist.core,org.agrona"))
                .isEqualTo("read 6000000, unsupported: false");
    }

    /** In a real one, where the library is on the class path or on the module path: automatic modules are not linked. */
    @Test
    @Tag("nightly")
    void shouldWorkInAnImage() throws Exception {
        Path jlink = home("jlink");
        if (!Files.isExecutable(jlink)) {
            System.out.println("SKIPPED ModulePathTest.shouldWorkInAnImage: there is no " + jlink);
        }
        assumeTrue(Files.isExecutable(jlink), "the JDK has jlink");
        Path image = scratch.resolve("image");
        assertThat(output(
                        List.of(jlink.toString(), "--add-modules", "java.base,jdk.jfr", "--output", image.toString())))
                .isEmpty();
        String java = image.resolve("bin/java").toString();
        assertThat(output(List.of(java, "--list-modules"))).containsPattern("java.base@.*\\s+jdk.jfr@[^\\s]*$");
        assertThat(output(List.of(java, "-cp", modulePath, "app.Main", log())))
                .isEqualTo("read 6000000, unsupported: false");
        assertThat(output(List.of(java, "-p", modulePath, "-m", "app/app.Main", log())))
                .isEqualTo("read 6000000, unsupported: false");
    }

    private static Path home(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program);
    }

    private static String log() throws IOException {
        return Files.createTempDirectory(scratch, "log").toString();
    }

    private static String run(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(home("java").toString(), "-p", modulePath));
        command.addAll(1, ChildJvm.brief());
        command.addAll(List.of(options));
        command.addAll(List.of("-m", "app/app.Main", log()));
        return output(command);
    }

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.strip();
    }
}
