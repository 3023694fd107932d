package io.persist.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.error.RetiredException;
import io.persist.file.Storage;
import io.persist.file.disk.DirectoryStorage;
import io.persist.format.LogFileName;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.log.RetentionPlan;
import io.persist.log.RetentionRule;
import io.persist.log.Retirement;
import io.persist.log.engine.Log;
import io.persist.support.Await;
import io.persist.support.InMemory;
import io.persist.support.Interposed;
import io.persist.support.Records;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The writer's process retires segments between two calls of the archive at the log's storage. */
class RetiredWhilePackingTest {

    private static final int SEGMENT_LENGTH = 4096;

    /** What an archive asks a storage and its files for. */
    private static final String[] LOOKS = {"list", "open", "read", "length", "map"};

    @TempDir(factory = InMemory.class)
    Path directory;

    /** Retention comes right behind the first look of each kind, the second, and so on until there are no more. */
    @ParameterizedTest
    @EnumSource(Retirement.class)
    void shouldArchiveWhatIsThereOrSayThatItIsGone(Retirement retirement) throws IOException {
        int gone = 0;
        for (String look : LOOKS) {
            for (int n = 1, left = 0; left <= 0; n++) {
                AtomicInteger ahead = new AtomicInteger(n);
                try (Log log = log()) {
                    Storage storage = Interposed.afterEach(DirectoryStorage.open(directory), call -> {
                        if (call.equals(look) && ahead.decrementAndGet() == 0) {
                            retire(log, retirement);
                        }
                    });
                    gone += isPacked(storage) ? 0 : 1;
                }
                left = ahead.get();
                clear();
            }
        }
        assertThat(gone).isPositive();
    }

    private static boolean isPacked(Storage storage) {
        CrashableStorage place = new CrashableStorage();
        try {
            ArchiveManifest packed = Archive.directory(place).pack(storage);
            assertThat(Archive.directory(place).verify()).isEqualTo(packed);
            return true;
        } catch (RetiredException gone) {
            assertThat(gone).hasMessageContaining("archive the log again");
            assertThat(place.list()).isEmpty();
            return false;
        }
    }

    private Log log() {
        LogConfig config = LogConfig.builder(directory)
                .segmentLength(SEGMENT_LENGTH)
                .writeBufferLength(512)
                .build();
        Log log = Log.open(config);
        Records.appendUntilRolled(log, 5);
        log.commit(Durability.SYNCED); // else there is less to pack
        return log;
    }

    /** Files that are to be used again are in use when it returns, if that is what is done to them. */
    private void retire(Log log, Retirement retirement) {
        RetentionPlan plan = log.planRetention(RetentionRule.keepBytes(2L * SEGMENT_LENGTH));
        log.retire(plan, retirement);
        if (retirement == Retirement.RECYCLE) {
            Records.appendUntilRolled(log, plan.retired().size());
            Await.until(
                    "the files begin their next life",
                    () -> directory.toFile().list((where, name) -> name.endsWith(LogFileName.SPARE_SUFFIX)).length
                            == 0);
        }
    }

    private void clear() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
