package io.persist.log.recovery;

import io.persist.file.Storage;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What was synced survives a power cut at any operation, what was flushed survives a kill, and nothing else than a prefix of
 * what was appended is ever read, over several lives of a log, cuts during recovery included.
 */
final class LogPowerCutTest {

    private static final int OPERATIONS = 120;

    @Test
    void shouldKeepWhatWasSyncedWhereverThePowerIsCut() {
        Seeds.run(25, seed -> {
            Random random = new Random(seed);
            LogModel model = new LogModel(random);
            CrashableStorage storage = new CrashableStorage();
            long atLeast = 0;
            for (int life = 0; life < 5; life++) {
                storage.cutPowerAt(1 + random.nextInt(150));
                model.live(storage, atLeast, OPERATIONS);
                atLeast = model.synced();
                storage = storage.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
            }
            model.live(storage, atLeast, 0);
        });
    }

    /** Lives of the model, of which each tells whether a fault has ended it. */
    private static final class ModelScript implements CrashScript {

        private final LogModel model;

        ModelScript(LogModel model) {
            this.model = model;
        }

        @Override
        public void run(Storage storage) throws IOException {
            live(storage, OPERATIONS);
        }

        @Override
        public Object check(Storage storage) throws IOException {
            live(storage, 0);
            return model.size();
        }

        private void live(Storage storage, int operations) throws IOException {
            if (model.live(storage, model.synced(), operations) == LogModel.Ended.BY_FAULT) {
                throw new IOException("the log has failed");
            }
        }
    }

    @Test
    void shouldKeepWhatWasSyncedWhateverHappensAtEachOperationInTurn() {
        Seeds.run(
                1,
                seed -> Seeds.lessInABuild(
                                CrashExplorer.of(() -> new ModelScript(new LogModel(new Random(seed)))), seed)
                        .randomLives(0)
                        .explore());
    }

    @Test
    @Tag("nightly")
    void shouldKeepWhatWasSyncedWhateverHappensAtEachOperationOfALogThatRecycles() {
        Seeds.run(
                1,
                seed -> CrashExplorer.of(() -> new ModelScript(LogModel.recycling(new Random(seed))))
                        .seed(seed)
                        .randomLives(0)
                        .explore());
    }

    @Test
    void shouldKeepWhatWasSyncedInFilesThatAreUsedAgainAndAgain() {
        Seeds.run(25, seed -> {
            Random random = new Random(seed);
            LogModel model = LogModel.recycling(random);
            CrashableStorage storage = new CrashableStorage();
            long atLeast = 0;
            for (int life = 0; life < 6; life++) {
                storage.cutPowerAt(1 + random.nextInt(400));
                model.live(storage, atLeast, OPERATIONS);
                if (random.nextBoolean()) {
                    storage.writeBack(random);
                }
                Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
                model.powerWasCut();
                atLeast = model.synced();
                storage = random.nextBoolean() ? storage.crash(random, loss) : storage.afterRemount(random, loss);
            }
            model.live(storage, atLeast, 0);
        });
    }

    @Test
    void shouldKeepWhatWasFlushedWhenTheProcessIsKilledAndWhatWasSyncedWhenThePowerGoes() {
        Seeds.run(30, seed -> {
            Random random = new Random(seed);
            LogModel model = new LogModel(random);
            CrashableStorage storage = new CrashableStorage();
            long atLeast = 0;
            for (int life = 0; life < 6; life++) {
                storage.cutPowerAt(1 + random.nextInt(200));
                model.live(storage, atLeast, OPERATIONS);
                storage.writeBack(random);
                if (random.nextBoolean()) {
                    atLeast = model.flushed();
                    storage = storage.afterKill();
                } else {
                    model.powerWasCut();
                    atLeast = model.synced();
                    storage = storage.crash(random, Loss.values()[random.nextInt(Loss.values().length)]);
                }
            }
            model.live(storage, atLeast, 0);
        });
    }
}
