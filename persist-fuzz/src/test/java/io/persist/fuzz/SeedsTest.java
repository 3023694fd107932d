package io.persist.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the fuzzer begins with: each image for each target, unchanged. {@code -Drewrite=true} writes the files. */
class SeedsTest {

    private static final Path CORPUS = ImagesTest.RESOURCES.resolve("corpus");

    /** Edits that do nothing yet: the fuzzer makes inputs about as long as those that it has. */
    private static final int IDLE_EDITS = 11;

    private static SortedMap<String, byte[]> seeds() {
        SortedMap<String, byte[]> seeds = new TreeMap<>();
        for (Target target : Target.values()) {
            for (int image = 0; image < target.images().size(); image++) {
                int settings = 5 * (target.ordinal() + image);
                byte[] seed = new byte[FuzzInput.HEADER_LENGTH + IDLE_EDITS * Edit.LENGTH];
                Arrays.fill(seed, (byte) Edit.Verb.NOTHING.ordinal());
                for (int edit = 0; target == Target.MISUSE && edit < IDLE_EDITS; edit++) {
                    seed[FuzzInput.HEADER_LENGTH + edit * Edit.LENGTH] = (byte) edit; // each step
                }
                seed[0] = (byte) target.ordinal();
                seed[1] = (byte) image;
                seed[2] = (byte) settings;
                seed[3] = (byte) Mending.ALL;
                String name = "seed-" + target.name().toLowerCase(Locale.ROOT) + "-" + image + ".bin";
                seeds.put(name, seed);
            }
        }
        return seeds;
    }

    @Test
    void shouldBeThere() throws IOException {
        for (String name : seeds().keySet()) {
            Path file = CORPUS.resolve(name);
            if (Boolean.getBoolean("rewrite")) {
                Files.write(file, seeds().get(name));
            }
            assertThat(file).hasBinaryContent(seeds().get(name));
        }
    }

    /** What nothing was changed of is good: an oracle that refuses everything would find nothing. */
    @Test
    void shouldTakeWhatIsUnchanged() {
        for (byte[] seed : seeds().values()) {
            FuzzInput input = FuzzInput.of(seed);
            SortedMap<String, byte[]> mended = input.files();
            if (!input.settings().isZip() && !input.image().endsWith("killed")) { // whose control block never was
                Disk.checkSame(Images.copy(input.image()), mended, "mending what is whole");
            }
            assertThat(Target.run(seed)).isEqualTo(input.target());
        }
    }

    @Test
    void shouldHaveRecordsInEachLog() {
        for (String image : Target.READING.images()) {
            Disk disk = new Disk(Images.copy(image), Settings.PLAIN);
            Reading reading = Reading.of(disk.storage(), Settings.PLAIN.all());
            assertThat(reading.records()).as(image).hasSizeGreaterThan(20);
            assertThat(reading.ending()).as(image).isEmpty();
        }
    }
}
