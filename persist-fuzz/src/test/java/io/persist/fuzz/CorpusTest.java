package io.persist.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every input that is kept, without the fuzzer and so on every platform: what was found once is not there again.
 * {@code -Dinput=FILE} tries one input, such as one that the fuzzer has found.
 */
class CorpusTest {

    private static final Path CORPUS = ImagesTest.RESOURCES.resolve("corpus");
    private static final long MAX_BYTES = 500 << 10;

    /** So long takes only what has no end. */
    private static final Duration NO_END = Duration.ofSeconds(30);

    private static List<Path> inputs() throws IOException {
        String given = System.getProperty("input");
        if (given != null) {
            Path here = Path.of(given);
            return List.of(Files.exists(here) ? here : Path.of("..").resolve(given));
        }
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.filter(file -> file.toString().endsWith(".bin"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldStandEveryInput() throws IOException {
        Map<Target, Integer> counts = new EnumMap<>(Target.class);
        for (Path file : inputs()) {
            byte[] input = Files.readAllBytes(file);
            try {
                counts.merge(assertTimeoutPreemptively(NO_END, () -> Target.run(input)), 1, Integer::sum);
            } catch (Throwable failure) {
                throw new AssertionError(file + " " + FuzzInput.of(input) + ": " + failure, failure);
            }
        }
        assertThat(counts).isNotEmpty();
        System.out.println("CorpusTest: inputs tried " + counts);
    }

    @Test
    void shouldBeSmall() throws IOException {
        try (Stream<Path> files = Files.walk(ImagesTest.RESOURCES)) {
            long bytes = files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
            assertThat(bytes).isBetween(1L, MAX_BYTES);
        }
    }

    /** Negative control: the check of what a library must not do does fail. */
    @Test
    void shouldNoticeWhatMustNotBe() {
        Disk disk = new Disk(Images.copy("messages-closed"), Settings.PLAIN);
        disk.storage().replace("control", new byte[4096]);
        assertThat(failure(() -> disk.checkUnchanged("nobody"))).hasMessageContaining("nobody changed control at 0");
        assertThat(failure(() -> Memory.check(CorpusTest::allocateMuch))).hasMessageContaining("allocate");
        Reading none = new Reading(List.of("64:1:5/0"), "");
        assertThat(failure(() -> none.checkLiesIn(new java.util.TreeMap<>()))).hasMessageContaining("no such record");
        assertThat(failure(() -> none.checkAgrees(new Reading(List.of("64:2:5/0"), ""))))
                .hasMessageContaining("differ");
        assertThat(failure(() -> Use.attempt(() -> List.of().get(0)))).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void allocateMuch() {
        long sum = 0;
        while (sum <= Memory.MAX_BYTES) {
            sum += new byte[1 << 20].length;
        }
    }

    private static Throwable failure(Runnable check) {
        try {
            check.run();
            return new IllegalStateException("nothing was noticed");
        } catch (Throwable failure) {
            return failure;
        }
    }
}
