package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Every public type, constructor and method of what applications link says what it does. */
class JavadocTest {

    private static final List<String> FOLDERS = List.of(
            "persist-core/src/main/java",
            "persist-core/src/test/java/io/persist/testkit",
            "persist-chronicle/src/main/java",
            "persist-micrometer/src/main/java",
            "persist-kafka/src/main/java",
            "persist-shard/src/main/java",
            "persist-shard-postgres/src/main/java",
            "persist-shard-s3/src/main/java");

    @Test
    void shouldSayWhatEachPublicMethodDoes() throws IOException {
        List<SourceFile> files = new ArrayList<>();
        for (String folder : FOLDERS) {
            int before = files.size();
            addFiles(folder, files);
            assertThat(files).as("sources in " + folder).hasSizeGreaterThan(before);
        }
        assertThat(silent(files)).isEmpty();
    }

    /** Negative control: what has no Javadoc is found, and nothing else. */
    @Test
    void shouldNoticeWhatSaysNothing() throws IOException {
        String source = """
                /** Said. */
                public class Said {
                    public Said() {}
                    /** Said. */
                    public Said(int i) {}
                    public void silent() {}
                    /** */
                    public void empty() {}
                    protected void forSubclasses() {}
                    @Override
                    public String toString() { return ""; }
                    void notPublic() {}
                    class NotPublic { public void inside() {} }
                    public interface Face { void ofFace(); }
                    /** Said. */
                    public record Pair(int a, int b) { public Pair { a = b; } }
                }
                """;
        assertThat(silent(List.of(new SourceFile("Said.java", source))))
                .containsExactly(
                        "Said.java:3: Said",
                        "Said.java:6: silent",
                        "Said.java:8: empty",
                        "Said.java:9: forSubclasses",
                        "Said.java:14: Face",
                        "Said.java:14: ofFace");
    }

    private static List<String> silent(List<SourceFile> files) throws IOException {
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, ignored -> {}, null, null, files);
        DocTrees trees = DocTrees.instance(task);
        List<String> found = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new SilentTrees(unit, trees, found).scan(unit, null);
        }
        return found;
    }

    private static final class SilentTrees extends TreePathScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final DocTrees trees;
        private final List<String> found;

        SilentTrees(CompilationUnitTree unit, DocTrees trees, List<String> found) {
            this.unit = unit;
            this.trees = trees;
            this.found = found;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (!isOpen(type.getModifiers())) {
                return null; // so is what is in it
            }
            check(type, type.getSimpleName().toString());
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            ClassTree type = (ClassTree) getCurrentPath().getParentPath().getLeaf();
            boolean isConstructor = method.getReturnType() == null;
            boolean isOfRecord = isConstructor && type.getKind() == Tree.Kind.RECORD; // its parameters are the record's
            if (isOpen(method.getModifiers()) && !isOfRecord && !isOverriding(method)) {
                check(
                        method,
                        isConstructor
                                ? type.getSimpleName().toString()
                                : method.getName().toString());
            }
            return null;
        }

        /** Public or protected, or in a public interface, where that goes without saying. */
        private boolean isOpen(ModifiersTree modifiers) {
            return modifiers.getFlags().contains(Modifier.PUBLIC)
                    || modifiers.getFlags().contains(Modifier.PROTECTED)
                    || getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
        }

        private static boolean isOverriding(MethodTree method) {
            return method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
        }

        private void check(Tree tree, String name) {
            long start = trees.getSourcePositions().getStartPosition(unit, tree);
            String text = trees.getDocComment(getCurrentPath());
            if ((text == null || text.isBlank()) && start >= 0 && isWritten(tree)) {
                found.add(
                        unit.getSourceFile().getName() + ":" + unit.getLineMap().getLineNumber(start) + ": " + name);
            }
        }

        /** False for the constructor that the compiler makes. */
        private boolean isWritten(Tree tree) {
            return trees.getSourcePositions().getEndPosition(unit, tree) >= 0;
        }
    }

    private static final class SourceFile extends SimpleJavaFileObject {

        private final String path;
        private final String text;

        SourceFile(String path, String text) {
            super(URI.create("string:///" + path), JavaFileObject.Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public String getName() {
            return path;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static void addFiles(String folder, List<SourceFile> files) throws IOException {
        Path root = Path.of(System.getProperty("user.dir")).getParent();
        try (Stream<Path> paths = Files.walk(root.resolve(folder))) {
            for (Path path :
                    paths.filter(found -> found.toString().endsWith(".java")).toList()) {
                files.add(new SourceFile(root.relativize(path).toString().replace('\\', '/'), Files.readString(path)));
            }
        }
    }
}
