package io.persist.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.DirectoryStorage;
import io.persist.file.Storage;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The writer's process retires segments between two calls of a reader at the storage. */
class RetiredMeanwhileTest {

    private static final int ROLLS = 8;

    @TempDir(factory = InMemory.class)
    Path directory;

    private LogConfig config;
    private Log log;
    private long last;

    @BeforeEach
    void write() {
        config = WriterKind.MAPPED.config(directory).build();
        log = Log.open(config);
        Records.appendUntilRolled(log, ROLLS);
        last = log.lastSequence();
    }

    @AfterEach
    void close() {
        log.close();
    }

    private void retire() {
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(2L * WriterKind.SEGMENT_LENGTH));
        log.retire(plan, Retirement.DELETE);
    }

    /** The storage as readers see it, with retention right behind the n-th look at what files there are. */
    private Storage retiringAfterListing(int n) throws IOException {
        Storage real = DirectoryStorage.open(directory);
        AtomicInteger left = new AtomicInteger(n);
        return Interposed.after(Storage.class, real, (call, arguments, result) -> {
            if (call.equals("list") && left.decrementAndGet() == 0) {
                retire();
            }
            return result;
        });
    }

    private interface Use {
        void with(Tailer tailer);
    }

    /** Whichever look it comes after. */
    private void afterEachListing(ReadMode mode, Use use) throws IOException {
        for (int n = 1; n <= 6; n++) {
            log.close();
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            write();
            LogConfig reading =
                    WriterKind.MAPPED.config(directory).readMode(mode).build();
            try (Tailer tailer = Tailer.open(reading, retiringAfterListing(n))) {
                use.with(tailer);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldFindARecordThatIsStillThere(ReadMode mode) throws IOException {
        afterEachListing(mode, tailer -> {
            tailer.toSequence(last);
            assertThat(tailer.next()).isTrue();
            assertThat(tailer.sequence()).isEqualTo(last);
        });
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void shouldSayThatARecordIsGoneOrShowIt(ReadMode mode) throws IOException {
        long position = WriterKind.SEGMENT_LENGTH + 64;
        afterEachListing(mode, tailer -> {
            try {
                tailer.toSequence(1);
                if (tailer.next()) {
                    assertThat(tailer.sequence()).isEqualTo(1);
                }
                tailer.toPosition(position);
                if (tailer.next()) {
                    assertThat(tailer.position()).isEqualTo(position);
                }
            } catch (RetiredException gone) {
                assertThat(gone).hasMessageContaining("go on from the log's first record");
            }
        });
    }
}
