package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/api.md lists of a library is all that its users name, and each member of it is as a golden file has it. */
public abstract class FaceContract {

    private static final String CORE = "persist-core";

    private static final Pattern TYPE_OF_OURS = Pattern.compile("io\\.persist(\\.[a-z]\\w*)*\\.[A-Z][\\w$]*");

    private final String library;
    private final Path golden;

    /**
     * A library as docs/api.md names it.
     *
     * @param golden the file that has its members, from the root of the checkout on
     */
    protected FaceContract(String library, String golden) {
        this.library = library;
        this.golden = Docs.root().resolve(golden);
    }

    /** The packages of which docs/api.md lists each public type: those that it names, if a library says nothing else. */
    protected Set<String> packages() {
        return rows(library).stream().map(row -> row.get(1)).collect(Collectors.toSet());
    }

    /** Public types in these packages, and members of those that are listed, which other packages of ours need. */
    protected Set<String> notForUsers() {
        return Set.of();
    }

    @Test
    void shouldListEveryPublicTypeOfItsPackages() throws Exception {
        List<String> listed = listed();
        TreeSet<String> there = new TreeSet<>();
        for (String name : namesIn(packages())) {
            Class<?> type = Class.forName(name);
            if (type.getDeclaringClass() == null
                    && Face.isForOthers(type)
                    && !notForUsers().contains(name)) {
                there.add(name);
            }
        }
        assertThat(listed)
                .as("docs/api.md lists each public type, or notForUsers() names it")
                .containsAll(there)
                .doesNotHaveDuplicates();
        assertThat(notForUsers()).doesNotContainAnyElementsOf(listed);
    }

    @Test
    void shouldLeaveOutOnlyWhatIsThere() throws Exception {
        List<String> all = lines(Set.of());
        for (String name : notForUsers()) {
            if (name.contains("#") || name.contains("$")) {
                assertThat(lines(Set.of(name)))
                        .as("all lines but those of %s", name)
                        .isNotEqualTo(all);
            } else {
                assertThat(Face.isForOthers(Class.forName(name))).as(name).isTrue();
            }
        }
    }

    /** A signature that mentions what is not on the page is a way into the library that nobody promised. */
    @Test
    void shouldMentionNoOtherTypesOfOurs() throws Exception {
        TreeSet<String> mentioned = new TreeSet<>();
        for (String line : lines(notForUsers())) {
            TYPE_OF_OURS.matcher(line).results().map(MatchResult::group).forEach(mentioned::add);
        }
        Set<String> listed = new HashSet<>(types(rows(CORE)));
        listed.addAll(types(Docs.table("docs/api.md", "libraries")));
        mentioned.removeIf(name -> listed.contains(name) || listed.contains(name.replaceFirst("\\$.*", "")));
        assertThat(mentioned).isEmpty();
    }

    @Test
    void shouldHaveTheMembersOfTheGoldenFile() throws Exception {
        List<String> lines = lines(notForUsers());
        if (Files.exists(golden)) {
            assertThat(Face.newDuties(Files.readAllLines(golden), lines))
                    .as("users have classes that lack a new abstract method: give it a body; -Drewrite does not help")
                    .isEmpty();
        }
        if (Boolean.getBoolean("rewrite")) {
            Files.createDirectories(golden.getParent());
            Files.write(golden, lines);
        }
        assertThat(lines)
                .as(
                        "the public face of %s; accept what has changed with -Dtest=%s -Drewrite=true, and write it into"
                                + " CHANGELOG.md",
                        library, getClass().getSimpleName())
                .isEqualTo(Files.readAllLines(golden));
    }

    private List<String> listed() {
        return types(rows(library));
    }

    private List<String> lines(Set<String> without) throws ReflectiveOperationException {
        List<Class<?>> listed = new ArrayList<>();
        for (String name : new TreeSet<>(listed())) {
            Class<?> type = Class.forName(name);
            assertThat(Face.isForOthers(type)).as("%s is public", type).isTrue();
            listed.add(type);
        }
        return Face.lines(listed, without);
    }

    /** Each has a package and its types in the second and the third column. */
    private static List<List<String>> rows(String library) {
        if (library.equals(CORE)) {
            return Docs.table("docs/api.md", "face");
        }
        List<List<String>> rows = Docs.table("docs/api.md", "libraries").stream()
                .filter(row -> row.get(0).equals(library))
                .toList();
        assertThat(rows).as("rows of %s in docs/api.md", library).isNotEmpty();
        return rows;
    }

    private static List<String> types(List<List<String>> rows) {
        return rows.stream()
                .flatMap(
                        row -> Stream.of(row.get(2).split(", ")).map(type -> row.get(1) + "." + type.replace('.', '$')))
                .toList();
    }

    private List<String> namesIn(Set<String> packages) throws IOException, URISyntaxException, ClassNotFoundException {
        Class<?> one = Class.forName(listed().get(0));
        Path classes =
                Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> names = new ArrayList<>();
        for (String name : packages) {
            try (Stream<Path> files = Files.list(classes.resolve(name.replace('.', '/')))) {
                files.map(file -> file.getFileName().toString())
                        .filter(file -> file.endsWith(".class") && !file.contains("package-info"))
                        .forEach(file -> names.add(name + "." + file.replace(".class", "")));
            }
        }
        return names;
    }
}
