package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Keeps the sources of all modules, and of the kit for tests, small and plain: what a reader of them may count on. */
class TidyTest {

    private static final int MAX_FILE_LINES = 320;
    private static final int MAX_METHOD_LINES = 70;
    private static final int MAX_COLUMNS = 120;
    private static final Pattern LATER = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");
    /** javac of JDK 23 and later warns of it. */
    private static final Pattern LOST_JAVADOC = Pattern.compile("\\*/\\s*/\\*\\*");

    private static final Pattern VAGUE_NAME = Pattern.compile(".*(Util|Utils|Helper|Manager|Impl)");
    private static final Set<String> MODULES = Set.of(
            "persist-core",
            "persist-chronicle",
            "persist-micrometer",
            "persist-kafka",
            "persist-shard",
            "persist-shard-postgres",
            "persist-shard-s3",
            "persist-tools",
            "persist-bench",
            "persist-jmh",
            "persist-jcstress",
            "persist-peers",
            "persist-memcached",
            "persist-kafka-bench",
            "persist-shard-bench");

    /** Names the logging of a JVM that has it in its class path. */
    private static final String LOGGING = "META-INF/services/java.lang.System$LoggerFinder";

    /** Published too, though it is compiled with the tests. */
    private static final String TESTKIT = "persist-core/src/test/java/io/persist/testkit";

    private record Source(String path, String text) {

        List<String> lines() {
            return text.lines().toList();
        }
    }

    @Test
    void shouldKeepFilesAndLinesShort() throws IOException {
        assertThat(sources().stream().flatMap(source -> tooLong(source).stream()))
                .isEmpty();
    }

    @Test
    void shouldLeaveNothingForLater() throws IOException {
        assertThat(sources().stream().flatMap(source -> leftForLater(source).stream()))
                .isEmpty();
    }

    @Test
    void shouldKeepMethodsShortNamesPlainAndOutputWhereItBelongs() throws IOException {
        assertThat(untidy(sources())).isEmpty();
    }

    /** Whatever has the jar in its class path would lose its own logging, or all of it. */
    @Test
    void shouldLeaveTheLoggingOfTheJvmToTheApplication() {
        assertThat(MODULES)
                .allSatisfy(module -> assertThat(root().resolve(module + "/src/main/resources/" + LOGGING))
                        .doesNotExist());
        assertThat(root().resolve("persist-core/src/test/resources/" + LOGGING)).exists(); // so the name is right
    }

