package io.persist.log;

import static io.persist.log.LogConfig.DEFAULT_SEGMENT_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.format.Frame;
import io.persist.support.Docs;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration table of docs/guide.md: each knob has a row, with the default and the limits that the code has. */
class ConfigTableTest {

    private static final int NAME = 0;
    private static final int DEFAULT = 1;
    private static final int LEAST = 2;
    private static final int MOST = 3;

    private static final Map<String, Integer> TIMES = Map.of("s", 1, "h", 3600);

    private final List<List<String>> rows = Docs.table("docs/guide.md", "LogConfig");

    @Test
    void shouldHaveARowForEachKnob() {
        List<String> knobs = Arrays.stream(LogConfig.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> !List.of("directory", "guard").contains(name))
                .toList();
        assertThat(rows.stream().map(row -> row.get(NAME)).toList()).isEqualTo(knobs);
    }

    @Test
    void shouldTellTheDefaults() throws ReflectiveOperationException {
        LogConfig config = LogConfig.builder(Path.of("any")).build();
        for (List<String> row : rows) {
            Object value = LogConfig.class.getMethod(row.get(NAME)).invoke(config);
            if (value instanceof Enum<?>) {
                assertThat(row.get(DEFAULT)).as(row.get(NAME)).isEqualTo(value.toString());
            } else {
                long number = value instanceof Duration time ? time.toSeconds() : ((Number) value).longValue();
                assertThat(number(row.get(DEFAULT))).as(row.get(NAME)).isEqualTo(number);
            }
        }
    }

    @Test
    void shouldTellTheLimits() throws ReflectiveOperationException {
        for (List<String> row : rows) {
            if (!row.get(LEAST).isEmpty()) {
                set(row, number(row.get(LEAST))).build();
                LogConfig.Builder tooSmall = set(row, number(row.get(LEAST)) - 1);
                assertThatThrownBy(tooSmall::build).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
            }
            if (!row.get(MOST).isEmpty()) {
                set(row, number(row.get(MOST))).build();
                LogConfig.Builder tooLarge = set(row, number(row.get(MOST)) + 1);
                assertThatThrownBy(tooLarge::build).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
            }
        }
    }

    @Test
    void shouldTellTheLargestRecord() {
        int overhead = DEFAULT_SEGMENT_LENGTH - Frame.maxPayload(DEFAULT_SEGMENT_LENGTH);
        assertThat(Docs.read("docs/guide.md")).contains("`segmentLength - " + overhead + "` bytes");
    }

    private static LogConfig.Builder set(List<String> row, long value) throws ReflectiveOperationException {
        LogConfig.Builder builder = LogConfig.builder(Path.of("any"));
        for (Method method : LogConfig.Builder.class.getMethods()) {
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
