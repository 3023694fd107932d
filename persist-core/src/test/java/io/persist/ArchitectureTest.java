package io.persist;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess.AccessType;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.persist.log.LogConfig;
import io.persist.log.space.Headroom;
import io.persist.log.sync.LogPositions;
import io.persist.log.write.Appender;
import io.persist.log.write.AppenderGate;
import io.persist.log.write.Commits;
import io.persist.log.write.WriteWindow;
import io.persist.memory.ReusedBuffer;
import io.persist.support.Layers;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Arrows between the packages point down only, and files are touched in one of them. */
class ArchitectureTest {

    private static final String ROOT = "io.persist";

    /** From the bottom up; each may use all that come before it. */
    private static final List<String> LAYERS = List.of(
            "event",
            "error",
            "memory",
            "codec",
            "monitor",
            "file",
            "log",
            "format",
            "format.control",
            "format.checkpoint",
            "file.disk",
            "index.node",
            "index.memory",
            "index.read",
            "index",
            "cursor",
            "log.thread",
            "log.control",
            "log.segment",
            "log.recovery",
            "log.read.window",
            "log.read.visible",
            "log.read",
            "log.sync",
            "log.space",
            "log.write",
            "log.retention",
            "log.engine",
            "detached",
            "packet",
            "store",
            "store.layer",
            "store.staged",
            "store.state",
            "store.value",
            "store.core",
            "store.read",
            "store.transaction",
            "store.checkpoint",
            "store.upkeep",
            "store.engine",
            "");

    /** Files of one room, which a newcomer reads in one go. */
    private static final int MOST_IN_A_ROOM = 15;

    /** Types of the log that users name: short, and each to be read when it is needed. */
    private static final int MOST_IN_THE_FACE = 20;

    /** They have the lock of {@code LogConfig.guardedBy}, which is the application's. */
    private static final List<String> GIVEN_A_LOCK =
            List.of(LogConfig.class.getName(), ROOT + ".log.engine.LogOpener", Commits.class.getName());

    private static final Set<Class<?>> FILE_CLASSES = Set.of(
            File.class,
            RandomAccessFile.class,
            FileInputStream.class,
            FileOutputStream.class,
            FileReader.class,
            FileWriter.class);

    /** This module's own classes, wherever they lie, and not those of its tests or of other modules. */
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(location -> location.contains(mainClasses()))
            .importPackages(ROOT);

    private static String mainClasses() {
        return MessageLogger.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
    }

    /** Published for the tests of users, who have nothing of this module's tests. */
    private static final String TESTKIT = ROOT + ".testkit";

    private static final JavaClasses TESTKIT_CLASSES = new ClassFileImporter().importPackages(TESTKIT);

    @Test
    void shouldPointDownOnly() {
        layers(LAYERS).check(MAIN);
    }

    @Test
    void shouldHaveNoOtherPackages() {
        classes()
                .should()
                .resideInAnyPackage(
                        LAYERS.stream().map(ArchitectureTest::packageOf).toArray(String[]::new))
                .check(MAIN);
    }

    /** A room is one that can be kept in mind. */
    @Test
    void shouldHaveRoomsOfAFewFiles() {
        assertThat(crowded(MOST_IN_A_ROOM)).isEmpty();
        assertThat(files("log")).isLessThanOrEqualTo(MOST_IN_THE_FACE);
    }

    private static List<String> crowded(int most) {
        return LAYERS.stream()
                .filter(layer -> !layer.equals("log") && files(layer) > most)
                .toList();
    }

    private static long files(String layer) {
        return MAIN.stream()
                .filter(type -> type.getPackageName().equals(packageOf(layer)))
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .count();
    }

    @Test
    void shouldHaveNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void shouldHaveNoCircleOfClassesInTheIndex() {
        slices().assignedFrom(topLevelClassesOf("index"))
                .should()
                .beFreeOfCycles()
                .check(MAIN);
    }

