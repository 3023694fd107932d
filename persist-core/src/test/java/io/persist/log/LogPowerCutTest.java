package io.persist.log;

import io.persist.support.Seeds;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.CrashableStorage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What was synced survives a power cut at any operation, what was flushed survives a kill, and nothing else than a prefix of
 * what was appended is ever read, over several lives of a log, cuts during recovery included.
 */
final class LogPowerCutTest {

    private static final int OPERATIONS = 120;

    @Test
    void shouldKeepWhatWasSyncedWhereverThePowerIsCut() {
        Seeds.run(400, seed -> {
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

    @Test
    void shouldKeepWhatWasSyncedWhenPowerIsCutAtEachOperationInTurn() {
        Seeds.run(2, seed -> {
            int operations = countOperations(seed);
            for (int cut = 1; cut <= operations; cut++) {
                for (Loss loss : Loss.values()) {
                    LogModel model = new LogModel(new Random(seed));
                    CrashableStorage storage = new CrashableStorage().cutPowerAt(cut);
                    model.live(storage, 0, OPERATIONS);
                    CrashableStorage after = storage.crash(new Random(seed + cut), loss);
                    model.live(after, model.synced(), OPERATIONS);
                    CrashableStorage again = after.crash(new Random(seed - cut), loss);
                    model.live(again, model.synced(), 0);
                }
            }
        });
    }

    @Test
    void shouldKeepWhatWasFlushedWhenTheProcessIsKilledAndWhatWasSyncedWhenThePowerGoes() {
        Seeds.run(300, seed -> {
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

    private static int countOperations(long seed) {
        CrashableStorage storage = new CrashableStorage();
        new LogModel(new Random(seed)).live(storage, 0, OPERATIONS);
        return storage.operations();
    }
}
