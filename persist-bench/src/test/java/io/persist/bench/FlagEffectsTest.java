package io.persist.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.bench.Program.Kind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No flag without a test that runs the program and shows what the flag does there. */
class FlagEffectsTest {

    /** Where the tests are that {@link ShowsEffectOf} marks. */
    private static final List<Class<?>> TESTS = List.of(
            CommonFlagsTest.class,
            FileFlagsTest.class,
            LeavingsTest.class,
            ThreadFlagsTest.class,
            PacketLoggerMainTest.class,
            StoreLoggerMainTest.class);

    /** They change only how much time passes, which no test can look at; those of persist-core see how. */
    private static final Set<String> ONLY_IN_TIME = Set.of("--waitStrategy", "--checkpointRate", "--compactionRate");

    /** The flags of the Rumi programs, as they have to stay: letter, name, default, and the program if it is one's. */
    private static final List<String> RUMI = List.of(
            "-c --count 1000000",
            "-t --warmupTime 2",
            "-r --rate -1",
            "-i --initialLogLength 1",
            "-z --zeroOutInitial false",
            "-a --writeBufferSize 8192",
            "-b --readBufferSize 8192",
            "-f --flushOnCommit false",
            "-y --syncOnCommit false",
            "-d --detached false",
            "-q --queueDepth 1024",
            "-j --affinity none",
            "--noLatencyWrites false",
            "--printIntervalStats false",
            "-h --help false",
            "-k --logLocation . MESSAGE",
            "-m --logMode rw MESSAGE",
            "-n --numPerCommit 1 MESSAGE",
            "-l --logLocation . PACKET",
            "-v --populateStorePacketMetadata false PACKET",
            "-e --readUsingMappedMemory true PACKET",
            "--tail false PACKET",
            "-o --logMode rw STORE",
            "-n --numPerCommit 1 STORE",
            "-k --lazyDeserialize true STORE",
            "-l --logLocation . STORE");

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldHaveATestOfTheEffectOfEachFlag(Kind kind) {
        Set<String> flags = longNames(kind);
        flags.removeAll(ONLY_IN_TIME);

        assertThat(shown(kind)).containsAll(flags);
    }

    @Test
    void shouldKnowTheFlags() {
        Set<String> flags = new TreeSet<>();
        Set<String> shown = new TreeSet<>();
        for (Kind kind : Kind.values()) {
            flags.addAll(longNames(kind));
            shown.addAll(shown(kind));
        }

        assertThat(flags).containsAll(shown).containsAll(ONLY_IN_TIME);
        assertThat(shown).doesNotContainAnyElementsOf(ONLY_IN_TIME);
    }

    private static Set<String> longNames(Kind kind) {
        return kind.flags().stream()
                .map(names -> names.get(names.size() - 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The long names of the flags whose effect is shown in a program, if it has them. */
    private static Set<String> shown(Kind kind) {
        Set<String> names = new TreeSet<>();
        for (Class<?> tests : TESTS) {
            for (Method test : tests.getDeclaredMethods()) {
                ShowsEffectOf effect = test.getAnnotation(ShowsEffectOf.class);
                if (effect != null && programs(test, effect).contains(kind)) {
                    names.addAll(List.of(effect.value()));
                }
            }
        }
        return names;
    }

    private static Collection<Kind> programs(Method test, ShowsEffectOf effect) {
        EnumSource source = test.getAnnotation(EnumSource.class);
        MethodSource drawn = test.getAnnotation(MethodSource.class);
        if (drawn != null) {
            assertThat(drawn.value()).as("%s", test).containsExactly(Drawn.KINDS);
            assertThat(test.getParameterTypes()).as("%s", test).containsExactly(Kind.class);
            return List.of(Kind.values());
        }
        if (source == null) {
            assertThat(test.isAnnotationPresent(Test.class)).as("%s", test).isTrue();
            return List.of(effect.in());
        }
        assertThat(test.isAnnotationPresent(ParameterizedTest.class))
                .as("%s", test)
                .isTrue();
        assertThat(test.getParameterTypes()).as("%s", test).containsExactly(Kind.class);
        assertThat(source.mode()).as("%s", test).isEqualTo(EnumSource.Mode.INCLUDE);
        return Arrays.stream(Kind.values())
                .filter(kind ->
                        source.names().length == 0 || List.of(source.names()).contains(kind.name()))
                .toList();
    }

    /** A letter and a name that are one flag have one effect, so it is shown with either of them. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldHaveTheFlagsOfTheRumiProgram(Kind kind) {
        String help = kind.run("--help").out();
        for (List<String> row : rumi(kind)) {
            String defaultValue = row.get(row.size() - 1);
            List<String> names = row.subList(0, row.size() - 1);

            assertThat(kind.flags()).contains(names);
            assertThat(help)
                    .containsPattern("(?m)^ +" + String.join(", ", names) + "(?: [A-Z]+)?\\s+"
                            + Pattern.quote(defaultValue) + " ");
        }
    }

    /** Names and default of each flag. */
    private static List<List<String>> rumi(Kind kind) {
        List<List<String>> rows = new ArrayList<>();
        for (String row : RUMI) {
            List<String> words = new ArrayList<>(List.of(row.split(" ")));
            String last = words.get(words.size() - 1);
            boolean ofAll =
                    Arrays.stream(Kind.values()).noneMatch(each -> each.name().equals(last));
            if (ofAll || words.remove(kind.name())) {
                rows.add(words);
            }
        }
        return rows;
    }
}
