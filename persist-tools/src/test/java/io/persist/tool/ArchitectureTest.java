package io.persist.tool;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import io.persist.support.Layers;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Arrows between the packages of the tools point down only, and they touch the files of logs by the core alone. */
class ArchitectureTest {

    private static final String ROOT = "io.persist.";

    private static final List<String> TOOLS = List.of(
            ROOT + "archive.source",
            ROOT + "archive",
            ROOT + "backup.held",
            ROOT + "backup.kept",
            ROOT + "backup",
            ROOT + "tool.text",
            ROOT + "tool",
            ROOT + "tool.salvage",
            ROOT + "tool.select",
            ROOT + "tool.print",
            ROOT + "tool.read",
            ROOT + "tool.stats",
            ROOT + "tool.store",
            ROOT + "tool.repair",
            ROOT + "tool.copy");

    private static final List<String> COMMAND_LINES = List.of(
            ROOT + "command",
            ROOT + "command.launch",
            ROOT + "tool.verb.flags",
            ROOT + "tool.verb.store",
            ROOT + "tool.verb");

    /** From the bottom up; each may use all that come before it. */
    private static final List<String> LAYERS =
            Stream.of(TOOLS, COMMAND_LINES).flatMap(List::stream).toList();

    private static final int MAX_FILES = 15;

    /** This module's own classes, wherever they lie. */
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> location.contains(mainClasses()))
            .importPackages("io.persist");

    private static String mainClasses() {
        return ToolRunner.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
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
    void shouldHaveFewFilesInEachRoom() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                        .collect(Collectors.groupingBy(type -> type.getPackageName(), Collectors.counting())))
                .hasSize(LAYERS.size())
                .allSatisfy((name, files) -> assertThat(files).as(name).isLessThanOrEqualTo(MAX_FILES));
    }

    /** They get the streams of their caller. */
    @Test
    void shouldNotPrintOrExitBelowTheCommandLines() {
        silent(TOOLS).check(MAIN);
    }

    @Test
    void shouldTouchTheFilesOfLogsByTheCoreAlone() {
        noFiles(TOOLS).check(MAIN);
    }

    @Test
    void shouldHaveNoBooleanParameterInWhatIsPublic() {
        methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should(haveNoBooleanParameter())
                .check(MAIN);
    }

    /** Negative control: the rules do fail. */
    @Test
    void shouldNoticeWhatIsWrong() {
        assertThat(violations(layers(List.of(ROOT + "tool.verb", ROOT + "tool.read"))))
                .anyMatch(line -> line.contains("DumpCommand"));
        assertThat(violations(silent(COMMAND_LINES))).anyMatch(line -> line.contains("Commands.end"));
        assertThat(violations(noFiles(COMMAND_LINES))).anyMatch(line -> line.contains("OutputReader"));
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(MAIN).getFailureReport().getDetails();
    }

    private static LayeredArchitecture layers(List<String> fromTheBottom) {
        return Layers.add(layeredArchitecture().consideringOnlyDependenciesInLayers(), fromTheBottom);
    }

    private static ArchRule silent(List<String> packages) {
        return noClasses()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class);
    }

    private static ArchRule noFiles(List<String> packages) {
        DescribedPredicate<JavaClass> fileApi = describe(
                "touch files",
                type -> type.getPackageName().startsWith("java.nio.channels")
                        || type.isEquivalentTo(File.class)
                        || type.getName().matches("java\\.io\\.(RandomAccess|File)(File|.*Stream|Reader|Writer)")
                        || type.getPackageName().startsWith("java.nio.file")
                                && !type.isEquivalentTo(Path.class)
                                && !type.isAssignableTo(Throwable.class));
        return noClasses()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should()
                .dependOnClassesThat(fileApi);
    }

    private static ArchCondition<JavaMethod> haveNoBooleanParameter() {
        return new ArchCondition<>("have no boolean parameter") {

            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                if (method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(boolean.class))) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName()));
                }
            }
        };
    }
}
