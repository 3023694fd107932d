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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the module exports is what docs/api.md lists, and each member of it is what the golden file has. */
class PublicFaceTest {

    private static final Path GOLDEN = Docs.root().resolve("persist-core/src/test/resources/face/public-types.txt");

    private static final Path MODULE = Docs.root().resolve("persist-core/src/main/java/module-info.java");

    /** Public in an exported package for other packages of the library; users have no way to one, or no use for it. */
    private static final Set<String> NOT_FOR_USERS = Set.of(
            "io.persist.error.Limits",
            "io.persist.file.Closing",
            "io.persist.file.ForwardingStorage",
            "io.persist.file.OneFile",
            "io.persist.file.Opening",
            "io.persist.file.PartialStorage",
            "io.persist.log.read.PositionSync",
            "io.persist.log.read.TailerOpener",
            "io.persist.store.read.ChangeReaders",
            "io.persist.store.read.Snapshots",
            "io.persist.store.transaction.SingleOperations",
            "io.persist.store.transaction.StoreThread");

    @Test
    void shouldListEveryTypeOfTheExportedPackages() throws Exception {
        TreeSet<String> there = new TreeSet<>();
        for (String name : namesBelow(exported())) {
            Class<?> type = Class.forName(name);
            if (isForOthers(type) && type.getDeclaringClass() == null && !NOT_FOR_USERS.contains(name)) {
                there.add(name);
            }
        }
        assertThat(listed())
                .as("docs/api.md lists each public type of the exported packages, or NOT_FOR_USERS names it")
                .containsExactlyInAnyOrderElementsOf(there);
        assertThat(listed()).doesNotHaveDuplicates().doesNotContainAnyElementsOf(NOT_FOR_USERS);
    }

    /** Where all of them are on the module path, each uses packages that are exported, or exported to it. */
    @ParameterizedTest
    @ValueSource(strings = {"chronicle", "kafka", "micrometer", "shard", "tools"})
    void shouldBeEnoughForTheOtherLibraries(String library) throws IOException {
        String module = Files.readString(MODULE).replaceAll("\\s+", " ");
        List<String> own = matches("exports ([\\w.]+) to [^;]*io\\.persist\\." + library + "[,;]", module);
        Path sources = Docs.root().resolve("persist-" + library + "/src/main/java");
        TreeSet<String> others = new TreeSet<>();
        TreeSet<String> inside = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                inside.add(sources.relativize(file.getParent()).toString().replace('/', '.'));
                others.addAll(matches(
                        "(?m)^import (?:static )?(io\\.persist(?:\\.[a-z]+)*)\\.[A-Z]", Files.readString(file)));
            }
        }
        others.removeIf(name -> inside.contains(name) || own.contains(name));
        assertThat(exported()).containsAll(others);
    }

    /** The comparison with a release looks at the same. */
    @Test
    void shouldCompareWithAReleaseWhatIsExported() throws IOException {
        String pom = Files.readString(Docs.root().resolve("persist-core/pom.xml"));
        String profile = pom.substring(pom.indexOf("<id>api</id>"));
        assertThat(matches("<include>(io[\\w.]+)</include>", profile)).isEqualTo(exported());
        assertThat(matches("<exclude>(io[\\w.]+)</exclude>", profile))
                .containsExactlyInAnyOrderElementsOf(NOT_FOR_USERS);
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
        assertThat(others).isEmpty();
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

    /** Its own, and those of what it extends that is not public itself: users have them by this type alone. */
    private static List<Member> members(Class<?> type) {
        List<Member> members = new ArrayList<>(ownMembers(type));
        for (Class<?> above = type.getSuperclass();
                above != null && !Modifier.isPublic(above.getModifiers());
                above = above.getSuperclass()) {
            members.addAll(ownMembers(above));
        }
        return members;
    }

    private static List<Member> ownMembers(Class<?> type) {
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

    private static List<String> exported() throws IOException {
        return matches("exports ([\\w.]+);", Files.readString(MODULE));
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
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
