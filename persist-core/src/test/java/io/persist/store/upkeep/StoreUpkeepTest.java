package io.persist.store.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.format.checkpoint.CheckpointName;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import io.persist.store.OldValues;
import io.persist.store.StoreConfig;
import io.persist.store.StoreDisks;
import io.persist.store.StoreModel;
import io.persist.store.StoreModel.Change;
import io.persist.store.StoreStatistics;
import io.persist.store.checkpoint.Checkpoints;
import io.persist.store.transaction.Transaction;
import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import io.persist.testkit.UncaughtErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The thread in the background checkpoints and compacts all the time, and the power is cut at some moment. */
class StoreUpkeepTest {

    private static final int KEYS = 300;
    private static final int TRANSACTIONS = 500;
    private static final int CHANGES = 10;
    private static final int LIVES = 4;

    private long written;
    private long writtenInLife;
    private long vacated;
    private int damaged;
    private int damagedLater;
    private int values;

    @Test
    void shouldLoseNothingWhileItCheckpointsAndCompactsByItself() {
        try (UncaughtErrors uncaught = new UncaughtErrors()) {
            assertThat(uncaught).isNotNull();
            Seeds.run(3, seed -> {
                Random random = new Random(seed);
                StoreModel model = new StoreModel(OldValues.OMIT);
                StoreDisks disks = random.nextBoolean() ? StoreDisks.one() : StoreDisks.two();
                for (int life = 0; life < LIVES; life++) {
                    disks.cutPowerAt(life == 0 ? Integer.MAX_VALUE : 100 + random.nextInt(3000));
                    live(model, disks, random);
                    disks = disks.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
                    if (writtenInLife >= 2 && (life == 0 || random.nextBoolean())) {
                        damageNewestCheckpoint(disks, random);
                    }
                }
                openAgain(model, disks, random).close();
            });
        }
        assertThat(written).as("checkpoints").isPositive();
        assertThat(vacated).as("vacated segments").isPositive();
        assertThat(damaged).as("damaged checkpoints").isPositive();
    }

    /** The one before it, and the log, are enough. */
    private void damageNewestCheckpoint(StoreDisks disks, Random random) throws IOException {
        String name =
                CheckpointName.of(new Checkpoints(disks.checkpoints).list().get(0));
        byte[] bytes = disks.checkpoints.content(name);
        bytes[random.nextInt(bytes.length)] ^= 0x10;
        disks.checkpoints.replace(name, bytes);
        damaged++;
    }

    private static StoreConfig config(Random random) {
        LogConfig log = LogConfig.builder(Path.of("log"))
                .segmentLength(32 << 10)
                .writeMode(WriteMode.values()[random.nextInt(2)])
                .build();
        return StoreConfig.builder(log)
                .checkpointPercent(1)
                .checkpointMinLogBytes(1)
                .checkpointBytesPerSecond(1L << 40)
                .maxSpaceRatio(1.1)
                .compactionBytesPerSecond(1L << 40)
                .compactionStepBytes(4096)
                .build();
    }

    /** Opens it once more if a checkpoint turns out to be damaged only when it is read. */
    private StoreLogger openAgain(StoreModel model, StoreDisks disks, Random random) {
        model.powerWasCut();
        StoreLogger store = StoreLogger.open(config(random), disks.log, disks.checkpoints);
        try {
            model.recovered(store, store.recovery().describe());
            return store;
        } catch (CorruptLogException e) {
            assertThat(e.file()).startsWith(CheckpointName.PREFIX);
            assertThat(damaged).isPositive();
            abandon(store);
            damagedLater++;
            return openAgain(model, disks, random);
        }
    }

    private void live(StoreModel model, StoreDisks disks, Random random) {
        StoreLogger store = null;
        writtenInLife = 0;
        try {
            store = openAgain(model, disks, random);
            for (int i = 0; i < TRANSACTIONS; i++) {
                transact(store, model, random);
            }
            // However little time the background had: the first life, which is not cut, has two to damage one of.
            store.checkpoint();
            transact(store, model, random);
            store.checkpoint();
            model.assertSame(store, "at the end of a life");
            store.sync();
            model.allSynced();
        } catch (CorruptLogException wrong) {
            throw new AssertionError("a store without damage was refused", wrong);
        } catch (PersistException | PowerCut fault) {
            if (!disks.isOff()) {
                throw new AssertionError("a fault without a cause", fault);
            }
        } finally {
            if (store != null) {
                note(store.statistics());
                abandon(store);
            }
        }
    }

    private void transact(StoreLogger store, StoreModel model, Random random) {
        List<Change> changes = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            for (int i = 0; i < CHANGES; i++) {
                byte[] key = ByteBuffer.allocate(4).putInt(random.nextInt(KEYS)).array();
                byte[] value = ByteBuffer.allocate(8 + random.nextInt(1200))
                        .putLong(++values)
                        .array();
                transaction.put(key, value);
                changes.add(new Change(key, value, null));
            }
            model.commits(changes);
            model.committed(transaction.commit());
        }
        if (random.nextInt(20) == 0) {
            store.sync();
            model.allSynced();
        }
    }

    private void note(StoreStatistics statistics) {
        writtenInLife = statistics.checkpoint().written();
        written += writtenInLife;
        vacated += statistics.compaction().vacatedSegments();
    }

    private static void abandon(StoreLogger store) {
        try {
            store.close();
        } catch (PersistException | PowerCut disksAreGone) {
            assertThat(disksAreGone).isNotNull();
        }
    }
}
