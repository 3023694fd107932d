package io.persist.store.transaction;

import static io.persist.store.Texts.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.format.LogFileName;
import io.persist.store.Texts;
import io.persist.testkit.CrashableStorage;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever mends a damaged value has looked for it: nobody else's mend is lost. */
class OptimisticDamageTest {

    private static final String KEY = "key";
    private static final String VALUE = "the value that is damaged";

    private final CrashableStorage storage = new CrashableStorage();

    @BeforeEach
    void fill() {
        try (StoreLogger store = Texts.open(storage)) {
            Texts.put(store, KEY, VALUE);
            Texts.fill(store, 100, 200); // behind the first segment
            store.checkpoint();
            Texts.put(store, "last", "which the log's recovery looks at");
        }
    }

    private static Stream<Arguments> damages() {
        return Stream.of(false, true)
                .flatMap(isHeader -> Stream.of(arguments(isHeader, false), arguments(isHeader, true)));
    }

    private void damage(boolean isHeader) {
        byte[] segment = storage.content(LogFileName.segment(0));
        int at = isHeader ? 20 : new String(segment, StandardCharsets.ISO_8859_1).indexOf(VALUE);
        segment[at] ^= 1;
        storage.replace(LogFileName.segment(0), segment);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void shouldDependOnAKeyWhoseValueIsDamaged(boolean isHeader, boolean isMendedByAnother) {
        try (StoreLogger store = Texts.open(storage);
                OptimisticTransaction transaction = store.beginOptimistic()) {
            damage(isHeader);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(() -> transaction.get(bytes(KEY)));
            if (isMendedByAnother) {
                store.put(bytes(KEY), bytes("another's"));
            }
            transaction.put(bytes(KEY), bytes("this one's"));
            assertThat(transaction.tryCommit()).isEqualTo(!isMendedByAnother);
            assertThat(Texts.get(store, KEY)).isEqualTo(isMendedByAnother ? "another's" : "this one's");
        }
    }
}
