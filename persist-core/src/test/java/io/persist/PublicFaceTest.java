package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.support.Docs;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users name is what docs/api.md lists, and each member of it is what the golden file has. */
class PublicFaceTest {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/face/public-types.txt");

    /** Packages for users alone: each public type of theirs is on the page. */
    private static final List<String> FACE = List.of(
            "io.persist",
            "io.persist.codec",
            "io.persist.error",
            "io.persist.log",
            "io.persist.packet",
            "io.persist.store");

    /** Public in such a package, and for other packages of the library only. */
    private static final Set<String> NOT_FOR_USERS = Set.of("io.persist.error.Limits");

    /** Types that the face mentions and users cannot do anything with. It gets shorter; nothing is added. */
    private static final Set<String> MENTIONED =
            Set.of("io.persist.format.control.CounterBlock", "io.persist.log.recovery.LogInspector");

    @Test
    void shouldListEveryTypeOfThePackagesForUsers() throws Exception {
        TreeSet<String> there = new TreeSet<>();
        for (String name : namesBelow(FACE)) {
            Class<?> type = Class.forName(name);
            if (isForOthers(type) && type.getDeclaringClass() == null && !NOT_FOR_USERS.contains(name)) {
                there.add(name);
            }
        }
        assertThat(listed())
                .as("docs/api.md lists each of %s, or NOT_FOR_USERS names it", FACE)
                .containsAll(there);
        assertThat(listed()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(NOT_FOR_USERS);
    }

    /** A signature that mentions what is not on the page is a way into the library that nobody promised. */
    @Test
    void shouldMentionNoOtherTypesOfTheLibrary() throws Exception {
        TreeSet<String> listed = new TreeSet<>(listed());
        TreeSet<String> others = new TreeSet<>();
        for (Class<?> type : face()) {
            for (Class<?> mentioned : mentioned(type)) {
                Class<?> bare = mentioned.isArray() ? mentioned.getComponentType() : mentioned;
                String name = bare.getName().replaceFirst("\\$.*", "");
                if (name.startsWith("io.persist.") && !listed.contains(name)) {
                    others.add(name);
                }
            }
        }
        assertThat(others).isEqualTo(new TreeSet<>(MENTIONED));
    }

    private static List<Class<?>> mentioned(Class<?> type) {
        List<Class<?>> mentioned = new ArrayList<>(List.of(type.getInterfaces()));
        for (Member member : members(type)) {
            if (member instanceof Executable call) {
                mentioned.addAll(List.of(call.getParameterTypes()));
                mentioned.addAll(List.of(call.getExceptionTypes()));
            }
            if (member instanceof Method method) {
                mentioned.add(method.getReturnType());
            }
            if (member instanceof Field field) {
                mentioned.add(field.getType());
            }
        }
        return mentioned;
    }

    @Test
    void shouldHaveTheMembersOfTheGoldenFile() throws Exception {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : face()) {
            lines.add(declaration(type));
            members(type).stream().map(PublicFaceTest::signature).sorted().forEach(line -> lines.add("    " + line));
        }
        if (Boolean.getBoolean("rewrite")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.write(GOLDEN, lines);
        }
        List<String> golden = Files.readAllLines(GOLDEN);
        assertThat(lines)
                .as("the public face; accept what has changed with -Dtest=PublicFaceTest -Drewrite=true, and write"
                        + " it into CHANGELOG.md")
                .isEqualTo(golden);
    }

    /** The JDKs differ in what they tell. */
    private static String declaration(Class<?> type) {
        return type.toGenericString().replaceAll("\\b(strictfp|sealed|non-sealed) ", "");
    }

    private static String signature(Member member) {
        return member instanceof Executable call ? call.toGenericString() : ((Field) member).toGenericString();
    }

    private static List<Member> members(Class<?> type) {
        return Stream.<Member>concat(
                        Stream.concat(
                                Arrays.stream(type.getDeclaredConstructors()).map(Constructor.class::cast),
                                Arrays.stream(type.getDeclaredMethods())),
                        Arrays.stream(type.getDeclaredFields()))
                .filter(member -> !member.isSynthetic() && isVisible(member.getModifiers()))
                .toList();
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** Whether it is public, and so is what it lies in. */
    private static boolean isForOthers(Class<?> type) {
        return isVisible(type.getModifiers())
                && (type.getDeclaringClass() == null || isForOthers(type.getDeclaringClass()));
    }

    /** The types on the page with those that lie in them, by their names. */
    private static List<Class<?>> face() throws ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        for (String name : new TreeSet<>(listed())) {
            addWithNested(Class.forName(name), types);
        }
        return types;
    }

    private static void addWithNested(Class<?> type, List<Class<?>> types) {
        assertThat(isForOthers(type)).as("%s is public", type).isTrue();
        types.add(type);
        Arrays.stream(type.getDeclaredClasses())
                .filter(PublicFaceTest::isForOthers)
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(nested -> addWithNested(nested, types));
    }

    private static List<String> listed() {
        List<String> names = new ArrayList<>();
        for (List<String> row : Docs.table("docs/api.md", "face")) {
            for (String type : row.get(2).replace("`", "").split(", ")) {
                names.add(row.get(1).replace("`", "") + "." + type);
            }
        }
        return names;
    }

    private static List<String> namesBelow(List<String> packages) throws IOException, URISyntaxException {
        Path classes = Path.of(MessageLogger.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
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
