package io.persist.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever a program of a user would notice is in the lines, and what is the library's own is not. */
public class FaceLinesTest {

    private static final String HERE = FaceLinesTest.class.getName() + "$";

    abstract static class Hidden implements Supplier<String> {

        public abstract void told();

        @Override
        public String get() {
            return "";
        }
    }

    /** A class as many of ours. */
    public abstract static sealed class Face1 extends Hidden implements Closeable permits Leaf, Inner {

        Face1() {}

        @Override
        public synchronized void told() {}

        @Override
        public void close() {}
    }

    /** One that users see. */
    public static final class Leaf extends Face1 {

        public static final int NUMBER = 1;

        public Leaf(List<String> names) {}

        public void notForUsers(int[] one, String two) {}
    }

    private static final class Inner extends Face1 {}

    /** What the library gives out. */
    public record Given(int number) {}

    /** What it throws. */
    public static final class Thrown extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public Thrown(String message) {
            super(message);
        }
    }

    private static List<String> lines(Class<?>... types) {
        return Face.lines(List.of(types), Set.of(HERE + "Leaf#notForUsers(int[],java.lang.String)")).stream()
                .map(line -> line.replace(HERE, ""))
                .toList();
    }

    @Test
    void shouldSayWhatATypeExtendsImplementsAndPermits() {
        assertThat(lines(Face1.class, Leaf.class))
                .containsExactly(
                        "public abstract static class Face1 implements java.io.Closeable,"
                                + " java.util.function.Supplier<java.lang.String> permits Leaf",
                        "    public java.lang.String get()",
                        "    public void close()",
                        "    public void told()",
                        "public static final class Leaf extends Face1",
                        "    public Leaf(java.util.List<java.lang.String>)",
                        "    public static final int NUMBER");
    }

    @Test
    void shouldLeaveOutConstructorsThatAreForTheLibrary() {
        assertThat(lines(Given.class, Thrown.class))
                .containsExactly(
                        "public static final record Given",
                        "    public final boolean equals(java.lang.Object)",
                        "    public final int hashCode()",
                        "    public final java.lang.String toString()",
                        "    public int number()",
                        "public static final class Thrown extends java.lang.RuntimeException");
    }

    @Test
    void shouldFindMethodsThatClassesOfUsersLack() {
        List<String> before = List.of(
                "public abstract interface io.persist.file.Storage extends java.io.Closeable",
                "    public abstract void sync()",
                "public abstract interface io.persist.log.RetentionRule permits io.persist.log.RetentionRule$Below",
                "public abstract interface io.persist.store.read.StoreReads",
                "public final class io.persist.log.read.Tailer");
        List<String> now = Stream.of(before, List.of("public abstract interface io.persist.file.New"))
                .flatMap(List::stream)
                .flatMap(line -> line.startsWith("public abstract i") || line.contains("Tailer")
                        ? Stream.of(line, "    public abstract void added()", "    public default void withBody()")
                        : Stream.of(line))
                .toList();
        assertThat(Face.newDuties(before, now))
                .containsExactly("io.persist.file.Storage: public abstract void added()");
        assertThat(Face.newDuties(now, before)).isEmpty();
    }
}
