package io.persist.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.error.PersistException;
import io.persist.file.Storage;
import io.persist.log.LogConfig;
import io.persist.shard.batch.PartStore;
import io.persist.shard.batch.Row;
import io.persist.shard.batch.RowMerge;
import io.persist.shard.batch.Rows;
import io.persist.shard.batch.RunReader;
import io.persist.shard.error.ShardException;
import io.persist.shard.location.file.FileBlob;
import io.persist.shard.location.journal.JournalConsensus;
import io.persist.shard.machine.ShardMachine;
import io.persist.shard.model.Codec;
import io.persist.shard.model.Frontier;
import io.persist.shard.model.ShardConfig;
import io.persist.shard.model.Update;
import io.persist.shard.state.BatchState;
import io.persist.shard.state.ShardState;
import io.persist.store.StoreConfig;
import io.persist.support.Seeds;
import io.persist.testkit.CrashExplorer;
import io.persist.testkit.CrashScript;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.Exploration;
import io.persist.testkit.PowerCut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects in files and states in a journal, on a disk that stops at any operation. */
class ShardPowerCutTest {

    private static final StoreConfig STORE = StoreConfig.builder(
                    LogConfig.builder(Path.of("memory")).segmentLength(1 << 16).build())
            .build();
    private static final ShardConfig SETTINGS = ShardConfig.builder()
            .upkeep(ShardConfig.Upkeep.BY_CALL)
            .retryTime(Duration.ZERO)
            .inlineBatchBytes(150)
            .rollupEvery(5)
            .partBytes(1 << 10)
            .build();

    /** Each life appends some batches at the upper that it finds, and does upkeep. */
    private static final class AppendScript implements CrashScript {

        private static final int BATCHES = 9;
        private Frontier acknowledged = Frontier.MINIMUM;
        private Frontier begun = Frontier.MINIMUM;

        private static ShardClient client(Storage storage) {
            FileBlob blob = FileBlob.open(storage);
            StoreLogger store = StoreLogger.open(STORE, storage, storage);
            try {
                return ShardClient.open(blob, JournalConsensus.over(store), SETTINGS);
            } catch (RuntimeException | Error failed) {
                store.close();
                throw failed;
            }
        }

        @Override
        public void run(Storage storage) {
            try (ShardClient client = client(storage)) {
                Shard<String, String> shard = client.shard(ShardRig.ID, Codec.utf8(), Codec.utf8());
                ShardWriter<String, String> writer = shard.writer();
                for (int i = 0; i < BATCHES; i++) {
                    Frontier upper = writer.upper();
                    Frontier next = Frontier.at(upper.time() + 1 + i % 3 * 3);
                    List<Update<String, String>> updates = ShardRig.updates("key", upper.time(), next.time());
                    begun = Frontier.greatest(begun, next);
                    assertThat(writer.compareAndAppend(updates, upper, next).isAppended())
                            .isTrue();
                    acknowledged = next;
                }
                shard.maintain();
            }
        }

        /** Reads without a lease, so that nothing is written. */
        @Override
        public Object check(Storage storage) {
            try (StoreLogger store = StoreLogger.open(STORE, storage, storage)) {
                JournalConsensus consensus = JournalConsensus.over(store);
                ShardState state = ShardMachine.look(consensus, ShardRig.ID);
                if (state == null) {
                    assertThat(acknowledged).isEqualTo(Frontier.MINIMUM);
                    return "none";
                }
                FileBlob blob = FileBlob.open(storage);
                assertThat(state.upper()).isBetween(acknowledged, begun);
                PartStore parts = new PartStore(blob, ShardRig.ID, Duration.ZERO);
                List<Rows> runs = new ArrayList<>();
                for (BatchState batch : state.batches()) {
                    runs.addAll(RunReader.of(parts, batch, time -> true));
                }
                RowMerge merge = new RowMerge(runs, 0);
                long time = 0;
                for (Row row = merge.next(); row != null; row = merge.next()) {
                    assertThat(row.time()).isEqualTo(time);
                    assertThat(row.diff()).isEqualTo(1);
                    time++;
                }
                assertThat(state.upper()).isEqualTo(Frontier.at(time));
                return state;
            }
        }
    }

    /** Every fault at every operation of a life, and what follows. */
    @Test
    @Tag("nightly")
    void shouldKeepItWhateverHappensAtAnyOperation() {
        Exploration tried = CrashExplorer.of(AppendScript::new).explore();

        System.out.println("ShardPowerCutTest: " + tried);
        assertThat(tried.operations()).isGreaterThan(100);
        assertThat(tried.points() - tried.unreached()).isGreaterThan(5 * 100);
        assertThat(tried.unreached()).isLessThan(tried.points() / 4); // the store has a thread of its own
    }

    /** Power cuts at operations all over several lives, each of which goes on from what the last one has left. */
    @Test
    void shouldKeepWhatWasAcknowledged() {
        Seeds.run(25, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            AppendScript script = new AppendScript();
            CrashableStorage storage = new CrashableStorage();
            for (int life = 0; life < 3; life++) {
                storage.cutPowerAt(storage.operations() + 1 + random.nextInt(250));
                try {
                    script.run(storage);
                } catch (PowerCut | ShardException | PersistException cut) {
                    // as it was wanted
                }
                Loss loss = Loss.values()[random.nextInt(Loss.values().length)];
                storage = storage.crash(new Random(random.nextLong()), loss);
                script.check(storage);
            }
        });
    }
}
