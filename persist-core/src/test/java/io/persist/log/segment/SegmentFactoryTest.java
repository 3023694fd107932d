package io.persist.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.persist.format.LogFileName;
import io.persist.log.LogContent;
import io.persist.log.engine.WriterKind;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.FaultyStorage;
import io.persist.testkit.FaultyStorage.Verb;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SegmentFactoryTest {

    private final FaultyStorage storage = new FaultyStorage(new CrashableStorage());
    private final SegmentFactory factory =
            new SegmentFactory(storage, WriterKind.FILE_RW.config().build(), LogContent.MESSAGES, 1);

    /** A file that stayed would be what the second attempt tells of. */
    @Test
    void shouldSayTheSameAtEachAttemptToNameASegment() throws IOException {
        storage.failFrom(Verb.RENAME, 1);
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> factory.create(0))
                    .withMessageContaining("Input/output error");
            assertThat(storage.list()).isEmpty();
        }
        storage.heal();
        factory.create(0);
        assertThat(storage.list()).containsExactly(LogFileName.segment(0));
    }

    @Test
    void shouldSayNothingOfAFileThatWasNotMade() {
        storage.failFrom(Verb.CREATE, 1);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> factory.create(0))
                .withMessageContaining("Input/output error")
                .satisfies(failure -> assertThat(failure).hasNoSuppressedExceptions());
    }

    /** It goes to the supply of spares again. */
    @Test
    void shouldKeepASpareThatGotNoName() throws IOException {
        String spare = "a" + LogFileName.SPARE_SUFFIX;
        factory.create(0);
        storage.rename(LogFileName.segment(0), spare);
        storage.failFrom(Verb.RENAME, 1);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> factory.create(0, spare, () -> {}));
        assertThat(storage.list()).containsExactly(spare);
        storage.heal();
        factory.create(0, spare, () -> {});
        assertThat(storage.list()).containsExactly(LogFileName.segment(0));
    }
}
