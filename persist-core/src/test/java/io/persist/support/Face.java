package io.persist.support;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What users can do with some types, as lines of text: each type, and below it each of its members. The constructors of
 * exceptions and records are not among them, but for those of {@link #MADE_BY_USERS}: the others are the library's.
 */
public final class Face {

    private static final Set<String> MADE_BY_USERS = Set.of(
            "io.persist.file.BootId",
            "io.persist.shard.error.DeterminateException",
            "io.persist.shard.error.IndeterminateException",
            "io.persist.shard.location.Version",
            "io.persist.shard.model.AppendToken",
            "io.persist.shard.model.Update");

    /** The library makes all objects of these, so they may get methods. */
    private static final Set<String> NOT_FOR_IMPLEMENTING =
            Set.of("io.persist.log.Claim", "io.persist.log.Registration", "io.persist.store.read.StoreReads");

    private static final String MEMBER = "    ";

    private Face() {}

    /**
     * The lines of {@code types}, and of the types in them.
     *
     * @param notForUsers types to leave out, and members, such as {@code io.persist.monitor.Counter#offset()}
     */
    public static List<String> lines(Collection<Class<?>> types, Set<String> notForUsers) {
        List<String> lines = new ArrayList<>();
        for (Class<?> type : withNested(types)) {
            if (notForUsers.contains(type.getName())) {
                continue;
            }
            lines.add(declaration(type));
            members(type).entrySet().stream()
                    .filter(member -> !notForUsers.contains(type.getName() + "#" + member.getKey()))
                    .map(member -> MEMBER + member.getValue())
                    .sorted()
                    .forEach(lines::add);
        }
        return lines;
    }

    /**
     * The methods that classes of users have to have according to the lines {@code now}, and did not have to have
     * according to {@code before}.
     */
    public static List<String> newDuties(List<String> before, List<String> now) {
        Map<String, Set<String>> known = duties(before);
        List<String> added = new ArrayList<>();
        duties(now).forEach((type, methods) -> {
            Set<String> had = known.getOrDefault(type, methods); // nobody implements a new one
            methods.stream()
                    .filter(method -> !had.contains(method))
                    .map(method -> type + ": " + method)
                    .forEach(added::add);
        });
        return added;
    }

    /** The interfaces that users can implement, each with its abstract methods. */
    private static Map<String, Set<String>> duties(List<String> lines) {
        Map<String, Set<String>> duties = new TreeMap<>();
        Set<String> ofType = new TreeSet<>();
        for (String line : lines) {
            if (line.startsWith(MEMBER)) {
                if (line.contains(" abstract ")) {
                    ofType.add(line.strip());
                }
            } else {
                ofType = new TreeSet<>();
                String name = line.replaceFirst(".* interface ([\\w.$]+).*", "$1");
                if (!name.equals(line) && !line.contains(" permits") && !NOT_FOR_IMPLEMENTING.contains(name)) {
                    duties.put(name, ofType);
                }
            }
        }
        return duties;
    }

    /** Whether it is public, and so is what it lies in. */
    public static boolean isForOthers(Class<?> type) {
        return isVisible(type.getModifiers())
                && (type.getDeclaringClass() == null || isForOthers(type.getDeclaringClass()));
    }

    private static List<Class<?>> withNested(Collection<Class<?>> types) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> type : types) {
            all.add(type);
            all.addAll(withNested(Arrays.stream(type.getDeclaredClasses())
                    .filter(Face::isForOthers)
                    .sorted((one, other) -> one.getName().compareTo(other.getName()))
                    .collect(Collectors.toList())));
        }
        return all;
    }

    /** Its kind and name, and what it is by its supertypes: the next one above that is public, and interfaces. */
    private static String declaration(Class<?> type) {
        TreeSet<String> interfaces = new TreeSet<>(names(type.getGenericInterfaces()));
        Class<?> last = type;
        for (Class<?> above : hiddenAbove(type)) {
            interfaces.addAll(names(above.getGenericInterfaces()));
            last = above;
        }
        StringBuilder line = new StringBuilder(kind(type));
        Class<?> superclass = last.getSuperclass();
        if (superclass != null
                && !Set.of(Object.class, Enum.class, Record.class).contains(superclass)) {
            line.append(" extends ").append(last.getGenericSuperclass().getTypeName());
        }
        if (!interfaces.isEmpty()) {
            line.append(type.isInterface() ? " extends " : " implements ").append(String.join(", ", interfaces));
        }
        if (type.isSealed()) {
            line.append(" permits ").append(permitted(type));
        }
        return line.toString();
    }

    /** The JDKs differ in what they tell of these. */
    private static String kind(Class<?> type) {
        return type.toGenericString().replaceAll("\\b(strictfp|sealed|non-sealed) ", "");
    }

    private static List<String> names(Type[] types) {
        return Arrays.stream(types).map(Type::getTypeName).toList();
    }

    private static String permitted(Class<?> type) {
        return Arrays.stream(type.getPermittedSubclasses())
                .filter(Face::isForOthers)
                .map(Class::getName)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** What it extends up to the first that is public: users have what is in these by this type alone. */
    private static List<Class<?>> hiddenAbove(Class<?> type) {
        List<Class<?>> hidden = new ArrayList<>();
        for (Class<?> above = type.getSuperclass();
                above != null && !isForOthers(above);
                above = above.getSuperclass()) {
            hidden.add(above);
        }
        return hidden;
    }

    /** By names and parameters, such as {@code get(byte[],int)}. */
    private static Map<String, String> members(Class<?> type) {
        Map<String, String> members = new LinkedHashMap<>();
        Stream.concat(Stream.of(type), hiddenAbove(type).stream())
                .flatMap(Face::ownMembers)
                .filter(member -> !member.isSynthetic() && isVisible(member.getModifiers()))
                .filter(member -> !(member instanceof Constructor<?>) || isMadeByUsers(type, member))
                .forEach(member -> members.putIfAbsent(key(member), line(member)));
        return members;
    }

    private static Stream<Member> ownMembers(Class<?> type) {
        return Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
                .flatMap(Arrays::stream);
    }

    private static boolean isMadeByUsers(Class<?> type, Member constructor) {
        return constructor.getDeclaringClass() == type
                && (MADE_BY_USERS.contains(type.getName())
                        || !type.isRecord() && !Throwable.class.isAssignableFrom(type));
    }

    private static String key(Member member) {
        String name =
                member instanceof Constructor<?> ? member.getDeclaringClass().getSimpleName() : member.getName();
        return member instanceof Executable call
                ? Arrays.stream(call.getParameterTypes())
                        .map(Class::getTypeName)
                        .collect(Collectors.joining(",", name + "(", ")"))
                : name;
    }

    /** Without what it is declared in, which is on the line of the type, or hidden; and without what callers do not see. */
    private static String line(Member member) {
        String line = member instanceof Executable call ? call.toGenericString() : ((Field) member).toGenericString();
        return line.replace(" synchronized ", " ")
                .replace(member.getDeclaringClass().getTypeName() + "." + member.getName(), member.getName());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
