package io.persist.log;

import static io.persist.log.LogConfig.DEFAULT_SEGMENT_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.format.Frame;
import io.persist.support.Docs;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The configuration tables of docs/guide.md: each knob has a row, with the default and the limits of the code. */
class ConfigTableTest {

    private static final int NAME = 0;
    private static final int DEFAULT = 1;
    private static final int LEAST = 2;
    private static final int MOST = 3;

    private static final Map<String, Integer> TIMES = Map.of("s", 1, "h", 3600);

    /** A configuration that has a table of its name. */
    private enum Table {
        LOG(LogConfig.class, () -> LogConfig.builder(Path.of("any"))),
        TAILER(TailerConfig.class, TailerConfig::builder);

        private final Class<?> config;
        private final Supplier<Object> builder;

        Table(Class<?> config, Supplier<Object> builder) {
            this.config = config;
            this.builder = builder;
        }

        List<List<String>> rows() {
            return Docs.table("docs/guide.md", config.getSimpleName());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveARowForEachKnob(Table table) {
        List<String> knobs = Arrays.stream(table.config.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> !List.of("directory", "guard").contains(name))
                .toList();
        assertThat(table.rows().stream().map(row -> row.get(NAME)).toList()).isEqualTo(knobs);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTheDefaults(Table table) throws ReflectiveOperationException {
        Object config = build(table.builder.get());
        for (List<String> row : table.rows()) {
            Object value = table.config.getMethod(row.get(NAME)).invoke(config);
            if (value instanceof Enum<?>) {
                assertThat(row.get(DEFAULT)).as(row.get(NAME)).isEqualTo(value.toString());
            } else {
                long number = value instanceof Duration time ? time.toSeconds() : ((Number) value).longValue();
                assertThat(number(row.get(DEFAULT))).as(row.get(NAME)).isEqualTo(number);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTheLimits(Table table) throws ReflectiveOperationException {
        for (List<String> row : table.rows()) {
            if (!row.get(LEAST).isEmpty()) {
                build(set(table, row, number(row.get(LEAST))));
                Object tooSmall = set(table, row, number(row.get(LEAST)) - 1);
                assertThatThrownBy(() -> build(tooSmall)).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
            }
            if (!row.get(MOST).isEmpty()) {
                build(set(table, row, number(row.get(MOST))));
                Object tooLarge = set(table, row, number(row.get(MOST)) + 1);
                assertThatThrownBy(() -> build(tooLarge)).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
            }
        }
    }

    @Test
    void shouldTellTheLargestRecord() {
        int overhead = DEFAULT_SEGMENT_LENGTH - Frame.maxPayload(DEFAULT_SEGMENT_LENGTH);
        assertThat(Docs.read("docs/guide.md")).contains("`segmentLength - " + overhead + "` bytes");
    }

    private static Object build(Object builder) throws ReflectiveOperationException {
        try {
            return builder.getClass().getMethod("build").invoke(builder);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw e;
        }
    }

    private static Object set(Table table, List<String> row, long value) throws ReflectiveOperationException {
        Object builder = table.builder.get();
        for (Method method : builder.getClass().getMethods()) {
            if (method.getName().equals(row.get(NAME))) {
                Class<?> type = method.getParameterTypes()[0];
                Object argument = type == int.class ? (Object) (int) value : (Object) value;
                method.invoke(builder, type == Duration.class ? Duration.ofSeconds(value) : argument);
            }
        }
        return builder;
    }

    /** A number of bytes, or of seconds, as the table writes it: {@code 64 MiB}, {@code 1 h}. */
    private static long number(String text) {
        String[] parts = text.replace("/s", "").split(" ");
        if (parts.length == 2 && TIMES.containsKey(parts[1])) {
            return Long.parseLong(parts[0]) * TIMES.get(parts[1]);
        }
        int shift = parts.length == 1
                ? 0
                : 10 * List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(parts[1]);
        return Long.parseLong(parts[0]) << shift;
    }
}
