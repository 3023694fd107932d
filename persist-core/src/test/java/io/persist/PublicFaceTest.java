package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import io.persist.support.FaceContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packages that the module exports are for users. */
class PublicFaceTest extends FaceContract {

    private static final String MODULE = "persist-core/src/main/java/module-info.java";

    /** Users have no way to one, or no use for it. */
    private static final Set<String> NOT_FOR_USERS = Set.of(
            "io.persist.error.Limits",
            "io.persist.file.Closing",
            "io.persist.file.FileAction",
            "io.persist.file.ForwardingStorage",
            "io.persist.file.OneFile",
            "io.persist.file.Opening",
            "io.persist.file.PartialStorage",
            "io.persist.log.LogContent#code()",
            "io.persist.log.LogContent#isKnown(int)",
            "io.persist.log.LogContent#logger()",
            "io.persist.log.LogContent#of(int)",
            "io.persist.log.LogContent#reader()",
            "io.persist.log.read.PositionSync",
            "io.persist.log.read.TailerOpener",
            "io.persist.monitor.Counter#offset()",
            "io.persist.monitor.Counter#owner()",
            "io.persist.monitor.Counter$Owner",
            "io.persist.monitor.LogStatistics#of(java.util.function.ToLongFunction)",
            "io.persist.store.read.ChangeReaders",
            "io.persist.store.read.Snapshots",
            "io.persist.store.transaction.SingleOperations",
            "io.persist.store.transaction.StoreThread");

    PublicFaceTest() {
        super("persist-core", "persist-core/src/test/resources/face/public-types.txt");
    }

    @Override
    protected Set<String> packages() {
        return Set.copyOf(exported());
    }

    @Override
    protected Set<String> notForUsers() {
        return NOT_FOR_USERS;
    }

    @Test
    void shouldExportTheFaceAlone() {
        assertThat(super.packages()).containsExactlyInAnyOrderElementsOf(exported());
    }

    /** Where all of them are on the module path, each uses packages that are exported, or exported to it. */
    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka", "micrometer", "shard", "tools"})
    void shouldBeEnoughForTheOtherLibraries(String library) throws IOException {
        String module = Docs.read(MODULE).replaceAll("\\s+", " ");
        List<String> own = matches("exports ([\\w.]+) to [^;]*io\\.persist\\." + library + "[,;]", module);
        Path sources = Docs.root().resolve("persist-" + library + "/src/main/java");
        TreeSet<String> others = new TreeSet<>();
        TreeSet<String> inside = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                inside.add(sources.relativize(file.getParent()).toString().replace('/', '.'));
                others.addAll(matches(
                        "(?m)^import (?:static )?(io\\.persist(?:\\.[a-z]+)*)\\.[A-Z]", Files.readString(file)));
            }
        }
        others.removeIf(name -> inside.contains(name) || own.contains(name));
        assertThat(exported()).containsAll(others);
    }

    /** The comparison with a release looks at the same. */
    @Test
    void shouldCompareWithAReleaseWhatIsExported() {
        String pom = Docs.read("persist-core/pom.xml");
        String profile = pom.substring(pom.indexOf("<id>api</id>"));
        assertThat(matches("<include>(io[\\w.]+)</include>", profile)).isEqualTo(exported());
        assertThat(matches("<exclude>(io.+)</exclude>", profile)).containsExactlyInAnyOrderElementsOf(NOT_FOR_USERS);
    }

    private static List<String> exported() {
        return matches("exports ([\\w.]+);", Docs.read(MODULE));
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
