package io.persist.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.persist.format.Frame;
import io.persist.format.TransactionLayout;
import io.persist.index.node.KeyBuffer;
import io.persist.log.LogConfig;
import io.persist.support.Docs;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/store.md have a row for each setting, with its default and limits, and for each number. */
class StoreDocTest {

    private static final String DOCUMENT = "docs/store.md";
    private static final int NAME = 0;
    private static final int DEFAULT = 1;
    private static final int LEAST = 2;
    private static final int MOST = 3;
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private static final LogConfig LOG = LogConfig.builder(Path.of("any")).build();

    private final List<List<String>> settings = Docs.table(DOCUMENT, "StoreConfig");

    @Test
    void shouldHaveARowForEachSetting() {
        List<String> names = Arrays.stream(StoreConfig.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> !name.equals("log"))
                .toList();
        assertThat(settings.stream().map(row -> row.get(NAME)).toList()).isEqualTo(names);
    }

    @Test
    void shouldTellTheDefaults() throws ReflectiveOperationException {
        StoreConfig config = StoreConfig.builder(LOG).build();
        assertThat(config.checkpointDirectory()).isEqualTo(LOG.directory());
        for (List<String> row : settings) {
            Object value = StoreConfig.class.getMethod(row.get(NAME)).invoke(config);
            if (value instanceof Number number) {
                assertThat(number(row.get(DEFAULT))).as(row.get(NAME)).isEqualByComparingTo(decimal(number));
            } else {
                String told = value instanceof Path ? "the log's" : value.toString();
                assertThat(row.get(DEFAULT)).as(row.get(NAME)).isEqualTo(told);
            }
        }
    }

    @Test
    void shouldTellTheLimits() throws ReflectiveOperationException {
        for (List<String> row : settings) {
            check(row, row.get(LEAST), -1);
            check(row, row.get(MOST), 1);
        }
    }

    /** The limit is allowed, and the next value beyond it is not. */
    private static void check(List<String> row, String limit, int direction) throws ReflectiveOperationException {
        if (!limit.isEmpty()) {
            BigDecimal step = BigDecimal.valueOf(direction, row.get(NAME).equals("maxSpaceRatio") ? 2 : 0);
            set(row.get(NAME), number(limit)).build();
            StoreConfig.Builder beyond = set(row.get(NAME), number(limit).add(step));
            assertThatThrownBy(beyond::build).as(row.get(NAME)).hasMessageContaining(row.get(NAME) + "=");
        }
    }

    private static StoreConfig.Builder set(String name, BigDecimal value) throws ReflectiveOperationException {
        StoreConfig.Builder builder = StoreConfig.builder(LOG);
        for (Method method : StoreConfig.Builder.class.getMethods()) {
            if (method.getName().equals(name)) {
                Class<?> type = method.getParameterTypes()[0];
                Object fits = type == int.class
                        ? (Object) value.intValueExact()
                        : type == long.class ? (Object) value.longValueExact() : (Object) value.doubleValue();
                method.invoke(builder, fits);
            }
        }
        return builder;
    }

    private static BigDecimal decimal(Number number) {
        return new BigDecimal(number.toString());
    }

    /** A number as the table writes it: {@code 64 MiB/s}. */
    private static BigDecimal number(String text) {
        String[] parts = text.replace("/s", "").split(" ");
        int shift = parts.length == 1 ? 0 : 10 * UNITS.indexOf(parts[1]);
        return new BigDecimal(parts[0]).multiply(BigDecimal.valueOf(1L << shift));
    }

    @Test
    void shouldTellWhatEachNumberMeans() {
        List<String> told = Docs.table(DOCUMENT, "StoreStatistics").stream()
                .flatMap(row -> Arrays.stream(row.get(NAME).split(", ")))
                .map(name -> name.replace("`", ""))
                .toList();
        List<String> numbers = new ArrayList<>();
        for (RecordComponent number : StoreStatistics.class.getRecordComponents()) {
            if (number.getType().isRecord()) {
                Arrays.stream(number.getType().getRecordComponents())
                        .forEach(part -> numbers.add(number.getName() + "." + part.getName()));
            } else {
                numbers.add(number.getName());
            }
        }
        assertThat(told).isEqualTo(numbers);
    }

    @Test
    void shouldTellWhatFitsATransaction() {
        int segment = LOG.segmentLength();
        assertThat(sentence("Keys are 1 to (\\d+) bytes")).containsExactly(KeyBuffer.MAX_LENGTH);
        assertThat(
                        sentence(
                                "`segmentLength - (\\d+)` bytes, of\\s+which a transaction takes (\\d+), and each change (\\d+)"))
                .containsExactly(
                        segment - Frame.maxPayload(segment),
                        TransactionLayout.HEADER_LENGTH,
                        TransactionLayout.ENTRY_HEADER_LENGTH);
    }

    /** The numbers in a sentence. */
    private static List<Integer> sentence(String pattern) {
        MatchResult found = Pattern.compile(pattern)
                .matcher(Docs.read(DOCUMENT))
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sentence like: " + pattern));
        List<Integer> numbers = new ArrayList<>();
        for (int i = 1; i <= found.groupCount(); i++) {
            numbers.add(Integer.parseInt(found.group(i)));
        }
        return numbers;
    }
}