    /** Each top-level class of a layer, and of those below its name, is a slice. */
    private static SliceAssignment topLevelClassesOf(String layer) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String name = type.getName().replaceFirst("\\$.*", "");
                return name.startsWith(packageOf(layer) + ".") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "top-level classes of " + layer;
            }
        };
    }

    @Test
    void shouldTouchFilesInOnePackage() {
        filesOnlyIn("file.disk").check(MAIN);
    }

    /** A thread that closes a log waits until others have left the appender, and not its gate: see CallingThread. */
    @Test
    void shouldTouchNothingMappedInTheGateWithoutTheAppender() {
        List<String> calls = MAIN.get(AppenderGate.class).getMethods().stream()
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(method -> method.getMethodCallsFromSelf().stream())
                .filter(call -> call.getTargetOwner().isEquivalentTo(LogPositions.class))
                .map(call -> call.getName())
                .toList();
        assertThat(calls).contains("checkNotClosing").doesNotContain("checkWritable", "checkHeld");
    }

    /** A thread that is seen there is in another log, unless this one says that it is in its own: see AppenderStack. */
    @Test
    void shouldWaitInTheAppenderOnlyWhileTheLogSaysSo() {
        Set<JavaCodeUnit> waiting = calls(MAIN.get(WriteWindow.class), MAIN.get(Headroom.class))
                .map(JavaMethodCall::getOrigin)
                .filter(origin -> !origin.isConstructor())
                .collect(Collectors.toSet());
        assertThat(waiting)
                .extracting(JavaCodeUnit::getName)
                .contains("flush", "syncWithin", "makeSpace", "roll", "refresh");
        String place = Appender.class.getSuperclass().getName();
        assertThat(waiting).allMatch(method -> method.getOwner().isAssignableTo(place)); // they are guarded
        assertThat(waiting).allMatch(ArchitectureTest::isWithin);
    }

    /** The calls of their methods by other classes. */
    private static Stream<JavaMethodCall> calls(JavaClass... targets) {
        return Stream.of(targets)
                .flatMap(target -> target.getMethodCallsToSelf().stream())
                .filter(call -> !call.getOriginOwner()
                        .isAssignableTo(call.getTargetOwner().getName()));
    }

    private static boolean isWithin(JavaCodeUnit method) {
        boolean begins = method.getFieldAccesses().stream()
                .anyMatch(access -> access.getName().equals("within") && access.getAccessType() == AccessType.SET);
        return begins
                || !method.getCallsOfSelf().isEmpty()
                        && method.getCallsOfSelf().stream()
                                .map(JavaCall::getOrigin)
                                .allMatch(caller -> caller.isConstructor() || isWithin(caller));
    }

    /** They stay locked if an error comes in the middle of them: see Turn. The application's lock is the exception. */
    @Test
    void shouldHaveNoLockOfTheJdk() {
        locksIn(GIVEN_A_LOCK).check(MAIN);
    }

    @Test
    void shouldNotPrintOrExit() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(MAIN);
    }

    /** A class whose initializer has failed once cannot be used any more as long as the process lives. */
    @Test
    void shouldNeedNothingThatMayBeUsedUpInAStaticInitializer() {
        assertThat(MAIN.stream()
                        .flatMap(type -> type.getStaticInitializer().stream())
                        .flatMap(initializer -> initializer.getCallsFromSelf().stream())
                        .filter(ArchitectureTest::needsDirectMemoryOrThreadsOrFiles)
                        .map(JavaCall::getDescription))
                .isEmpty();
    }

    private static boolean needsDirectMemoryOrThreadsOrFiles(JavaCall<?> call) {
        return call.getName().equals("allocateDirect")
                || call.getTargetOwner().isEquivalentTo(ReusedBuffer.class)
                || Stream.of(Thread.class, Cleaner.class, Executors.class, Files.class, FileChannel.class)
                        .anyMatch(type -> call.getTargetOwner().isAssignableTo(type));
    }

    @Test
    void shouldNeedNothingElseForTheTestkitThanTheStorageItStandsFor() {
        testkitNeedsOnly("java..", "org.jspecify..", TESTKIT, packageOf("file")).check(TESTKIT_CLASSES);
        filesOnlyIn("file.disk").check(TESTKIT_CLASSES);
    }

    @Test
    void shouldNotPrintInTheTestkit() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(TESTKIT_CLASSES);
    }

    private static ArchRule testkitNeedsOnly(String... packages) {
        return classes().should().onlyDependOnClassesThat().resideInAnyPackage(packages);
    }

    /** A JVM runs this code most in its first seconds, before C2 has compiled it, and a VarHandle takes twice the time. */
    @Test
    void shouldReadNodesWithoutVarHandles() {
        noClasses()
                .that()
                .haveNameMatching("io\\.persist\\.index\\.node\\.Node(Header)?")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(VarHandle.class)
                .check(new ClassFileImporter().importPackages(ROOT + ".index.node"));
    }

    /** Negative control: the rules do fail. */
    @Test
    void shouldNoticeAWrongLayering() {
        assertThat(testkitNeedsOnly("java..", "org.jspecify..", TESTKIT)
                        .evaluate(TESTKIT_CLASSES)
                        .getFailureReport()
                        .getDetails())
                .anyMatch(line -> line.contains("io.persist.file.Storage"));
        assertThat(violations(layers(List.of("file", "format", "error", "log", ""))))
                .anyMatch(line -> line.contains("io.persist.format.SegmentHeader"));
        assertThat(violations(slices().assignedFrom(topLevelClassesOf("store.read"))
                        .should()
                        .beFreeOfCycles()))
                .anyMatch(line -> line.contains("StoreSnapshot") && line.contains("StoreScan"));
        assertThat(violations(layers(List.of("log", "log.sync", "log.segment"))))
                .as("rooms the wrong way round")
                .anyMatch(line -> line.contains("io.persist.log.segment.Segment"));
        assertThat(crowded(MOST_IN_A_ROOM - 2)).contains("log.recovery");
        assertThat(violations(locksIn(List.of()))).anyMatch(line -> line.contains("io.persist.log.engine.LogOpener"));
        assertThat(violations(filesOnlyIn("format"))).anyMatch(line -> line.contains("io.persist.file.disk.DiskFile"));
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(MAIN).getFailureReport().getDetails();
    }

    private static String packageOf(String layer) {
        return layer.isEmpty() ? ROOT : ROOT + "." + layer;
    }

    private static LayeredArchitecture layers(List<String> fromTheBottom) {
        return Layers.add(
                layeredArchitecture().consideringOnlyDependenciesInLayers().withOptionalLayers(true),
                fromTheBottom.stream().map(ArchitectureTest::packageOf).toList());
    }

    private static ArchRule locksIn(List<String> classes) {
        return noClasses()
                .that(describe("are given no lock", type -> classes.stream().noneMatch(type.getName()::startsWith)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Lock.class);
    }

    private static ArchRule filesOnlyIn(String layer) {
        DescribedPredicate<JavaClass> fileApi = describe(
                "touch files",
                type -> type.getPackageName().startsWith("java.nio.channels")
                        || FILE_CLASSES.stream().anyMatch(type::isEquivalentTo)
                        || type.getPackageName().startsWith("java.nio.file")
                                && !type.isEquivalentTo(Path.class)
                                && !type.isAssignableTo(Throwable.class));
        return noClasses()
                .that()
                .resideOutsideOfPackage(packageOf(layer))
                .should()
                .dependOnClassesThat(fileApi);
    }
}
