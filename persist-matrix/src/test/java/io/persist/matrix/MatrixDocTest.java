package io.persist.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The matrix of docs/matrix.md has the rows and exercises that there are. */
final class MatrixDocTest {

    private final List<List<String>> rows = Docs.table("docs/matrix.md", "matrix");

    private static List<String> names(List<String> row) {
        return List.of(row.get(2).split(", "));
    }

    @Test
    void shouldHaveEachRow() {
        assertThat(rows.stream().map(row -> row.get(0) + " " + row.get(1)))
                .containsExactlyElementsOf(Arrays.stream(Row.values())
                        .map(row -> row.number() + " " + row.fault())
                        .toList());
    }

    @Test
    void shouldNameTheExercisesOfEachRow() throws Exception {
        for (Exercise exercise : exercises()) {
            assertThat(names(rows.get(exercise.row().ordinal())))
                    .contains(exercise.getClass().getSimpleName());
        }
    }

    @Test
    void shouldNameOnlyClassesThatThereAre() throws IOException {
        try (Stream<Path> files = Files.walk(Docs.root())) {
            Set<String> classes = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.replace(".java", ""))
                    .collect(Collectors.toSet());
            assertThat(rows).allSatisfy(row -> assertThat(classes).containsAll(names(row)));
        }
    }

    private static List<Exercise> exercises() throws Exception {
        Path classes = Path.of(MatrixDocTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Exercise> exercises = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes.resolve("io/persist/matrix"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = classes.relativize(file).toString().replace(".class", "");
                Class<?> loaded = Class.forName(name.replace('/', '.'));
                if (Exercise.class.isAssignableFrom(loaded)
                        && Modifier.isPublic(loaded.getModifiers())
                        && !Modifier.isAbstract(loaded.getModifiers())) {
                    exercises.add((Exercise) loaded.getDeclaredConstructor().newInstance());
                }
            }
        }
        assertThat(exercises).isNotEmpty();
        return exercises;
    }
}
