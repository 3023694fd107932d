package io.persist.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.persist.support.Layers;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Arrows between the packages of the programs point down only, and no package is a heap. */
class ArchitectureTest {

    private static final String ROOT = "io.persist.bench";

    /** The programs of the Rumi suite, by their names. */
    private static final String RUMI = "com.neeve.perf.persist";

    /** From the bottom up; each may use all that come before it. */
    private static final List<String> LAYERS = List.of(
            ROOT + ".result",
            ROOT + ".report",
            ROOT + ".host",
            ROOT + ".doctor.machine",
            ROOT + ".doctor.disk",
            ROOT + ".doctor.diagnosis",
            ROOT + ".doctor",
            ROOT + ".latency",
            ROOT + ".record",
            ROOT + ".load",
            ROOT + ".measure",
            ROOT + ".flags",
            ROOT + ".rows.promise",
            ROOT + ".rows",
            ROOT + ".device.engine",
            ROOT + ".device.access",
            ROOT + ".device",
            ROOT + ".subject",
            ROOT + ".cache",
            ROOT,
            RUMI);

    private static final int MAX_FILES = 15;

    /** This module's own classes, wherever they lie. */
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> location.contains(mainClasses()))
            .importPackages(ROOT, RUMI);

    private static String mainClasses() {
        return Main.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    @Test
    void shouldPointDownOnly() {
        layers(LAYERS).check(MAIN);
    }

    @Test
    void shouldHaveNoOtherPackages() {
        classes().should().resideInAnyPackage(LAYERS.toArray(String[]::new)).check(MAIN);
    }

    @Test
    void shouldHaveFewFilesInEachPackage() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(type -> type.getPackageName(), Collectors.counting())))
                .hasSize(LAYERS.size())
                .allSatisfy((name, files) -> assertThat(files).as(name).isLessThanOrEqualTo(MAX_FILES));
    }

    /** Negative control: the rule does fail. */
    @Test
    void shouldNoticeAnArrowThatPointsUp() {
        ArchRule wrong = layers(List.of(ROOT + ".load", ROOT + ".latency"));
        assertThat(wrong.evaluate(MAIN).getFailureReport().getDetails()).anyMatch(line -> line.contains("WriteLoop"));
    }

    private static LayeredArchitecture layers(List<String> fromTheBottom) {
        return Layers.add(layeredArchitecture().consideringOnlyDependenciesInLayers(), fromTheBottom);
    }
}
