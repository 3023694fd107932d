package io.persist.log;

import static io.persist.log.LogConfig.DEFAULT_SEGMENT_LENGTH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.format.Frame;
import io.persist.support.Docs;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The configuration table of docs/guide.md: each knob has a row, with the default and the limits that the code has. */
class ConfigTableTest {

    private static final int NAME = 0;
    private static final int DEFAULT = 1;
    private static final int LEAST = 2;
    private static final int MOST = 3;

    private final List<List<String>> rows = Docs.table("docs/guide.md", "LogConfig");

    @Test
    void shouldHaveARowForEachKnob() {
        List<String> knobs = Arrays.stream(LogConfig.class.getRecordComponents())
                .map(RecordComponent::getName)
                .filter(name -> !name.equals("directory"))
                .toList();
        assertThat(rows.stream().map(row -> row.get(NAME)).toList()).isEqualTo(knobs);
    }

    @Test
    void shouldTellTheDefaults() throws ReflectiveOperationException {
        LogConfig config = LogConfig.builder(Path.of("any")).build();
        for (List<String> row : rows) {
            Object value = LogConfig.class.getMethod(row.get(NAME)).invoke(config);
            Object told = value instanceof Enum<?> ? row.get(DEFAULT) : bytes(row.get(DEFAULT));
            Object expected = value instanceof Enum<?> ? value.toString() : ((Number) value).longValue();
            assertThat(told).as(row.get(NAME)).isEqualTo(expected);
        }
    }

    @Test
    void shouldTellTheLimits() throws ReflectiveOperationException {
        for (List<String> row : rows) {
            if (!row.get(LEAST).isEmpty()) {
                set(row, bytes(row.get(LEAST))).build();
                LogConfig.Builder tooSmall = set(row, bytes(row.get(LEAST)) - 1);
                assertThatThrownBy(tooSmall::build).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
            }
            if (!row.get(MOST).isEmpty()) {
                set(row, bytes(row.get(MOST))).build();
                LogConfig.Builder tooLarge = set(row, bytes(row.get(MOST)) + 1);
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
                boolean isInt = method.getParameterTypes()[0] == int.class;
                method.invoke(builder, isInt ? (Object) (int) value : (Object) value);
            }
        }
        return builder;
    }

    /** A number of bytes as the table writes it: {@code 64 MiB}. */
    private static long bytes(String text) {
        String[] parts = text.replace("/s", "").split(" ");
        int shift = parts.length == 1
                ? 0
                : 10 * List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(parts[1]);
        return Long.parseLong(parts[0]) << shift;
    }
}
