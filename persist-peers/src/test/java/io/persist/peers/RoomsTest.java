package io.persist.peers;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rooms of this module and of the benchmarks that it runs beside: no circle of them, and none is a heap. */
class RoomsTest {

    private static final int MOST_IN_A_ROOM = 16;

    /** Without what JMH's processor makes of benchmarks. */
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("jmh_generated"))
            .importPackages("io.persist.peers", "io.persist.jmh");

    @Test
    void shouldHaveNoCycles() {
        slices().matching("io.persist.(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void shouldHaveRoomsOfAFewFiles() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(type -> type.getPackageName(), Collectors.counting())))
                .hasSizeGreaterThan(20)
                .allSatisfy((name, files) -> assertThat(files).as(name).isLessThanOrEqualTo(MOST_IN_A_ROOM));
    }
}
