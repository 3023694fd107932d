package io.persist.log.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.persist.error.CorruptLogException;
import io.persist.error.UnsupportedFormatException;
import io.persist.format.LogFileName;
import io.persist.log.LogConfig;
import io.persist.log.LogContent;
import io.persist.log.TailerConfig;
import io.persist.log.engine.Log;
import io.persist.log.engine.WriterKind;
import io.persist.support.InMemory;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tailer of a log that holds something else, and a payload that is asked for when there is none. */
class WrongTailerTest {

    private static final String NAME = "reader";

    @TempDir(factory = InMemory.class)
    Path directory;

    private final CrashableStorage storage = new CrashableStorage();

    private LogConfig config() {
        return WriterKind.MAPPED.config(directory).build();
    }

    @ParameterizedTest
    @EnumSource(LogContent.class)
    void shouldRefuseALogThatHoldsSomethingElse(LogContent there) {
        try (Log onDisk = Log.open(config(), there);
                Log inMemory = Log.open(config(), there, storage)) {
            Records.append(onDisk);
            Records.append(inMemory);
        }
        TreeMap<String, byte[]> before = new TreeMap<>();
        storage.list().forEach(name -> before.put(name, storage.content(name)));
        for (LogContent wanted : LogContent.values()) {
            ways(wanted).forEach(way -> check(way, wanted, there));
        }
        if (there != LogContent.MESSAGES) {
            assertThat(storage.list()).containsExactlyElementsOf(before.keySet()); // no cursor either
            before.forEach((name, bytes) -> assertThat(storage.content(name)).isEqualTo(bytes));
        }
    }

    /** Every way to open a tailer for {@code wanted}. */
    private List<ThrowingCallable> ways(LogContent wanted) {
        List<ThrowingCallable> ways = new ArrayList<>(List.of(
                () -> Tailer.open(
                                config().directory(),
                                TailerConfig.builder().content(wanted).build())
                        .close(),
                () -> Tailer.open(
                                config().directory(),
                                NAME,
                                TailerConfig.builder().content(wanted).build())
                        .close()));
        if (wanted == LogContent.MESSAGES) {
            ways.add(() -> Tailer.open(config().directory()).close());
            ways.add(() -> Tailer.open(config().directory(), NAME).close());
            ways.add(() -> Tailer.open(storage, TailerConfig.defaults()).close());
            ways.add(() -> Tailer.open(storage, NAME, TailerConfig.defaults()).close());
        }
        return ways;
    }

    private static void check(ThrowingCallable way, LogContent wanted, LogContent there) {
        if (wanted == there) {
            assertThatNoException().isThrownBy(way);
            return;
        }
        assertThatExceptionOfType(UnsupportedFormatException.class)
                .isThrownBy(way)
                .withMessageContaining("the log holds " + there.plural() + ", not " + wanted.plural())
                .withMessageContaining("read it with " + there.reader());
    }

    @Test
    void shouldRefuseALogThatIsBegunLater() {
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            assertThat(tailer.next()).isFalse();
            try (Log log = Log.open(config(), LogContent.PACKETS, storage)) {
                Records.append(log);
                log.flush();
                for (int i = 0; i < 2; i++) {
                    assertThatExceptionOfType(UnsupportedFormatException.class)
                            .isThrownBy(tailer::next)
                            .withMessageContaining("the log holds packets, not messages");
                    shouldHaveNoPayload(tailer);
                }
            }
        }
    }

    @Test
    void shouldHaveNoPayloadButOnARecord() {
        try (Log log = Log.open(config(), storage)) {
            Records.append(log);
            Records.append(log);
            log.flush();
            try (Tailer tailer = log.tailer()) {
                assertThatIllegalStateException().isThrownBy(tailer::position).withMessageContaining("call next first");
                assertThatIllegalStateException().isThrownBy(tailer::sequence);
                assertThatIllegalStateException().isThrownBy(tailer::startsCommit);
                for (Runnable move : List.<Runnable>of(() -> {}, tailer::toStart, () -> tailer.toSequence(2))) {
                    move.run();
                    shouldHaveNoPayload(tailer);
                    assertThat(tailer.next()).isTrue();
                    Records.check(tailer.sequence(), tailer.payload(), tailer.sequence());
                }
                assertThat(tailer.next()).isFalse();
                shouldHaveNoPayload(tailer);
                tailer.toStart();
                assertThat(tailer.poll((position, sequence, payload) -> {}, 2)).isEqualTo(2);
                shouldHaveNoPayload(tailer);
                assertThat(tailer.sequence()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldHaveNoPayloadAfterDamage() {
        try (Log log = Log.open(config(), storage)) {
            Records.append(log);
            Records.append(log);
        }
        byte[] segment = storage.content(LogFileName.segment(0));
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            assertThat(tailer.next()).isTrue();
            segment[(int) tailer.nextPosition() + 9] ^= 1;
            storage.replace(LogFileName.segment(0), segment);
            assertThatExceptionOfType(CorruptLogException.class).isThrownBy(tailer::next);
            shouldHaveNoPayload(tailer);
        }
    }

    private static void shouldHaveNoPayload(Tailer tailer) {
        List<ThrowingCallable> ways = List.of(tailer::payload, tailer::payloadBytes, tailer::payloadUntilNext);
        for (ThrowingCallable way : ways) {
            assertThatIllegalStateException()
                    .isThrownBy(way)
                    .withMessageContaining("the tailer is on no record: call next first");
        }
    }
}
