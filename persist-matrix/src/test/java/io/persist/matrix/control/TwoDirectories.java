package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.StoreLogger;
import io.persist.log.Durability;
import io.persist.matrix.Effort;
import io.persist.matrix.Exercise;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.store.StoreConfig;
import io.persist.store.transaction.Transaction;
import io.persist.testkit.CrashableStorage;
import io.persist.testkit.CrashableStorage.Loss;
import io.persist.testkit.PowerCut;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** A store whose checkpoints are in another directory: a power cut takes from both what was not synced. */
public final class TwoDirectories implements Exercise {

    private static final int KEYS = 10;
    private static final int ROUNDS = 6;
    private static final int VALUE_LENGTH = 300;

    @Override
    public Row row() {
        return Row.POWER_CUT_EVERYWHERE;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(Subject.named("store-mapped-attached"));
    }

    @Override
    public void run(Subject subject, Effort effort) {
        CrashableStorage log = new CrashableStorage();
        CrashableStorage checkpoints = new CrashableStorage();
        StoreLogger store = open(subject, log, checkpoints);
        for (int round = 1; round <= ROUNDS; round++) {
            for (int key = 0; key < KEYS; key++) {
                put(store, key, value(round, key), Durability.SYNCED);
            }
            store.checkpoint();
            store.compact(1 << 20);
            for (int i = 0; i < 3; i++) {
                put(store, i, value(round, i), Durability.BUFFERED);
                store.checkpoint(); // after which the older ones are gone
            }
            CrashableStorage cutLog = log.crash(new Random(0), Loss.ALL_LOST);
            CrashableStorage cutCheckpoints = checkpoints.crash(new Random(0), Loss.ALL_LOST);
            leave(store);
            store = open(subject, cutLog, cutCheckpoints);
            for (int key = 0; key < KEYS; key++) {
                assertThat(store.get(new byte[] {(byte) key}))
                        .as("key %d after round %d", key, round)
                        .isEqualTo(ByteBuffer.wrap(value(round, key)));
            }
            log = cutLog;
            checkpoints = cutCheckpoints;
            effort.tried(1);
        }
        store.close();
    }

    private static StoreLogger open(Subject subject, CrashableStorage log, CrashableStorage checkpoints) {
        StoreConfig config = StoreConfig.builder(subject.config(Path.of("memory")))
                .checkpointDirectory(Path.of("checkpoints"))
                .checkpointPercent(0)
                .maxSpaceRatio(0)
                .build();
        return StoreLogger.open(config, log, checkpoints);
    }

    private static void put(StoreLogger store, int key, byte[] value, Durability level) {
        try (Transaction transaction = store.begin()) {
            transaction.put(new byte[] {(byte) key}, value);
            transaction.commit(level);
        }
    }

    private static byte[] value(int round, int key) {
        byte[] value = new byte[VALUE_LENGTH];
        value[0] = (byte) round;
        value[VALUE_LENGTH - 1] = (byte) key;
        return value;
    }

    private static void leave(StoreLogger store) {
        try {
            store.close();
        } catch (RuntimeException | PowerCut off) {
            // The power is off.
        }
    }
}
