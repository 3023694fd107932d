package io.persist.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.RetiredException;
import io.persist.log.DetachedConfig;
import io.persist.log.LogConfig;
import io.persist.log.ReadMode;
import io.persist.log.ReadScope;
import io.persist.log.TailerConfig;
import io.persist.log.WriteMode;
import io.persist.store.ChangeType;
import io.persist.store.KeyRange;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.Texts;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever opens a reader of changes, the store or somebody else, it shows the same, over the lives of the store. */
class SameChangesTest {

    private static final int LIVES = 3;
    private static final int STEPS = 60;
    private static final String GONE = "taken away by compaction";

    private int shown;
    private int oldValues;
    private int opened;
    private int given;

    /** All that a reader tells of a change; the next position where the transaction ends, else 0. */
    private record Seen(
            ChangeType type,
            String key,
            String value,
            @Nullable String oldValue,
            long position,
            long nextPosition) {

        boolean isLike(Seen other) {
            boolean isGone = GONE.equals(oldValue) || GONE.equals(other.oldValue);
            return equals(isGone ? other.with(oldValue) : other);
        }

        private Seen with(@Nullable String old) {
            return new Seen(type, key, value, old, position, nextPosition);
        }
    }

    @Test
    void shouldShowTheSame() {
        Seeds.run(8, seed -> new Run(new Random(seed)).run());
        assertThat(shown).isPositive();
        assertThat(oldValues).isPositive();
        assertThat(opened).isPositive();
        assertThat(given).as("bytes that compaction has given back").isPositive();
    }

    private final class Run {

        private final Random random;
        private final CrashableStorage storage = new CrashableStorage();
        private final WriteMode mode;
        private final boolean isDetached;
        private final TailerConfig reading;
        private final boolean isSynced;
        private long reached;

        Run(Random random) {
            this.random = random;
            this.mode = WriteMode.values()[random.nextInt(2)];
            this.isDetached = random.nextBoolean();
            this.isSynced = random.nextInt(4) == 0;
            this.reading = TailerConfig.builder()
                    .readMode(ReadMode.values()[random.nextInt(2)])
                    .readScope(isSynced ? ReadScope.SYNCED : ReadScope.PUBLISHED)
                    .build();
        }

        void run() {
            try (ChangeReader named = ChangeReader.open(storage, "others", reading)) {
                ChangeReader unnamed = ChangeReader.open(storage, 0, reading);
                for (int life = 0; life < LIVES; life++) {
                    unnamed = live(named, unnamed);
                }
                unnamed.close();
            }
            assertThat(storage.openHandles()).isZero();
        }

        private ChangeReader live(ChangeReader named, ChangeReader first) {
            ChangeReader unnamed = first;
            try (StoreLogger store = open();
                    ChangeReader own = store.changes(reached)) {
                for (int step = 0; step < STEPS; step++) {
                    change(store);
                    if (random.nextInt(4) == 0) {
                        compare(store, own, named, unnamed);
                        unnamed = perhapsAnew(unnamed);
                    }
                    if (random.nextInt(10) == 0) {
                        named.store();
                        given += store.compact(Long.MAX_VALUE) > 0 ? 1 : 0;
                    }
                }
                compare(store, own, named, unnamed);
            }
            return unnamed;
        }

        private StoreLogger open() {
            LogConfig log = LogConfig.builder(Path.of("store"))
                    .segmentLength(Texts.SEGMENT_LENGTH)
                    .writeMode(mode)
                    .build();
            StoreConfig config = StoreConfig.builder(log)
                    .oldValues(OldValues.RECORD)
                    .maxSpaceRatio(0)
                    .build();
            return isDetached
                    ? StoreLogger.open(config, DetachedConfig.builder().build(), storage, storage)
                    : StoreLogger.open(config, storage, storage);
        }

        private String key() {
            return "key-" + random.nextInt(12);
        }

        private void change(StoreLogger store) {
            Transaction transaction = store.begin();
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                switch (random.nextInt(8)) {
                    case 0 -> transaction.remove(Texts.bytes(key()));
                    case 1 -> transaction.removeRange(KeyRange.from(Texts.bytes(key())));
                    default ->
                        transaction.put(
                                Texts.bytes(key()), Texts.bytes(random.nextInt() + "x".repeat(random.nextInt(300))));
                }
            }
            transaction.commit();
        }

        private void compare(StoreLogger store, ChangeReader own, ChangeReader named, ChangeReader unnamed) {
            if (isSynced) {
                store.sync();
            } else {
                store.flush();
            }
            List<Seen> expected = all(own);
            for (ChangeReader other : List.of(named, unnamed)) {
                List<Seen> seen = all(other);
                assertThat(seen).hasSameSizeAs(expected);
                for (int i = 0; i < seen.size(); i++) {
                    assertThat(seen.get(i).isLike(expected.get(i)))
                            .as("%s and %s", seen.get(i), expected.get(i))
                            .isTrue();
                }
                assertThat(other.nextPosition()).isEqualTo(own.nextPosition());
                assertThat(other.logId()).isEqualTo(own.logId());
            }
            reached = own.nextPosition();
            shown += expected.size();
        }

        private ChangeReader perhapsAnew(ChangeReader unnamed) {
            if (random.nextInt(5) > 0) {
                return unnamed;
            }
            unnamed.close();
            opened++;
            return ChangeReader.open(storage, reached, reading);
        }
    }

    private List<Seen> all(ChangeReader changes) {
        List<Seen> all = new ArrayList<>();
        while (changes.next()) {
            all.add(new Seen(
                    changes.type(),
                    String.valueOf(Texts.text(changes.key())),
                    String.valueOf(Texts.text(changes.value())),
                    oldValue(changes),
                    changes.position(),
                    changes.endsTransaction() ? changes.nextPosition() : 0));
        }
        return all;
    }

    private @Nullable String oldValue(ChangeReader changes) {
        try {
            String old = Texts.text(changes.oldValue());
            oldValues += old == null ? 0 : 1;
            return old;
        } catch (RetiredException gone) {
            return GONE;
        }
    }
}
