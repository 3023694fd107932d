package io.persist.tool.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.CorruptLogException;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.TailerConfig;
import io.persist.log.read.Tailer;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.PowerCut;
import io.persist.tool.Output;
import io.persist.tool.ToolLog;
import io.persist.tool.ToolStore;
import io.persist.tool.repair.SalvageTool.OldValues;
import io.persist.tool.salvage.LogSalvage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whatever stops a salvage, no part of the new log opens as if it were all of it. */
class SalvageCrashTest {

    private static final long RECORDS = 300;
    private static final long KEYS = 20;

    /** Writes the salvaged log of three segments, and one that is vacated, to the storage. */
    private static final class Salvage implements CrashScript {

        private final CrashableStorage damaged;
        private final List<Long> whole;
        private boolean isWritten;

        /** Nothing changes what is {@code damaged}; {@code whole} is what an undisturbed salvage makes of it. */
        Salvage(CrashableStorage damaged, List<Long> whole) {
            this.damaged = damaged;
            this.whole = whole;
        }

        @Override
        public void run(Storage storage) throws IOException {
            LogSalvage salvage = new LogSalvage(damaged);
            if (storage.list().isEmpty()) {
                salvage.copyTo(salvage.look(), storage);
                isWritten = true;
            }
        }

        @Override
        public Object check(Storage storage) {
            try {
                ToolLog.open(storage).close();
                List<Long> left = sequences(storage);
                assertThat(left.equals(whole) || left.isEmpty() && !isWritten)
                        .as("all or nothing: " + left)
                        .isTrue();
                return left.size();
            } catch (PersistException refused) {
                assertThat(isWritten).as(refused.getMessage()).isFalse();
                return refused.getClass();
            }
        }
    }

    /** The numbers of all records that can be read. */
    private static List<Long> sequences(Storage storage) {
        List<Long> sequences = new ArrayList<>();
        try (Tailer tailer = Tailer.open(storage, TailerConfig.defaults())) {
            while (tailer.next()) {
                sequences.add(tailer.sequence());
            }
        }
        return sequences;
    }

    @Test
    void shouldLeaveNoPartOfALog() {
        CrashableStorage damaged = new CrashableStorage();
        ToolLog.damage(damaged, ToolLog.closed(damaged, (int) RECORDS).get(99));
        CrashableStorage undisturbed = new CrashableStorage();
        LogSalvage salvage = new LogSalvage(damaged);
        salvage.copyTo(salvage.look(), undisturbed);
        List<Long> whole = sequences(undisturbed);
        CrashExplorer explorer =
                CrashExplorer.of(() -> new Salvage(damaged, whole)).randomLives(0);
        assertThat(Seeds.lessInABuild(explorer, Seeds.seed()).explore().points())
                .isPositive();
    }

    /** Whenever a salvage of a store is killed, what it leaves is refused, or is no store at all. */
    @Test
    void shouldLeaveNoPartOfAStoreThatOpens() {
        CrashableStorage log = new CrashableStorage();
        try (StoreLogger store = ToolStore.open(log)) {
            for (int i = 0; i < KEYS; i++) {
                ToolStore.put(store, "key" + i, "v".repeat(1000));
            }
        }
        int kills = 0;
        while (isKilledAtRename(log, kills + 1)) {
            kills++;
        }
        assertThat(kills).isGreaterThan(8); // the store has more than three segments, and each is renamed twice
    }

    /** Kills a salvage before it gives a file another name for the {@code count}th time; false if it never does. */
    private static boolean isKilledAtRename(CrashableStorage log, int count) {
        AtomicInteger renames = new AtomicInteger();
        CrashableStorage target = new CrashableStorage().hook((number, what) -> {
            if (what.startsWith("rename ") && renames.incrementAndGet() == count) {
                throw new PowerCut("killed before: " + what);
            }
        });
        try {
            ToolLog.run(log, new SalvageTool(() -> target, Output.TEXT, OldValues.REFUSE));
        } catch (PowerCut killed) {
            // As it was meant to be.
        }
        boolean isKilled = target.isOff();
        try (StoreLogger left = ToolStore.open(target.afterKill())) {
            assertThat(left.size()).isIn(isKilled ? 0L : KEYS, KEYS);
        } catch (CorruptLogException refused) {
            assertThat(isKilled).as(refused.getMessage()).isTrue();
        }
        return isKilled;
    }
}
