package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.persist.MessageLogger;
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
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.BeforeAll;
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
        Path core = jar(scratch.resolve("core.jar"), home(MessageLogger.class), moduleName());
        Path sources = Files.createDirectories(scratch.resolve("sources/app"));
        Path module = Files.writeString(sources.resolveSibling("module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
        Path classes = scratch.resolve("classes");
        String libraries = core + java.io.File.pathSeparator + home(DirectBuffer.class);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-p", libraries, "-d", classes.toString(), module.toString(), main.toString());
        assertThat(result).as("exit code of the compiler").isZero();
        modulePath = libraries + java.io.File.pathSeparator + classes;
    }

    /** The name by which applications know the core, as its manifest has it. */
    private static String moduleName() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        assertThat(pom).contains("<Automatic-Module-Name>io.persist.core</Automatic-Module-Name>");
        return "io.persist.core";
    }

    private static Path home(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Path jar(Path target, Path classes, String module) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Automatic-Module-Name", module);
        try (OutputStream out = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.finish();
        }
        try (FileSystem inside = FileSystems.newFileSystem(URI.create("jar:" + target.toUri()), Map.of());
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
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
