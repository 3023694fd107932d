package io.persist.shard;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Arrows between the rooms of the module point down only, and what decides knows no file and no clock. */
class ShardArchitectureTest {

    private static final String ROOT = "io.persist.shard";

    /** From the bottom up; each may use all that come before it. */
    private static final List<String> LAYERS = List.of(
            ".error",
            ".thread",
            ".bytes",
            ".model",
            ".location",
            ".location.mem",
            ".location.file",
            ".location.journal",
            ".state",
            ".batch",
            ".machine",
            ".upkeep",
            "");

    private static final int MOST_IN_A_ROOM = 16;

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> location.contains(ShardClient.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .getPath()))
            .importPackages(ROOT);

    @Test
    void shouldPointDownOnly() {
        LayeredArchitecture layers = layeredArchitecture().consideringOnlyDependenciesInAnyPackage(ROOT + "..");
        for (String layer : LAYERS) {
            layers = layers.layer("room" + layer).definedBy(ROOT + layer);
        }
        for (int i = 0; i < LAYERS.size(); i++) {
            List<String> above = new ArrayList<>();
            LAYERS.subList(i + 1, LAYERS.size()).forEach(layer -> above.add("room" + layer));
            layers = above.isEmpty()
                    ? layers.whereLayer("room" + LAYERS.get(i)).mayNotBeAccessedByAnyLayer()
                    : layers.whereLayer("room" + LAYERS.get(i)).mayOnlyBeAccessedByLayers(above.toArray(String[]::new));
        }
        layers.check(MAIN);
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void shouldHaveRoomsOfAFewFiles() {
        Map<String, Long> files = MAIN.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(files.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        LAYERS.stream().map(layer -> ROOT + layer).toList());
        files.forEach((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(MOST_IN_A_ROOM + 1));
    }

    /** Transitions are functions of their arguments. */
    @Test
    void shouldDecideWithoutFilesClocksAndThreads() {
        List<String> used = MAIN.stream()
                .filter(type -> type.getPackageName().equals(ROOT + ".state"))
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getName())
                .filter(name -> name.startsWith("java.io.")
                        || name.startsWith("java.nio.file")
                        || name.startsWith("java.time.")
                        || name.startsWith("java.util.concurrent.")
                        || name.equals("java.util.Random")
                        || name.equals("java.util.UUID")
                        || name.equals("java.lang.System")
                        || name.equals("java.lang.Thread"))
                .distinct()
                .toList();
        assertThat(used).isEmpty();
        assertThat(MAIN).isNotEmpty();
    }
}
