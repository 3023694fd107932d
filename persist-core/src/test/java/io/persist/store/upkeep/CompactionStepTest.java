package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.format.SegmentHeader;
import io.persist.log.Durability;
import io.persist.log.LogConfig;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.core.StoreCore;
import io.persist.store.core.WorkspacePool;
import io.persist.store.engine.StoreEngine;
import io.persist.store.engine.StoreOpener;
import io.persist.store.state.StoreState;
import io.persist.testkit.CrashableStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** However small the values are, compaction holds others up for a step's work only. */
class CompactionStepTest {

    private static final int KEYS = 5_000;
    private static final int SEGMENT_LENGTH = 64 << 10;
    private static final int STEP = 4 << 10;

    private final CrashableStorage storage = new CrashableStorage();

    private static byte[] key(int number) {
        return Texts.bytes("key/" + number);
    }

    private StoreConfig.Builder config() {
        LogConfig log = LogConfig.builder(Path.of("store"))
                .segmentLength(SEGMENT_LENGTH)
                .build();
        return StoreConfig.builder(log).maxSpaceRatio(0);
    }

    private StoreEngine open() {
        return new StoreOpener(config().build(), null).open(storage, storage);
    }

    @Test
    void shouldLookUpAndMoveAStepsWorkAtATime() {
        try (StoreEngine store = open()) {
            for (int i = 0; i < 3 * KEYS; i++) {
                int number = i < KEYS ? i : (i * 7) % KEYS / 2; // the second half stays where it is
                store.single().put(key(number), new byte[8], Durability.BUFFERED);
            }
            store.core().state().step().restart();

            long given = store.upkeep().compact(Long.MAX_VALUE);

            assertThat(given).isGreaterThan(SEGMENT_LENGTH);
            assertThat(store.statistics().compaction().movedBytes()).isPositive();
            assertThat(store.core().state().step().most()).isEqualTo(StoreState.CHANGES_PER_STEP);
            assertThat(store.lookups().size()).isEqualTo(KEYS);
        }
    }

    @Test
    void shouldLookUnderTheLockOnlyForWhatMayBeNeeded() {
        try (StoreEngine store = open()) {
            for (int i = 0; i < 3 * KEYS; i++) {
                boolean stays = i % 100 == 0; // about eight in a segment
                int number = stays ? KEYS + i : i % 10;
                store.single().put(key(number), new byte[8], Durability.BUFFERED);
            }
            store.core().state().step().restart();

            store.upkeep().compact(Long.MAX_VALUE);

            assertThat(store.statistics().compaction().movedBytes()).isPositive();
            assertThat(store.core().state().step().most()).isBetween(1, StoreState.CHANGES_PER_STEP / 2);
        }
    }

    @Test
    void shouldNotLookAtWhatIsAllOverwritten() throws IOException {
        try (StoreEngine store = open()) {
            for (int i = 0; i < 2 * KEYS; i++) {
                store.single().put(key(i % KEYS), new byte[8], Durability.BUFFERED);
            }
            StoreCore core = store.core();
            WorkspacePool workspaces = new WorkspacePool(core, store.lookups());
            Compactor compactor = new Compactor(core, workspaces);
            AtomicLong spent = new AtomicLong();
            long floor = core.log().layout().basePosition(core.appliedEnd() / 2);

            assertThat(compactor.emptyOne(floor, SegmentChoice.MIN_GAIN, spent::addAndGet, () -> false))
                    .isTrue();

            assertThat(spent).hasValue(0);
            long segments = compactor.statistics().waitingSegments();
            assertThat(segments).as("one sync is for all").isGreaterThan(1);
            assertThat(compactor.statistics().vacatedSegments()).isZero();
            assertThat(compactor.vacate(() -> false)).isEqualTo(segments * SEGMENT_LENGTH);
            assertThat(store.lookups().size()).isEqualTo(KEYS);
        }
    }

    /** It is read, and the device is not for compaction alone. */
    @Test
    void shouldPayForTheWayBehindDamageAStepAtATime() throws IOException {
        StoreConfig config = config().compactionStepBytes(STEP).build();
        try (StoreEngine store = new StoreOpener(config, null).open(storage, storage)) {
            for (int i = 0; i < 3 * KEYS; i++) {
                int number = i % 100 == 0 ? KEYS + i : i % 10;
                store.single().put(key(number), new byte[8], Durability.BUFFERED);
            }
            store.upkeep().checkpoint();
        }
        String first = "0".repeat(20) + ".log";
        for (int end : new int[] {SEGMENT_LENGTH / 4 * 3, SEGMENT_LENGTH}) {
            byte[] segment = storage.content(first);
            Arrays.fill(segment, SEGMENT_LENGTH / 4, end, (byte) 1);
            storage.replace(first, segment);
            try (StoreEngine store = new StoreOpener(config, null).open(storage, storage)) {
                StoreCore core = store.core();
                Compactor compactor = new Compactor(core, new WorkspacePool(core, store.lookups()));
                List<Long> spent = new ArrayList<>();
                assertThat(compactor.emptyOne(SEGMENT_LENGTH, SegmentChoice.MIN_GAIN, spent::add, () -> false))
                        .isTrue();

                assertThat(compactor.statistics().damagedSegments()).isOne();
                assertThat(spent).allMatch(bytes -> bytes <= 7 * STEP);
                assertThat(spent.stream().mapToLong(Long::longValue).sum())
                        .isGreaterThanOrEqualTo(SEGMENT_LENGTH - 2 * SegmentHeader.LENGTH);
            }
        }
    }
}
