package io.persist;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.DetachedConfig;
import io.persist.log.Durability;
import io.persist.log.FileMode;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.Prefill;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WaitStrategy;
import io.persist.log.WriteMode;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a configuration says of itself in an application's log has every setting, also one that is added later. */
class ConfigTextTest {

    private static final LogConfig LOG = LogConfig.builder(Path.of("log")).build();

    /** For each type of a setting a value that is no default. */
    private static final Map<Class<?>, Object> OTHERS = Map.ofEntries(
            Map.entry(int.class, 16 << 10),
            Map.entry(long.class, 1L << 29),
            Map.entry(double.class, 3.0),
            Map.entry(Path.class, Path.of("elsewhere")),
            Map.entry(Duration.class, Duration.ofSeconds(7)),
            Map.entry(ReentrantLock.class, new ReentrantLock()),
            Map.entry(ThreadFactory.class, (ThreadFactory) Thread::new),
            Map.entry(Prefill.class, Prefill.BEFORE_OPEN),
            Map.entry(WriteMode.class, WriteMode.FILE),
            Map.entry(FileMode.class, FileMode.RWD),
            Map.entry(Durability.class, Durability.SYNCED),
            Map.entry(ReadMode.class, ReadMode.FILE),
            Map.entry(ReadScope.class, ReadScope.SYNCED),
            Map.entry(LogContent.class, LogContent.PACKETS),
            Map.entry(WaitStrategy.class, WaitStrategy.YIELDING),
            Map.entry(OldValues.class, OldValues.RECORD));

    /** Those that ask for the default value: another one comes before. */
    private static final Map<String, String> UNDONE_BY = Map.of("blockWhenFull", "failWhenFull");

    /** A configuration, and how its builder is made. */
    private record Kind(Class<?> config, Supplier<Object> builder) {

        Object build(String... calls) throws ReflectiveOperationException {
            Object made = builder.get();
            if (Arrays.asList(calls).contains("fileMode")) {
                ((LogConfig.Builder) made).writeMode(WriteMode.FILE); // which has file modes
            }
            for (String call : calls) {
                for (Method setting : settings(made.getClass())) {
                    if (setting.getName().equals(call)) {
                        setting.invoke(made, others(setting));
                    }
                }
            }
            return made.getClass().getMethod("build").invoke(made);
        }

        Class<?> builderType() {
            return builder.get().getClass();
        }

        @Override
        public String toString() {
            return config.getSimpleName();
        }
    }

    private static Object[] others(Method setting) {
        if (setting.getName().equals("checkpointPercent")) {
            return new Object[] {50};
        }
        return Arrays.stream(setting.getParameterTypes())
                .map(type -> {
                    assertThat(OTHERS).as("another value for %s", setting).containsKey(type);
                    return OTHERS.get(type);
                })
                .toArray();
    }

    private static List<Method> settings(Class<?> builder) {
        return Arrays.stream(builder.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getReturnType() == builder)
                .toList();
    }

    private static Stream<Kind> kinds() {
        return Stream.of(
                new Kind(LogConfig.class, () -> LogConfig.builder(Path.of("log"))),
                new Kind(TailerConfig.class, TailerConfig::builder),
                new Kind(DetachedConfig.class, DetachedConfig::builder),
                new Kind(StoreConfig.class, () -> StoreConfig.builder(LOG)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNameEverySetting(Kind kind) throws ReflectiveOperationException {
        String text = kind.build().toString();
        assertThat(text).startsWith(kind.config().getSimpleName() + "[").endsWith("]");
        for (Field setting : kind.config().getDeclaredFields()) {
            if (!Modifier.isStatic(setting.getModifiers())) {
                assertThat(text).containsPattern("[\\[ ]" + setting.getName() + "=\\S");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldTellWhatEachMethodOfTheBuilderChanges(Kind kind) throws ReflectiveOperationException {
        assertThat(settings(kind.builderType())).isNotEmpty();
        for (Method setting : settings(kind.builderType())) {
            String before = UNDONE_BY.getOrDefault(setting.getName(), "");
            assertThat(kind.build(before, setting.getName()).toString())
                    .as(setting.getName())
                    .isNotEqualTo(kind.build(before).toString());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldSayTheSameOfTheSame(Kind kind) throws ReflectiveOperationException {
        assertThat(kind.build()).hasToString(kind.build().toString());
    }
}