    @Test
    void shouldHaveNoBooleanParameterInThePublicApi() {
        JavaClasses main = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.persist");
        JavaClasses testkit = new ClassFileImporter().importPackages("io.persist.testkit");
        List<String> found = Stream.concat(main.stream(), testkit.stream())
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method -> method.getRawParameterTypes().stream()
                        .anyMatch(parameter -> parameter.isEquivalentTo(boolean.class)))
                .map(JavaMethod::getFullName)
                .toList();
        assertThat(main).isNotEmpty();
        assertThat(testkit).isNotEmpty();
        assertThat(found).isEmpty();
    }

    /** Negative control: untidy sources are found. */
    @Test
    void shouldNoticeWhatIsUntidy() throws IOException {
        String longMethod = "void m() {\n" + "  int i;\n".repeat(MAX_METHOD_LINES - 1) + "}\n";
        Source untidy = new Source(
                "persist-core/src/main/java/io/persist/log/CacheManager.java",
                "class CacheManager {\n" + longMethod + "void p() { System.out.println(); }\n"
                        + "// TODO\n/** One. */\n /** Two. */\n" + "x".repeat(MAX_COLUMNS + 1) + " n;\n}\n"
                        + "\n".repeat(MAX_FILE_LINES));
        assertThat(tooLong(untidy)).hasSize(2);
        assertThat(leftForLater(untidy)).hasSize(2);
        assertThat(untidy(List.of(untidy))).hasSize(3);

        Source tidy = new Source(
                "persist-tools/src/main/java/io/persist/tool/Tidy.java",
                "class Tidy {\n" + longMethod.replaceFirst("  int i;\n", "")
                        + "void p() { System.out.println(); }\n}\n");
        assertThat(tooLong(tidy)).isEmpty();
        assertThat(leftForLater(tidy)).isEmpty();
        assertThat(untidy(List.of(tidy))).isEmpty();
    }

    private static List<String> tooLong(Source source) {
        List<String> found = new ArrayList<>();
        List<String> lines = source.lines();
        if (lines.size() > MAX_FILE_LINES) {
            found.add(source.path + ": " + lines.size() + " lines");
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > MAX_COLUMNS) {
                found.add(source.path + ":" + (i + 1) + ": " + lines.get(i).length() + " columns");
            }
        }
        return found;
    }

    private static List<String> leftForLater(Source source) {
        Stream<String> later = source.lines().stream()
                .filter(line -> LATER.matcher(line).find())
                .map(line -> source.path + ": " + line.strip());
        Stream<String> lost = LOST_JAVADOC
                .matcher(source.text)
                .results()
                .map(found -> source.path + ": a Javadoc that another one follows, at " + found.start());
        return Stream.concat(later, lost).toList();
    }

    /** Long methods, vague class names, and output from where none may come. */
    private static List<String> untidy(List<Source> sources) throws IOException {
        List<String> found = new ArrayList<>();
        List<ParsedFile> files = sources.stream().map(ParsedFile::new).toList();
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, ignored -> {}, null, null, files);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        for (CompilationUnitTree unit : task.parse()) {
            unit.accept(new UntidyTrees(unit, positions, found), null);
        }
        return found;
    }

    private static final class UntidyTrees extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> found;
        private final String path;

        UntidyTrees(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
            this.path = unit.getSourceFile().getName();
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (VAGUE_NAME.matcher(type.getSimpleName()).matches()) {
                found.add(path + ": class " + type.getSimpleName());
            }
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            long lines =
                    line(positions.getEndPosition(unit, method)) - line(positions.getStartPosition(unit, method)) + 1;
            if (lines > MAX_METHOD_LINES) {
                found.add(path + ": method " + method.getName() + " has " + lines + " lines");
            }
            return super.visitMethod(method, nothing);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
            String text = tree.toString();
            boolean mayPrint = path.contains("persist-bench/")
                    || path.contains("persist-jmh/")
                    || path.contains("persist-memcached/")
                    || path.contains("persist-peers/")
                    || path.contains("persist-kafka-bench/")
                    || path.contains("persist-tools/");
            if (!mayPrint && (text.equals("System.out") || text.equals("System.err"))) {
                found.add(path + ":" + line(positions.getStartPosition(unit, (Tree) tree)) + ": " + text);
            }
            return super.visitMemberSelect(tree, nothing);
        }

        private long line(long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }

    private static final class ParsedFile extends SimpleJavaFileObject {

        private final Source source;

        ParsedFile(Source source) {
            super(URI.create("string:///" + source.path), JavaFileObject.Kind.SOURCE);
            this.source = source;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source.text;
        }
    }

    private static Path root() {
        return Path.of(System.getProperty("user.dir")).getParent();
    }

    private static List<Source> sources() throws IOException {
        Path root = root();
        List<Source> sources = new ArrayList<>();
        for (String module : MODULES) {
            addSources(root, module + "/src/main", sources);
        }
        assertThat(sources).as("sources below " + root).hasSizeGreaterThan(10);
        int withoutTestkit = sources.size();
        addSources(root, TESTKIT, sources);
        assertThat(sources).as("sources in " + TESTKIT).hasSizeGreaterThan(withoutTestkit);
        return sources;
    }

    private static void addSources(Path root, String folder, List<Source> sources) throws IOException {
        if (!Files.isDirectory(root.resolve(folder))) {
            return;
        }
        try (Stream<Path> files = Files.walk(root.resolve(folder))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(new Source(root.relativize(file).toString().replace('\\', '/'), Files.readString(file)));
            }
        }
    }
}
