package io.persist.jcstress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.infra.runners.TestList;

/** Compares docs/memory-model.md with the stress tests and with the classes that need them. */
class MemoryModelDocTest {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern TEST = Pattern.compile("`(\\w+Pairs\\.\\w+)`");

    /** What orders something between threads, other than a lock. */
    private static final Pattern ORDERING = Pattern.compile(
            "\\.(set|get)(Release|Acquire|Opaque|Volatile)\\(|\\b(full|acquire|release)Fence\\(|\\.compareAndSet\\("
                    + "|\\.getAndSet\\(|\\bvolatile [\\w@ <>\\[\\]]+ \\w+\\s*[;=]");

    @Test
    void shouldNameEachTestAndNoOther() throws IOException {
        Set<String> named = TEST.matcher(document())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> existing = TestList.tests().stream()
                .map(name -> name.replaceFirst("^[a-z.]+", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(named).isEqualTo(existing).hasSizeGreaterThan(30);
    }

    @Test
    void shouldNameEachClassThatOrdersSomething() throws IOException {
        String document = document();
        List<String> classes = ordering();
        assertThat(classes).hasSizeGreaterThan(15);
        assertThat(classes).allSatisfy(name -> assertThat(document).containsPattern("`" + name + "[.`]"));
    }

    /** Negative control: what is ordered is recognised, in code and not in comments. */
    @Test
    void shouldRecogniseWhatOrders() {
        assertThat(orders("HEAD.setRelease(ends, next);")).isTrue();
        assertThat(orders("VarHandle.fullFence();")).isTrue();
        assertThat(orders("private volatile @Nullable Thread thread;")).isTrue();
        assertThat(orders("private volatile Segment[] segments = none;")).isTrue();
        assertThat(orders("closed.compareAndSet(false, true)")).isTrue();
        assertThat(orders("// a volatile store would stall; HEAD.setRelease(ends, next)"))
                .isFalse();
        assertThat(orders("int volatileCount = 1;")).isFalse();
    }

    private static List<String> ordering() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("persist-core/src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java") && orders(read(file)))
                    .map(file -> file.getFileName().toString().replace(".java", ""))
                    .sorted()
                    .toList();
        }
    }

    private static boolean orders(String source) {
        String code = source.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//.*", "");
        return ORDERING.matcher(code).find();
    }

    private static String document() throws IOException {
        return Files.readString(ROOT.resolve("docs/memory-model.md"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
